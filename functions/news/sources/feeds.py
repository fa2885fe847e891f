"""Reads feeds over HTTP, with conditional requests, a size limit and protection against SSRF.

Redirects are followed to public addresses only, with the same check as for webhooks: the host is resolved once, and
the connection goes to the address that was checked.
"""

from dataclasses import dataclass
from datetime import UTC, datetime
from http import HTTPStatus
from urllib.parse import urljoin, urlsplit

from functions.news.protocols import Validators
from functions.runtime.http.json_client import RateLimit, seconds_to_wait
from functions.runtime.http.outbound import Limits, SendError, send_to_checked
from functions.runtime.http.public_addresses import (
    BadAddress,
    NoSuchHost,
    NotDelivered,
    check,
)
from functions.runtime.provider_errors import (
    Blocked,
    Nonsense,
    NotFound,
    ProviderError,
    Refused,
    Throttled,
    Unavailable,
)

LIMITS = Limits(total_seconds=15.0, bytes=3_000_000)
"""Some twenty times the largest feed of a stock; the rest of a larger one is not read."""
MAX_REDIRECTS = 3
_REDIRECTS = (301, 302, 303, 307, 308)


@dataclass(frozen=True, slots=True)
class FeedResponse:
    content: bytes | None
    """None if the feed has not changed."""
    content_type: str
    validators: Validators
    is_cut: bool = False
    """True if the feed exceeded the limit and was truncated."""


class FeedClient:
    """An HTTP client for one service."""

    def __init__(self, service: str, base_url: str, *, user_agent: str, rate: RateLimit | None = None) -> None:
        self._service = service
        self._origin = _origin(base_url)
        self._user_agent = user_agent
        self._rate = rate

    def get(self, url: str, known: Validators) -> FeedResponse:
        if self._rate:
            self._rate.wait()
        try:
            return self._follow(url, known)
        except ProviderError as problem:
            if self._rate:
                self._rate.slow_down(problem)
            raise

    def _follow(self, url: str, known: Validators) -> FeedResponse:
        for _ in range(1 + MAX_REDIRECTS):
            response = self._exchange(url, known)
            if isinstance(response, FeedResponse):
                return response
            try:
                url = urljoin(url, response)
            except ValueError:
                raise Nonsense(f"{self._service} redirects to what is no address.") from None
        raise Nonsense(f"{self._service} redirects without end.")

    def _exchange(self, url: str, known: Validators) -> FeedResponse | str:
        """Returns the response, or the URL it redirects to."""
        try:
            # The operator chose the service's own address, but not its redirects, regardless of the webhook settings.
            receiver = check(url, allow_private=_origin(url) == self._origin)
        except (NoSuchHost, NotDelivered):
            # Even if the name doesn't exist: the address of a source is known to be valid, so the error is transient.
            raise Unavailable(f"The name of {self._service} could not be looked up.") from None
        except BadAddress:
            raise Refused(f"{self._service} leads to an address that no request may be sent to.") from None
        try:
            response = send_to_checked(receiver, "GET", self._headers(known), None, LIMITS)
        except SendError:
            raise Unavailable(f"The connection to {self._service} could not be made, broke off or took long.") from None
        location = response.headers.get("Location")
        if response.status in _REDIRECTS and location:
            return location
        if response.status == HTTPStatus.NOT_MODIFIED:
            return FeedResponse(None, "", known)
        if response.status != HTTPStatus.OK:
            raise self._by_status(response.status, response.headers.get("Retry-After"))
        validators = Validators(_short(response.headers.get("ETag")), _short(response.headers.get("Last-Modified")))
        return FeedResponse(response.body, response.headers.get("Content-Type", ""), validators, response.is_cut)

    def _headers(self, known: Validators) -> dict[str, str]:
        return {
            "User-Agent": self._user_agent,
            "Accept": "application/rss+xml, application/atom+xml, application/xml;q=0.9, text/xml;q=0.8",
            # A compressed feed of a few bytes can expand to gigabytes.
            "Accept-Encoding": "identity",
            **({"If-None-Match": known.etag} if known.etag else {}),
            **({"If-Modified-Since": known.last_modified} if known.last_modified else {}),
        }

    def _by_status(self, status: int, retry_after: str | None) -> ProviderError:
        wait = seconds_to_wait(retry_after, datetime.now(UTC))
        if status == HTTPStatus.TOO_MANY_REQUESTS:
            return Throttled(f"{self._service} asks us to slow down.", wait)
        if status >= HTTPStatus.INTERNAL_SERVER_ERROR:
            return Unavailable(f"{self._service} has a fault of its own (HTTP {status}).", wait)
        if status in (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN):
            return Blocked(f"{self._service} refuses requests from this address (HTTP {status}).")
        if status in (HTTPStatus.NOT_FOUND, HTTPStatus.GONE):
            return NotFound(f"{self._service} has no feed of that stock.")
        return Refused(f"{self._service} refused the request (HTTP {status}).")


def _origin(url: str) -> tuple[str, str | None, int | None]:
    try:
        parts = urlsplit(url)
        return parts.scheme, parts.hostname, parts.port
    except ValueError:
        return "", None, None


def _short(header: str | None) -> str | None:
    """Drops validators that cannot be stored, or sent back in a header."""
    return header if header and len(header) <= 500 and header.isprintable() and header.isascii() else None
