"""The stored score of a channel: the scorecard, its leaderboard row, and the list of its stocks."""

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
"""DynamoDB limits an item to 400 kB."""


@dataclass(frozen=True, slots=True)
class ScorecardItem(Entity):
    channel_id: str
    version: str
    content: str
    """The scorecard as packed JSON."""
    checked: str | None = None
    """The scorecard over calls checked by a person, packed the same way."""

    def keys(self) -> dict[str, str]:
        return tables.scorecard_key(self.channel_id)


@dataclass(frozen=True, slots=True)
class StandingItem(Entity):
    """A channel's leaderboard row, kept small so the board of a thousand channels takes one or two query pages."""

    channel_id: str
    version: str
    figures: str
    """One line of JSON per horizon: its figures in the order of the fields of `Standing`."""
    as_of: str | None = None
    """The benchmark's newest session."""
    verdict: str | None = None
    """At the default horizon, when the channel was scored."""
    overdue: tuple[str, ...] = ()
    """Calls whose horizon had ended while their stock's last close, later than the benchmark's, was still missing."""

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
    """The channel's revision when the list was built."""
    content: str | None = None
    """The list as packed JSON; None if it is too large for an item."""

    def keys(self) -> dict[str, str]:
        return tables.stocks_list_key(self.channel_id)


@dataclass(frozen=True, slots=True)
class CallsItem(Entity):
    """The calls of a channel without their quotes, which a backtest reads instead of the videos."""

    channel_id: str
    revision: int
    version: str | None = None
    content: str | None = None
    news: str | None = None
    """The headlines before each call when the channel was scored, so that a page of calls need not query them."""
    reviewed: str | None = None
    """The reviewed mentions when the channel was scored, with the version of their review and the side they had."""

    def keys(self) -> dict[str, str]:
        return tables.kept_calls_key(self.channel_id)


class ReviewOrder(StrEnum):
    """The order of the queue: least certain first, or the calls drawn at random."""

    DOUBT = "doubt"
    INFLUENCE = "influence"
    """The same as `doubt`: an order by outcome would tell the outcome."""
    SAMPLE = "sample"


class ReviewReason(StrEnum):
    """Why a mention is in the queue."""

    POSSIBLE = "possible"
    DOUBTFUL = "doubtful"
    INFLUENTIAL = "influential"
    """No longer given."""
    SAMPLED = "sampled"


@dataclass(frozen=True, slots=True)
class ReviewQueueItem(Entity):
    """The mentions that a person should review first."""

    channel_id: str
    version: str
    content: str
    """A packed list per order."""

    def keys(self) -> dict[str, str]:
        return tables.review_queue_key(self.channel_id)


@dataclass(frozen=True, slots=True)
class ReviewSampleItem(Entity):
    """The calls drawn at random for review. Unlike the other items here it is not derived: what was drawn stays."""

    channel_id: str
    calls: tuple[str, ...] = ()
    """Each call's video and ticker with a space between, in the order in which they are answered."""

    @property
    def places(self) -> list[tuple[str, str]]:
        """The video and the ticker of each call."""
        return [(video_id, ticker) for video_id, _, ticker in (each.partition(" ") for each in self.calls)]

    def keys(self) -> dict[str, str]:
        return tables.review_sample_key(self.channel_id)


@dataclass(frozen=True, slots=True)
class QueueRow:
    """A mention in the queue; its details are read from the video when it is shown."""

    rank: float
    """Sorts ascending."""
    video_id: str
    ticker: str

    @property
    def place(self) -> tuple[float, str, str]:
        return self.rank, self.video_id, self.ticker


def layout_of(*kinds: type) -> str:
    """Returns a short hash of all field names, nested types included. Data stored under a different hash can't be
    read."""
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
    """Returns compressed JSON as text, which costs a quarter of the read units."""
    return b64encode(zlib.compress(json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode())).decode()


def unpack(text: str) -> Any:
    return json.loads(zlib.decompress(b64decode(text)))
