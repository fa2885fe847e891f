"""Moments as text: ISO 8601 in UTC with milliseconds, so that they sort as they happened."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any


@dataclass(frozen=True)
class _Format:
    """The format of a text in a JSON schema. pydantic calls the method; the pipeline does not load pydantic for it."""

    name: str

    def __get_pydantic_json_schema__(self, schema: Any, handler: Callable[[Any], dict[str, Any]]) -> dict[str, Any]:
        return {**handler(schema), "format": self.name}


Timestamp = Annotated[str, _Format("date-time")]
Day = Annotated[str, _Format("date")]


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
