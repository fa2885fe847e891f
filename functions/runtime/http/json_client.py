"""JSON over HTTPS for every live provider, with failures as ProviderErrors."""

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from typing import Any, NoReturn, Protocol
from urllib.parse import urlencode

from functions.runtime.http.outbound import CannotBeSent, Limits, Response, SendError, TooSlow, send
from functions.runtime.provider_errors import (
    Blocked,
    Nonsense,
    NotFound,
    ProviderError,
    Refused,
    Throttled,
    Unavailable,
)

MAX_RETRY_AFTER = 3600.0
"""A service may ask for an hour's pause; a longer one is cut to that, in case its clock or its header is wrong."""
EVENT_STREAM = "text/event-stream"
END_OF_STREAM = b"[DONE]"

Explain = Callable[[int, Any], ProviderError | None]
"""Builds an error from a status and a body, which is text if it is not JSON. If it returns None or fails, the status
alone decides."""


class RateLimit(Protocol):
    """When requests may be sent."""

    def wait(self) -> None:
        """Returns when the next request may be sent; a ProviderError if that is too far away."""

    def slow_down(self, problem: ProviderError) -> None:
        """Takes note of a refusal."""


class JsonClient:
    """A client of one service. Keys go in headers, never in the URL, so they appear in no error and no log."""

    def __init__(
        self,
        service: str,
        *,
        headers: Mapping[str, str] | None = None,
        limits: Limits | None = None,
        rate: RateLimit | None = None,
        explain: Explain = lambda status, body: None,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._service = service
        self._headers = {"Accept": "application/json", **(headers or {})}
        self._limits = limits or Limits()
        self._rate = rate
        self._explain = explain
        self._now = now

    def get_json(
        self, url: str, params: Mapping[str, str] | None = None, headers: Mapping[str, str] | None = None
    ) -> Any:
        return self._json("GET", f"{url}?{urlencode(params)}" if params else url, headers or {}, None)

    def post_json(self, url: str, body: Any, headers: Mapping[str, str] | None = None) -> Any:
        return self._json("POST", url, {"Content-Type": "application/json", **(headers or {})}, json.dumps(body))

    def post_for_events(self, url: str, body: Any) -> list[Any]:
        """Returns the JSON of each server-sent event, or the one document of a response that isn't streamed.

        The limits' `read_seconds` then allow for silence alone: a server that is at work sends events.
        """
        headers = {"Content-Type": "application/json", "Accept": f"{EVENT_STREAM}, application/json"}
        return list(self._exchange("POST", url, headers, json.dumps(body), self._read_events))

    def _json(self, method: str, url: str, headers: Mapping[str, str], body: str | None) -> Any:
        return self._exchange(method, url, headers, body, self._read)

    def _exchange(
        self, method: str, url: str, headers: Mapping[str, str], body: str | None, read: Callable[[Response], Any]
    ) -> Any:
        if self._rate:
            self._rate.wait()
        response = self._send(method, url, {**self._headers, **headers}, body)
        try:
            return read(response)
        except ProviderError as problem:
            if self._rate:
                self._rate.slow_down(problem)
            raise

    def _read_events(self, response: Response) -> list[Any]:
        is_stream = response.headers.get("Content-Type", "").startswith(EVENT_STREAM)
        if response.status != HTTPStatus.OK or not is_stream:
            return [self._read(response)]
        try:
            return [_parse(data) for data in _event_data(response.body) if data != END_OF_STREAM]
        except (ValueError, RecursionError):
            raise Nonsense(f"{self._service} sent an event that is not JSON.") from None

    def _read(self, response: Response) -> Any:
        is_success = 200 <= response.status < 300
        try:
            body = _parse(response.body)
        except (ValueError, RecursionError):
            unreadable = Nonsense(f"{self._service} sent a response that is not JSON.")
            text = response.body.decode(errors="replace")
            raise self._explained(response.status, text) or (
                unreadable if is_success else self._by_status(response)
            ) from None
        if not is_success:
            raise self._explained(response.status, body) or self._by_status(response)
        return body

    def _send(self, method: str, url: str, headers: Mapping[str, str], body: str | None) -> Response:
        error: ProviderError
        try:
            response = send(method, url, headers, body, self._limits)
        except TooSlow:
            error = Unavailable(f"{self._service} did not respond in time.")
        except CannotBeSent:
            error = Refused(f"The key or address for {self._service} has characters that cannot be sent.")
        except SendError:
            error = Unavailable(f"The connection to {self._service} could not be made or broke off.")
        else:
            if not response.is_cut:
                return response
            error = Unavailable(f"{self._service} sent a response of more than {self._limits.bytes:,} bytes.")
        raise error

    def _explained(self, status: int, body: Any) -> ProviderError | None:
        try:
            return self._explain(status, body)
        except (ValueError, LookupError, TypeError, AttributeError):
            return None

    def _by_status(self, response: Response) -> ProviderError:
        service, status = self._service, response.status
        wait = seconds_to_wait(response.headers.get("Retry-After"), self._now())
        if status == 429:
            return Throttled(f"{service} asks us to slow down.", wait)
        if status >= 500:
            return Unavailable(f"{service} has a fault of its own (HTTP {status}).", wait)
        if status in (401, 403):
            return Blocked(f"{service} refused our key or our address (HTTP {status}).")
        if status == 404:
            return NotFound(f"{service} has nothing under that name.")
        if status >= 400:
            return Refused(f"{service} refused the request (HTTP {status}).")
        return Unavailable(f"{service} responded with HTTP {status} instead of data.")


@contextmanager
def documented_shape(service: str) -> Iterator[None]:
    """For code that reads a response: a missing or malformed field raises Nonsense instead of a KeyError."""
    try:
        yield
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, OSError):
        # OSError: a time zone may turn out to be the name of a folder, and a timestamp may be too large for the system.
        raise Nonsense(f"{service} sent a response in an undocumented format.") from None


def number_in(value: object) -> float:
    """A number of a response. Python would also take `true` and `"12"` for one."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError(f"not a number: {type(value).__name__}")
    return float(value)


def seconds_to_wait(retry_after: str | None, now: datetime) -> float | None:
    """Retry-After as seconds: it comes as a number or as an HTTP date."""
    if not retry_after:
        return None
    try:
        seconds = float(retry_after) if retry_after.strip().isdigit() else _seconds_until(retry_after, now)
    except (ValueError, OverflowError):
        return None
    return min(max(seconds, 0.0), MAX_RETRY_AFTER)


def _seconds_until(http_date: str, now: datetime) -> float:
    parsed = parsedate_to_datetime(http_date)
    return ((parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC)) - now).total_seconds()


def _event_data(body: bytes) -> Iterator[bytes]:
    """Yields the data of each event. Events of several lines don't occur in JSON streams."""
    for line in body.splitlines():
        name, _, value = line.partition(b":")
        if name == b"data" and value.strip():
            yield value.strip()


def _parse(body: bytes) -> Any:
    return json.loads(body, parse_constant=_not_json)


def _not_json(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not JSON")
