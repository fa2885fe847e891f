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


def seconds_after(moment: str, seconds: float) -> str:
    return timestamp(datetime.fromisoformat(moment) + timedelta(seconds=seconds))


def timestamp(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").removesuffix("+00:00") + "Z"


def from_milliseconds(milliseconds: int) -> str:
    return timestamp(datetime.fromtimestamp(milliseconds // 1000, UTC) + timedelta(milliseconds=milliseconds % 1000))


def to_milliseconds(moment: str) -> int:
    return round(datetime.fromisoformat(moment).timestamp() * 1000)
