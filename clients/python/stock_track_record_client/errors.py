"""The client's errors: responses that refuse a request, and failures to reach the API."""

import http.client
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from typing import Any

import httpx


class ClientError(Exception):
    """Every error of this client."""


class Unreachable(ClientError):
    """No response came, or one that is not of this API."""


class TimedOut(ClientError):
    """The wait exceeded the caller's timeout. The work itself continues."""

    def __init__(self, seconds: float, last: Mapping[str, Any]) -> None:
        super().__init__(seconds, last)
        self.seconds = seconds
        self.last = last
        """The last state read."""

    def __str__(self) -> str:
        return f"Not over after {self.seconds:g} seconds: its status is {self.last.get('status')}"


class ApiError(ClientError):
    """The API refused a request."""

    def __init__(self, status: int, body: Mapping[str, Any], headers: Mapping[str, str]) -> None:
        # All arguments, so that the error can be pickled.
        super().__init__(status, body, headers)
        self.status = status
        self.detail = _sentence(body) or http.client.responses.get(status, "Refused")
        self.location = headers.get("location")
        """The path of what stands in the way, such as that of a channel that exists already."""
        self.retry_after = seconds_to_wait(headers.get("retry-after"), datetime.now(UTC))

    def __str__(self) -> str:
        return f"{self.status}: {self.detail}"


class Unauthorized(ApiError):
    """401 and 403: without the token, or with another."""


class NotFound(ApiError):
    """404."""


class Conflict(ApiError):
    """409: something else has changed it, or is under way."""

    def __init__(self, status: int, body: Mapping[str, Any], headers: Mapping[str, str]) -> None:
        super().__init__(status, body, headers)
        present = body.get("present")
        self.present: dict[str, Any] | None = present if isinstance(present, dict) else None
        """The stored version, if the request named an outdated one."""


@dataclass(frozen=True, slots=True)
class InvalidField:
    """A part of a request that the API does not take."""

    place: tuple[str | int, ...]
    """Such as `("body", "tasks", 0, "url")`."""
    kind: str
    """Such as `missing` or `less_than_equal`."""
    message: str
    given: Any


class Invalid(ApiError):
    """422: the request is not of the shape that the API documents."""

    def __init__(self, status: int, body: Mapping[str, Any], headers: Mapping[str, str]) -> None:
        super().__init__(status, body, headers)
        self.fields = tuple(_fields(body))


TYPES: dict[int, type[ApiError]] = {
    HTTPStatus.UNAUTHORIZED: Unauthorized,
    HTTPStatus.FORBIDDEN: Unauthorized,
    HTTPStatus.NOT_FOUND: NotFound,
    HTTPStatus.CONFLICT: Conflict,
    HTTPStatus.UNPROCESSABLE_ENTITY: Invalid,
}


def error_of(response: httpx.Response) -> ApiError:
    headers = {name: response.headers[name] for name in ("location", "retry-after") if name in response.headers}
    return TYPES.get(response.status_code, ApiError)(response.status_code, _body(response), headers)


def seconds_to_wait(retry_after: str | None, now: datetime) -> float | None:
    """Retry-After as seconds: it comes as a number or as an HTTP date."""
    if not retry_after:
        return None
    try:
        if retry_after.strip().isdecimal():
            return float(retry_after)
        retry_at = parsedate_to_datetime(retry_after)
        return max(0.0, ((retry_at if retry_at.tzinfo else retry_at.replace(tzinfo=UTC)) - now).total_seconds())
    except (ValueError, OverflowError):
        return None


def _body(response: httpx.Response) -> dict[str, Any]:
    """Empty where it is no JSON object: what stands before the API has pages of its own."""
    try:
        body = response.json()
    except ValueError:
        return {}
    return body if isinstance(body, dict) else {}


def _sentence(body: Mapping[str, Any]) -> str:
    # API Gateway itself writes `message`.
    detail = body.get("detail", body.get("message"))
    if isinstance(detail, str):
        return detail
    return "; ".join(f"{'.'.join(map(str, field.place))}: {field.message}" for field in _fields(body))


def _fields(body: Mapping[str, Any]) -> list[InvalidField]:
    detail = body.get("detail")
    problems = [each for each in detail if isinstance(each, dict)] if isinstance(detail, list) else []
    return [
        InvalidField(tuple(each.get("loc") or ()), str(each.get("type")), str(each.get("msg")), each.get("input"))
        for each in problems
    ]
