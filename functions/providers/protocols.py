"""The interfaces to external services: small Protocols, the values they return and the errors they raise."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime
from typing import TYPE_CHECKING, Protocol

from functions.core.errors import StockTrackRecordError
from functions.core.models import Sentiment
from functions.core.news_items import SourceType
from functions.core.series import PriceProblem, Split
from functions.core.transcripts import Transcript

if TYPE_CHECKING:
    from functions.providers.headlines.tone import Tone

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
class Call:
    """What one transcript says of one stock. Each ticker comes once, with the speaker's main stance."""

    ticker: str
    """The company's ticker today, or its last one if it was delisted."""
    sentiment: Sentiment
    confidence: float
    """From 0 to 1; that of the possible sentiment where there is one."""
    context: str
    """The words it rests on, verbatim from the transcript, at most 200 characters."""
    possible_sentiment: Sentiment | None = None
    """For a mention without a clear side: the side it probably takes. Shown to people, never scored."""
    position: int | None = None
    """Where in the transcript its context begins."""


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


@dataclass(frozen=True, slots=True)
class Headline:
    """A story as its source tells of it. Nothing of it has been checked."""

    url: str
    title: str
    published_at: str | None
    """As ISO 8601; None where the source gives no moment that can be read."""
    tags: tuple[str, ...]
    """First the stock that it is mostly about, as far as is known, then others that the source names."""
    text: str | None = None
    source_name: str | None = None
    author: str | None = None


@dataclass(frozen=True, slots=True)
class Validators:
    """What a source gave with a feed, to be asked again whether it has changed."""

    etag: str | None = None
    last_modified: str | None = None


@dataclass(frozen=True, slots=True)
class FeedReading:
    headlines: tuple[Headline, ...] = ()
    validators: Validators = Validators()
    is_unchanged: bool = False
    problem: str | None = None
    """Why the feed could be read only in part."""


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


class Analyst(Protocol):
    @property
    def name(self) -> str:
        """Which rules or which model it reads with: another name may mean other results."""

    def calls(self, transcript: str, day: date | None = None) -> list[Call]:
        """The stocks a transcript mentions, each once. Tickers are read as on `day`, since some changed owner later."""


class Prices(Protocol):
    def history(self, ticker: str, start: date, end: date) -> History:
        """Daily closes from start to end, both included, and the splits between them. NotFound for an unknown ticker;
        no closes where it was not traded. A session that has not ended has no close."""

    def quote(self, ticker: str) -> Quote:
        """The newest price; NotFound for a ticker without one."""

    def today(self) -> date:
        """The last day this source has prices for. The demo's history ends in the past."""


class NewsSource(Protocol):
    source_type: SourceType
    feeds_at_once: int
    """How many feeds may be read at a tick of the clock."""
    seconds_between: int
    """The least time between two ticks at which it is asked, by all processes together; 0 for any tick."""

    def headlines(self, ticker: str, known: Validators) -> FeedReading:
        """The newest headlines of a stock; ProviderErrors, of which Throttled and Refused mean the whole source."""


class NewsAnalyst(Protocol):
    @property
    def version(self) -> str:
        """Of its rules, or the name of its model."""

    def read(self, headline: str, tag: str) -> "Tone":
        """Its tone for this stock: what is good news for one may be bad for another."""


class ProviderError(StockTrackRecordError):
    """A provider failed. The message is shown to users and never contains a key."""

    problem = PriceProblem.UNAVAILABLE
    """What it means for a price."""


class NotFound(ProviderError):
    """There is no such channel, transcript or price. A retry will not help."""

    problem = PriceProblem.UNKNOWN_TICKER


class Delisted(NotFound):
    """The share has left the exchanges."""

    problem = PriceProblem.DELISTED


class NoTrading(NotFound):
    """The ticker is known, and has no close in the period."""

    problem = PriceProblem.NO_TRADING


class Refused(ProviderError):
    """A wrong key, an exhausted quota, a blocked address: someone has to act before a retry can help."""


class Blocked(Refused):
    """The service refuses all requests with our key, or from our address."""

    problem = PriceProblem.BLOCKED


class QuotaUsedUp(Refused):
    """No more requests for now; the service's plan says when it renews."""

    problem = PriceProblem.QUOTA_USED_UP


class MissingSetting(Refused):
    def __init__(self, name: str, purpose: str) -> None:
        super().__init__(f"{name} is not set. It is needed to {purpose}.")
        self.name = name


class Unavailable(ProviderError):
    """A transient error: a timeout, throttling, a server error, a response that cannot be parsed."""

    def __init__(self, message: str, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class Throttled(Unavailable):
    """The service asks to slow down."""

    problem = PriceProblem.BLOCKED


class Nonsense(Unavailable):
    """A response that cannot be read, or that cannot be right."""

    problem = PriceProblem.NONSENSE
