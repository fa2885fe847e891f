"""What is kept of a channel's score: the scorecard, its line on the leaderboard, and the list of its stocks."""

import json
import zlib
from base64 import b64decode, b64encode
from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass
from enum import StrEnum
from typing import Any, get_args, get_type_hints

from functions.runtime.dynamodb import tables
from functions.runtime.dynamodb.entity import Entity

MAX_PACKED_CHARACTERS = 350_000
"""An item may have 400 kB."""


@dataclass(frozen=True, slots=True)
class ScorecardItem(Entity):
    channel_id: str
    version: str
    content: str
    """The scorecard as packed JSON."""
    checked: str | None = None
    """The scorecard over the calls that a person has checked, likewise."""

    def keys(self) -> dict[str, str]:
        return tables.scorecard_key(self.channel_id)


@dataclass(frozen=True, slots=True)
class StandingItem(Entity):
    """Small, so that the leaderboard of a thousand channels takes one or two pages of a query."""

    channel_id: str
    version: str
    figures: str
    """A line of JSON for each horizon: its figures in the order of their names in the type `Standing`."""
    as_of: str | None = None
    """The newest session of the benchmark."""
    verdict: str | None = None
    """At the default horizon, when it was scored."""
    overdue: tuple[str, ...] = ()
    """Calls whose horizon had ended without the last close of their stock, which came later than the benchmark's."""

    def keys(self) -> dict[str, str]:
        return {
            **tables.standing_key(self.channel_id),
            "GSI1PK": tables.ALL_SCORECARDS,
            "GSI1SK": self.channel_id,
        }


@dataclass(frozen=True, slots=True)
class StocksListItem(Entity):
    channel_id: str
    version: str
    revision: int
    """The channel's, when the list was made."""
    content: str | None = None
    """The list as packed JSON; None where it is too large for an item."""

    def keys(self) -> dict[str, str]:
        return tables.stocks_list_key(self.channel_id)


@dataclass(frozen=True, slots=True)
class CallsItem(Entity):
    """Who was called when, without the words: a backtest reads it instead of the videos."""

    channel_id: str
    revision: int
    version: str | None = None
    content: str | None = None
    news: str | None = None
    """The headlines before each call when the channel was scored, so that a page of calls need not query them."""

    def keys(self) -> dict[str, str]:
        return tables.kept_calls_key(self.channel_id)


class ReviewOrder(StrEnum):
    """Of the queue: the least certain first, or those that weigh most in the score."""

    DOUBT = "doubt"
    INFLUENCE = "influence"


class ReviewReason(StrEnum):
    """Why a mention is in the queue."""

    POSSIBLE = "possible"
    DOUBTFUL = "doubtful"
    INFLUENTIAL = "influential"


@dataclass(frozen=True, slots=True)
class ReviewQueueItem(Entity):
    """Which mentions a person should look at first."""

    channel_id: str
    version: str
    content: str
    """A packed list for each order."""

    def keys(self) -> dict[str, str]:
        return tables.review_queue_key(self.channel_id)


@dataclass(frozen=True, slots=True)
class QueueRow:
    """A mention in the queue. It is shown as its video has it then."""

    rank: float
    """The smallest first."""
    video_id: str
    ticker: str
    excess_percent: float | None

    @property
    def place(self) -> tuple[float, str, str]:
        return self.rank, self.video_id, self.ticker


def layout_of(*kinds: type) -> str:
    """A short text that changes with the names of their fields and of those of the types in them: what was kept in
    another layout cannot be read."""
    names = (name for kind in kinds for name in _field_names(kind))
    return f"{zlib.crc32(' '.join(names).encode()):08x}"


def _field_names(kind: Any) -> Iterator[str]:
    if not (isinstance(kind, type) and is_dataclass(kind)):
        for part in get_args(kind):
            yield from _field_names(part)
        return
    types = get_type_hints(kind)
    for field in fields(kind):
        yield field.name
        yield from _field_names(types[field.name])


def pack(value: Any) -> str:
    """Compressed JSON as text: a quarter of the read units."""
    return b64encode(zlib.compress(json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode())).decode()


def unpack(text: str) -> Any:
    return json.loads(zlib.decompress(b64decode(text)))
