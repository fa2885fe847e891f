"""The interfaces to external services: small Protocols, the values they return and the errors they raise."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime
from typing import Protocol

from functions.reading.transcripts import Transcript
from functions.record.models.series import Split

DEMO_SOURCE = "demo"
"""The source of the demo's closes and transcripts."""
MAX_WAIT_SECONDS = 20.0
"""The longest wait for a turn at a price source: shorter than any function that sends requests may run."""


@dataclass(frozen=True, slots=True)
class ChannelInfo:
    youtube_channel_id: str
    """YouTube's own id, `UC…`."""
    title: str
    thumbnail_url: str | None


@dataclass(frozen=True, slots=True)
class VideoInfo:
    youtube_video_id: str
    title: str
    published_at: date
    """The day of publication, in New York."""
    published_time: datetime | None = None
    """The moment of publication; None where only the day is known."""


@dataclass(frozen=True, slots=True)
class DailyClose:
    """A close as its source gave it; `checked_series` decides whether it can be right."""

    day: date
    close: float
    """In today's shares, without dividends."""
    total_close: float
    """Adjusted for splits and dividends; the close itself where the source knows no dividends."""


@dataclass(frozen=True, slots=True)
class History:
    """What a source says of a ticker over a period."""

    closes: tuple[DailyClose, ...]
    source: str
    splits: tuple[Split, ...] = ()
    currency: str | None = None


@dataclass(frozen=True, slots=True)
class Benchmark:
    """The share or index that stands for the market."""

    ticker: str
    name: str
    with_dividends: bool
    """Whether its total closes include dividends."""


@dataclass(frozen=True, slots=True)
class Quote:
    price: float
    as_of: date


class Videos(Protocol):
    def resolve(self, identifier: str) -> ChannelInfo:
        """The channel behind `handle:x`, `channel_id:UC…`, `custom:x` or `user:x`; NotFound when there is none."""

    def published_since(self, youtube_channel_id: str, since: date) -> Iterator[VideoInfo]:
        """Its videos from that day on, newest first."""

    def newest(self, youtube_channel_id: str, since: date) -> tuple[ChannelInfo, Iterator[VideoInfo]]:
        """The channel, and its videos from that day on, newest first, with as few requests as can be: a video that its
        source lists out of order may be missing. NotFound when there is no such channel."""


class Transcripts(Protocol):
    def read(self, youtube_video_id: str) -> Transcript:
        """What is said in a video, and when; NotFound when it has no transcript."""


class Prices(Protocol):
    def history(self, ticker: str, start: date, end: date) -> History:
        """Daily closes from start to end, both included, and the splits between them. NotFound for an unknown ticker;
        no closes where it was not traded. A session that has not ended has no close."""

    def quote(self, ticker: str) -> Quote:
        """The newest price; NotFound for a ticker without one."""

    def today(self) -> date:
        """The last day this source has prices for. The demo's history ends in the past."""
