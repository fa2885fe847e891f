"""The interfaces of news sources and of tone analysts."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from functions.news.models import SourceType

if TYPE_CHECKING:
    from functions.news.tone.tone import Tone


@dataclass(frozen=True, slots=True)
class Headline:
    """A story as its source reported it, not validated."""

    url: str
    title: str
    published_at: str | None
    """An ISO 8601 timestamp; None if the source gives none that can be parsed."""
    tags: tuple[str, ...]
    """The main stock first, as far as known, then others that the source names."""
    text: str | None = None
    source_name: str | None = None
    author: str | None = None


@dataclass(frozen=True, slots=True)
class Validators:
    """Cache validators of a feed for conditional requests."""

    etag: str | None = None
    last_modified: str | None = None


@dataclass(frozen=True, slots=True)
class FeedReading:
    headlines: tuple[Headline, ...] = ()
    validators: Validators = Validators()
    is_unchanged: bool = False
    problem: str | None = None
    """The reason why only part of the feed could be read."""


class NewsSource(Protocol):
    source_type: SourceType
    feeds_at_once: int
    """Maximum feeds to read per scheduled run."""
    seconds_between: int
    """Minimum time between two requests of all processes together; 0 for every tick."""

    def headlines(self, ticker: str, known: Validators) -> FeedReading:
        """Returns the newest headlines of a stock. Throttled and Refused, if raised, affect the whole source."""


class NewsAnalyst(Protocol):
    @property
    def version(self) -> str:
        """The version of its rules, or the name of its model."""

    def read(self, headline: str, tag: str) -> "Tone":
        """Returns the tone for this stock: good news for one may be bad for another."""
