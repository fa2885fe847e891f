"""Timestamps as text: ISO 8601 in UTC with milliseconds, so that they sort chronologically."""

from datetime import UTC, datetime, timedelta
from typing import Annotated

from functions.runtime.json_schema import JsonSchema

Timestamp = Annotated[str, JsonSchema(format="date-time")]
Day = Annotated[str, JsonSchema(format="date")]


def now() -> str:
    return timestamp(datetime.now(UTC))


def seconds_from_now(seconds: float) -> str:
    return timestamp(datetime.now(UTC) + timedelta(seconds=seconds))


def seconds_after(start: str, seconds: float) -> str:
    return timestamp(datetime.fromisoformat(start) + timedelta(seconds=seconds))


def timestamp(time: datetime) -> str:
    return time.astimezone(UTC).isoformat(timespec="milliseconds").removesuffix("+00:00") + "Z"


def from_milliseconds(milliseconds: int) -> str:
    return timestamp(datetime.fromtimestamp(milliseconds // 1000, UTC) + timedelta(milliseconds=milliseconds % 1000))


def to_milliseconds(text: str) -> int:
    return round(datetime.fromisoformat(text).timestamp() * 1000)
