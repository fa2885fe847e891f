"""JSON over HTTPS for every live provider: one connection pool, limits, and failures as ProviderErrors."""

import json
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import cache
from typing import Any, NoReturn, Protocol
from urllib.parse import urlencode

import urllib3
from urllib3.exceptions import HTTPError
from urllib3.exceptions import TimeoutError as TimedOut

from functions.runtime.provider_errors import (
    Blocked,
    Nonsense,
    NotFound,
    ProviderError,
    Refused,
    Throttled,
    Unavailable,
)

MAX_RETRY_AFTER = 300.0
CHUNK = 65_536

Explain = Callable[[int, Any], ProviderError | None]
"""Turns a status and a body into an error. The body is parsed JSON, or text if it is not JSON. If this returns None or
raises, the status alone decides."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Time and size limits of a response."""

    connect_seconds: float = 5.0
    read_seconds: float = 15.0
    """Between two packets."""
    total_seconds: float = 60.0
    """For the whole response, so that a slow one does not block a worker."""
    bytes: int = 10_000_000


class Pace(Protocol):
    """Decides when requests may be sent."""

    def wait(self) -> None:
        """Blocks until the next request may be sent; raises a ProviderError if that takes too long."""

    def slow_down(self, problem: ProviderError) -> None:
        """Reacts to a refusal by the service."""


@dataclass(frozen=True, slots=True)
class _Response:
    status: int
    retry_after: str | None
    body: bytes


class JsonClient:
    """A client of one service. Keys go in headers, never in the URL, so they never appear in errors or logs."""

    def __init__(
        self,
        service: str,
        *,
        headers: Mapping[str, str] | None = None,
        limits: Limits | None = None,
        rate: Pace | None = None,
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

    def _json(self, method: str, url: str, headers: Mapping[str, str], body: str | None) -> Any:
        if self._rate:
            self._rate.wait()
        response = self._send(method, url, {**self._headers, **headers}, body)
        try:
            return self._read(response)
        except ProviderError as problem:
            if self._rate:
                self._rate.slow_down(problem)
            raise

    def _read(self, response: _Response) -> Any:
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

    def _send(self, method: str, url: str, headers: Mapping[str, str], body: str | None) -> _Response:
        # Raised outside the except block: a chained error would leak the URL or a header.
        error: ProviderError
        try:
            return self._exchange(method, url, headers, body)
        except TimedOut:
            error = Unavailable(f"{self._service} did not respond in time.")
        except HTTPError:
            error = Unavailable(f"The connection to {self._service} could not be made or broke off.")
        except ValueError:
            error = Refused(f"The key or address for {self._service} has characters that cannot be sent.")
        raise error

    def _exchange(self, method: str, url: str, headers: Mapping[str, str], body: str | None) -> _Response:
        deadline = time.monotonic() + self._limits.total_seconds
        response = _pool().request(
            method,
            url,
            headers=headers,
            body=body,
            timeout=urllib3.Timeout(connect=self._limits.connect_seconds, read=self._limits.read_seconds),
            retries=False,
            # A redirect would send the key to another host.
            redirect=False,
            preload_content=False,
        )
        try:
            return _Response(response.status, response.headers.get("Retry-After"), self._body(response, deadline))
        finally:
            response.close()

    def _body(self, response: urllib3.BaseHTTPResponse, deadline: float) -> bytes:
        received = bytearray()
        # read1 returns what has arrived; read would block for a full chunk, past the deadline.
        while chunk := response.read1(CHUNK):
            received += chunk
            if len(received) > self._limits.bytes:
                raise Unavailable(f"{self._service} sent a response of more than {self._limits.bytes:,} bytes.")
            if time.monotonic() > deadline:
                raise Unavailable(f"{self._service} did not respond in time.")
        return bytes(received)

    def _explained(self, status: int, body: Any) -> ProviderError | None:
        try:
            return self._explain(status, body)
        except (ValueError, LookupError, TypeError, AttributeError):
            return None

    def _by_status(self, response: _Response) -> ProviderError:
        service, status = self._service, response.status
        if status == 429:
            return Throttled(f"{service} asks us to slow down.", seconds_to_wait(response.retry_after, self._now()))
        if status >= 500:
            wait = seconds_to_wait(response.retry_after, self._now())
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
        # OSError: a time zone's name can be that of a folder, and a timestamp can be too large for the system.
        raise Nonsense(f"{service} sent a response in an undocumented format.") from None


def number_in(value: object) -> float:
    """Reads a number from a response. Python's own conversion would also accept `true` and `"12"`."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError(f"not a number: {type(value).__name__}")
    return float(value)


def seconds_to_wait(retry_after: str | None, now: datetime) -> float | None:
    """Parses Retry-After, a number or an HTTP date, into seconds."""
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


def _parse(body: bytes) -> Any:
    return json.loads(body, parse_constant=_not_json)


def _not_json(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not JSON")


@cache
def _pool() -> urllib3.PoolManager:
    return urllib3.PoolManager(maxsize=10)
