"""A stored news item: one record, and a copy for each of its tags, to query by tag.

Only the record is in the indexes by sentiment and by status, and only the copies are in the index by tag, so that a
story with several tags appears once in every list.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, ClassVar, Self

from functions.record.models.tones import COPIED_SENTIMENT, NewsSentiment
from functions.runtime.dynamodb import tables
from functions.runtime.dynamodb.attributes import Item, Value, decode
from functions.runtime.dynamodb.entity import Entity

KEPT_SECONDS = 30 * 24 * 60 * 60
MAX_TAGS = 5
MAX_SNIPPET = 200


class SourceType(StrEnum):
    RSS = "rss"
    NEWSAPI = "newsapi"
    EDGAR = "edgar"
    MANUAL = "manual"
    DEMO = "demo"


MAX_ATTEMPTS = 3
GIVEN_UP = "given_up"
"""The stored status of a story whose analysis was given up. For readers it has no tone yet, like any pending one."""


class NewsStatus(StrEnum):
    PENDING = "pending"
    ANALYZED = "analyzed"


@dataclass(frozen=True, slots=True)
class NewsItem(Entity):
    """The record, or its copy under a tag."""

    enums: ClassVar = {"source_type": SourceType, "sentiment": NewsSentiment}
    numbers: ClassVar = ("score",)

    source_id: str
    """The type of its source, and the SHA-256 of its normalised URL: `rss#…`."""
    timestamp: str
    """The time of publication."""
    source_type: SourceType
    source_url: str
    """The original URL. Older items have the normalised one."""
    text_snippet: str
    matched_tags: tuple[str, ...]
    stored_at: str
    metadata: Mapping[str, str] = field(default_factory=dict)
    """Its title, author, source_name, and published_at as the source gave it."""
    sentiment: NewsSentiment | None = None
    """None until it has been analysed, like the next two."""
    score: float | None = None
    """The confidence of the sentiment, from 0 to 1."""
    model_version: str | None = None
    ttl_timestamp: int | None = None
    """Counted from the time it was stored, so that an old story isn't expired at once. Demo headlines have none."""
    tag: str | None = None
    """On a copy: the tag under which it is indexed."""
    attempts: int | None = None
    """On a record: how often its analysis began and neither ended nor failed because the provider was down."""
    problem: str | None = None
    """On a record: why its analysis was given up."""
    unread_tags: tuple[str, ...] = ()
    """On a record: tags added later that have not been analysed yet."""

    @property
    def status(self) -> NewsStatus:
        return NewsStatus.ANALYZED if self.sentiment else NewsStatus.PENDING

    @property
    def title(self) -> str:
        return self.metadata.get("title", "")

    @property
    def key(self) -> tuple[str, str]:
        """The primary key of its record."""
        return self.source_id, self.timestamp

    @property
    def digest(self) -> str:
        """The digest of its URL."""
        return self.source_id.partition("#")[2]

    @property
    def tags_to_read(self) -> tuple[str, ...]:
        """The tags that have not been analysed yet."""
        return self.unread_tags if self.sentiment else self.matched_tags

    def copies(self) -> "list[NewsItem]":
        return [replace(self, tag=tag) for tag in self.matched_tags]

    def with_tags(self, more: tuple[str, ...]) -> "NewsItem":
        """Returns the record with more tags."""
        return replace(self, matched_tags=(*self.matched_tags, *more), unread_tags=(*self.unread_tags, *more))

    def unread_copy(self, tag: str) -> "NewsItem":
        unread: dict[str, Any] = dict.fromkeys(("sentiment", "score", "model_version", "attempts", "problem"))
        return replace(self, tag=tag, unread_tags=(), **unread)

    def keys(self) -> dict[str, str]:
        key = tables.news_key(self.source_id, self.timestamp, self.tag)
        if self.tag:
            return {**key, "tag": self.tag}
        analysed = {"sentiment": self.sentiment.value} if self.sentiment else {}
        status = NewsStatus.PENDING if self.tags_to_read else NewsStatus.ANALYZED
        return {**key, "status": GIVEN_UP if self.problem else status.value, **analysed}

    def attributes(self) -> dict[str, Value]:
        values = Entity.attributes(self)
        sentiment = values.pop("sentiment")
        return {**values, COPIED_SENTIMENT: sentiment} if self.tag else values

    @classmethod
    def from_item(cls, item: Item) -> Self:
        values: dict[str, Any] = decode(item)
        if "tag" in values:
            values["timestamp"] = values["timestamp"].removesuffix(f"#{values['tag']}")
            values["sentiment"] = values.get(COPIED_SENTIMENT)
        known = cls.__dataclass_fields__
        return cls(**{name: value for name, value in values.items() if name in known})


@dataclass(frozen=True, slots=True)
class KnownUrl(Entity):
    """Marks a URL as stored. Expires with its news item."""

    digest: str
    source_id: str
    """The source id of the news item."""
    ttl_timestamp: int | None = None
    published_at: str = ""
    """Together with the source id, the key of the news item. Older markers lack it and the tags."""
    tags: tuple[str, ...] = ()
    """The tags of the news item."""

    def lacks(self, tags: Iterable[str]) -> bool:
        """True if the news item lacks one of the tags and can take another. Unknown, so False, for older markers."""
        return 0 < len(self.tags) < MAX_TAGS and not set(tags) <= set(self.tags)

    def keys(self) -> dict[str, str]:
        return tables.known_url_key(self.digest)

    def attributes(self) -> dict[str, Value]:
        return {
            "digest": self.digest,
            "stored_as": self.source_id,
            "ttl_timestamp": self.ttl_timestamp,
            "published_at": self.published_at or None,
            "tags": self.tags,
        }

    @classmethod
    def from_item(cls, item: Item) -> Self:
        values: dict[str, Any] = decode(item)
        return cls(
            values["digest"],
            values["stored_as"],
            values.get("ttl_timestamp"),
            values.get("published_at", ""),
            values.get("tags", ()),
        )


@dataclass(frozen=True, slots=True)
class Feed(Entity):
    """The state of a stock's feed from one source. Stored in the main table."""

    source: str
    ticker: str
    read_at: str
    """The time of the last attempt. Used for optimistic locking: a worker updates it before it reads the feed."""
    etag: str | None = None
    """Cache validator of the source for conditional requests, like the next field."""
    last_modified: str | None = None
    seen: str | None = None
    """Space-separated prefixes of the digests of the URLs it contained, to skip known stories without a write."""
    problem: str | None = None
    """Why it could not be read, for operators."""
    expires_at: int | None = None

    def keys(self) -> dict[str, str]:
        return tables.feed_key(self.source, self.ticker)
