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
"""The longest wait for a price source's rate limit: shorter than any function that sends requests may run."""


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
    """The date of publication, in New York."""
    published_time: datetime | None = None
    """The time of publication; None if only the date is known."""


@dataclass(frozen=True, slots=True)
class DailyClose:
    """A close as its source returned it; `checked_series` validates it."""

    day: date
    close: float
    """Split-adjusted, without dividends."""
    total_close: float
    """Adjusted for splits and dividends; equals the close if the source has no dividends."""


@dataclass(frozen=True, slots=True)
class History:
    """A source's data for a ticker over a period."""

    closes: tuple[DailyClose, ...]
    source: str
    splits: tuple[Split, ...] = ()
    currency: str | None = None


RISK_FREE_TICKER = "^IRX"
"""The annual rate of the 3-month US Treasury bill, in percent."""


@dataclass(frozen=True, slots=True)
class Benchmark:
    """The share or index that represents the market."""

    ticker: str
    name: str
    with_dividends: bool
    """True if its total closes include dividends."""


@dataclass(frozen=True, slots=True)
class Quote:
    price: float
    as_of: date


class Videos(Protocol):
    def resolve(self, identifier: str) -> ChannelInfo:
        """Returns the channel for `handle:x`, `channel_id:UC…`, `custom:x` or `user:x`; NotFound if none exists."""

    def published_since(self, youtube_channel_id: str, since: date) -> Iterator[VideoInfo]:
        """Returns its videos from that day on, newest first."""

    def newest(self, youtube_channel_id: str, since: date) -> tuple[ChannelInfo, Iterator[VideoInfo]]:
        """Returns the channel, and its videos from that day on, newest first, with as few requests as possible: a video
        listed out of order may be missing. Raises NotFound if there is no such channel."""


class Transcripts(Protocol):
    def read(self, youtube_video_id: str) -> Transcript:
        """Returns the timed transcript of a video; raises NotFound if it has none."""


class Prices(Protocol):
    def history(self, ticker: str, start: date, end: date) -> History:
        """Returns daily closes from start to end, both inclusive, and the splits between them. Raises NotFound for an
        unknown ticker; empty if it was not traded. A session that has not ended has no close."""

    def quote(self, ticker: str) -> Quote:
        """Returns the latest price; raises NotFound for a ticker without one."""

    def today(self) -> date:
        """Returns the last day this source has prices for. The demo's history ends in the past."""
