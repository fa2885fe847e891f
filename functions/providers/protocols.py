"""What the product asks of the outside world: four small Protocols, what they hand over, and how they fail."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import Protocol

from functions.core.errors import StockTrackRecordError
from functions.core.models import Sentiment


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


@dataclass(frozen=True, slots=True)
class Call:
    """What one transcript says of one stock. Each ticker comes once, with the speaker's main stance."""

    ticker: str
    """Under which the company is listed today, or was when it left the exchanges."""
    sentiment: Sentiment
    confidence: float
    """From 0 to 1; that of the possible sentiment where there is one."""
    context: str
    """The words it rests on, verbatim from the transcript, at most 200 characters."""
    possible_sentiment: Sentiment | None = None
    """Of a mere mention: the side it may take, likely but not clear. For a person to look at, never for the score."""


@dataclass(frozen=True, slots=True)
class Close:
    day: date
    price: float


@dataclass(frozen=True, slots=True)
class Quote:
    price: float
    as_of: date


class Videos(Protocol):
    def resolve(self, identifier: str) -> ChannelInfo:
        """The channel behind `handle:x`, `channel_id:UC…`, `custom:x` or `user:x`; NotFound when there is none."""

    def published_since(self, youtube_channel_id: str, since: date) -> Iterator[VideoInfo]:
        """Its videos from that day on, newest first."""


class Transcripts(Protocol):
    def read(self, youtube_video_id: str) -> str:
        """What is said in a video; NotFound when it has no transcript."""


class Analyst(Protocol):
    def calls(self, transcript: str, day: date | None = None) -> list[Call]:
        """The stocks a transcript speaks of, each once. On the day of its video a ticker may have meant another."""


class Prices(Protocol):
    def closes(self, ticker: str, start: date, end: date) -> list[Close]:
        """Daily closes from start to end, both included, oldest first; empty when there are none."""

    def quote(self, ticker: str) -> Quote:
        """The newest price; NotFound for a ticker without one."""

    def today(self) -> date:
        """The last day this source can know of. The demo's history ends in the past."""


class ProviderError(StockTrackRecordError):
    """A provider could not answer. The message is a sentence for people, and never holds a key."""


class NotFound(ProviderError):
    """There is no such channel, transcript or price. Asking again will not help."""


class Refused(ProviderError):
    """A wrong key, an exhausted quota, a blocked address: someone has to act before asking again helps."""


class MissingSetting(Refused):
    def __init__(self, name: str, purpose: str) -> None:
        super().__init__(f"{name} is not set. It is needed to {purpose}.")
        self.name = name


class Unavailable(ProviderError):
    """A passing fault: time-outs, throttling, server errors, answers that cannot be read."""

    def __init__(self, message: str, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after
