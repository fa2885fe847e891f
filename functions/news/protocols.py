"""The interfaces of news sources and of what reads the tone of a headline."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from functions.news.models import SourceType

if TYPE_CHECKING:
    from functions.news.tone.tone import Tone


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
