"""Sends requests, and sends those again that may succeed later and do no harm twice."""

import random
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http import HTTPStatus
from urllib.parse import quote
from uuid import uuid4

import httpx

from stock_track_record_client.errors import Unreachable, error_of
from stock_track_record_client.version import VERSION

TRIES = 4
FIRST_WAIT = 0.5
LONGEST_WAIT = 60.0
"""An API that asks for a longer wait is not waited for: the error says for how long."""
RETRIED = (408, 429, 500, 502, 503, 504)
NEVER_SENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)
USER_AGENT = f"stock-track-record-client/{VERSION}"

Query = Mapping[str, str | int | float | bool | None]


class Sender:
    """One address and one token. Safe to share between threads."""

    def __init__(
        self, base_url: str, token: str | None, timeout: float, transport: httpx.BaseTransport | None = None
    ) -> None:
        self.address = _checked_address(base_url)
        self._headers = {"Authorization": f"Bearer {_checked_token(token)}"} if token is not None else {}
        # The token is for this address alone, so redirects are not followed.
        self._http = httpx.Client(
            timeout=timeout, transport=transport, headers={"User-Agent": USER_AGENT}, follow_redirects=False
        )

    def close(self) -> None:
        self._http.close()

    def send(
        self,
        method: str,
        path: str,
        *,
        query: Query | None = None,
        json: object = None,
        content: bytes | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> httpx.Response:
        """The response, if it is a success.

        Every method but POST may be repeated, and a POST carries a key by which the API knows a repeat.
        """
        key = {"Idempotency-Key": uuid4().hex} if method == "POST" else {}
        request = self._http.build_request(
            method,
            self.address + path,
            params={name: value for name, value in (query or {}).items() if value is not None},
            json=json,
            content=content,
            headers={**self._headers, **key, **(headers or {})},
        )
        return self._send_until_it_succeeds(request)

    @contextmanager
    def stream(self, url: str) -> Iterator[httpx.Response]:
        """The response to a GET before its body is read. The token is sent to this address alone."""
        place = self.address + url if url.startswith("/") else url
        own = place.startswith(f"{self.address}/")
        try:
            with self._http.stream("GET", place, headers=self._headers if own else {}) as response:
                if not response.is_success:
                    response.read()
                    raise error_of(response)
                yield response
        except httpx.RequestError as problem:
            raise self._unreachable(problem) from problem

    def _send_until_it_succeeds(self, request: httpx.Request) -> httpx.Response:
        # Whether an attempt without a success may have been carried out.
        in_doubt = False
        for attempt in range(1, TRIES + 1):
            wait = seconds_before_retry(attempt)
            try:
                response = self._http.send(request)
            except httpx.RequestError as problem:
                if attempt == TRIES or not isinstance(problem, httpx.TransportError):
                    raise self._unreachable(problem) from problem
                in_doubt |= not isinstance(problem, NEVER_SENT)
            else:
                if response.is_success or (in_doubt and _was_deleted(request, response)):
                    return response
                error = error_of(response)
                may_succeed = response.status_code in RETRIED or (in_doubt and _is_under_way(request, response))
                if attempt == TRIES or not may_succeed or (error.retry_after or 0.0) > LONGEST_WAIT:
                    raise error
                in_doubt |= response.is_server_error
                wait = max(wait, error.retry_after or 0.0)
            time.sleep(wait)
        raise AssertionError("the last attempt returns or raises")

    def _unreachable(self, problem: httpx.RequestError) -> Unreachable:
        return Unreachable(f"{self.address} cannot be reached: {str(problem) or type(problem).__name__}")


def seconds_before_retry(attempt: int) -> float:
    """Growing, and never quite the same, so that many clients do not come back at once."""
    return FIRST_WAIT * 2.0 ** (attempt - 1) * random.uniform(0.5, 1.0)


def path_of(*segments: str) -> str:
    """The path of a route, with every character of an id as part of that id."""
    if any(segment.strip(".") == "" for segment in segments):
        raise ValueError("An id or a ticker is missing")
    return "/api/" + "/".join(quote(segment, safe="") for segment in segments)


def _was_deleted(request: httpx.Request, response: httpx.Response) -> bool:
    """True if an earlier attempt may have deleted what no longer exists."""
    return request.method == "DELETE" and response.status_code == HTTPStatus.NOT_FOUND


def _is_under_way(request: httpx.Request, response: httpx.Response) -> bool:
    """True if an earlier attempt with the same key may still be running."""
    return request.method == "POST" and response.status_code == HTTPStatus.CONFLICT


def _checked_address(base_url: str) -> str:
    try:
        address = httpx.URL(base_url)
    except httpx.InvalidURL as problem:
        raise ValueError(f"Not an address: {problem}") from None
    extras = address.userinfo or address.query or address.fragment
    if address.scheme not in ("http", "https") or not address.host or extras:
        raise ValueError("Give the address of the API as http://… or https://…")
    return str(address).rstrip("/")


def _checked_token(token: str) -> str:
    """Without the line end of a file. What no header can hold is refused here, where it is not shown."""
    stripped = token.strip()
    if not stripped or not stripped.isascii() or not stripped.isprintable():
        raise ValueError("The token is empty, or holds characters that a header cannot carry")
    return stripped
