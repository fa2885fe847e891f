"""Validates incoming stories, from sources and from users."""

import re
import time
from datetime import UTC, datetime, timedelta
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field

from functions.news.models import KEPT_SECONDS, MAX_SNIPPET, MAX_TAGS, NewsItem, SourceType
from functions.news.plain_text import without_html
from functions.news.urls import normalised_url, url_digest
from functions.runtime.clock import now, timestamp
from functions.runtime.text import MAX_ADDRESS_LENGTH, one_line, web_address

OLDEST = datetime(1900, 1, 1, tzinfo=UTC)
"""Some feeds write the year 1 for an unknown time."""
MAX_TITLE = 300
MAX_NAME = 100
MAX_TEXT = 20_000
CLOCKS_DIFFER_BY = timedelta(minutes=10)
"""Maximum clock skew of a source ahead of ours."""
NO_ADDRESS = "Give the address of the story, such as https://example.com/story"
TICKER = r"^[A-Z0-9][A-Z0-9.-]{0,10}$"


class NotYet(ValueError):
    """The publication time is in the future."""


def _address(url: str) -> str:
    """Returns the URL unchanged: some sites find a story only under its complete URL."""
    try:
        normalised_url(url)
        site = urlsplit(url).netloc
    except ValueError:
        raise ValueError(NO_ADDRESS) from None
    # Text before an @ can pose as the host, and browsers read a backslash as a slash.
    if web_address(url) is None or "@" in site or "\\" in site:
        raise ValueError(NO_ADDRESS)
    return url


def _readable(text: str) -> str:
    line = one_line(without_html(text), MAX_TITLE)
    if not line:
        raise ValueError("Give a title that can be read")
    return line


def _name(text: str) -> str | None:
    return one_line(without_html(text), MAX_NAME) or None


def _require_timestamp(value: object) -> object:
    """Rejects numbers and dates, which pydantic would read as a Unix time and as midnight."""
    if isinstance(value, datetime):
        return value
    if not isinstance(value, str) or not re.match(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d", value, re.ASCII):
        raise ValueError("Must be an ISO 8601 timestamp, such as 2024-01-31T08:30:00Z")
    return value


def _past(published_at: datetime) -> datetime:
    """Returns the time in UTC, which is also the default zone."""
    try:
        published_at = published_at.astimezone(UTC) if published_at.tzinfo else published_at.replace(tzinfo=UTC)
    except OverflowError:
        raise ValueError("This timestamp is outside the calendar") from None
    if published_at < OLDEST:
        raise ValueError(f"This timestamp is before {OLDEST.year}")
    if published_at > datetime.now(UTC) + CLOCKS_DIFFER_BY:
        raise NotYet("This timestamp is in the future")
    return published_at


Tag = Annotated[str, BeforeValidator(lambda tag: tag.upper() if isinstance(tag, str) else tag), Field(pattern=TICKER)]
Name = Annotated[str, Field(max_length=MAX_TEXT), AfterValidator(_name)]


class IncomingNews(BaseModel):
    model_config = ConfigDict(frozen=True, defer_build=True)

    url: Annotated[str, Field(max_length=MAX_ADDRESS_LENGTH), AfterValidator(_address)] = Field(
        description="Kept as it is; without its tracking parameters it says whether the story is known",
        examples=["https://example.com/story"],
    )
    title: Annotated[str, Field(max_length=MAX_TEXT), AfterValidator(_readable)]
    published_at: Annotated[datetime, BeforeValidator(_require_timestamp), AfterValidator(_past)]
    source_name: Name | None = None
    author: Name | None = None
    text: str | None = Field(default=None, max_length=MAX_TEXT, description="The first 200 characters are kept")
    tags: list[Tag] = Field(min_length=1, max_length=MAX_TAGS, description="Tickers of the stocks that it is about")

    def to_item(self, source_type: SourceType) -> NewsItem:
        published = timestamp(self.published_at)
        details = {
            "title": self.title,
            "author": self.author,
            "source_name": self.source_name,
            "published_at": published,
        }
        return NewsItem(
            source_id=f"{source_type}#{url_digest(self.url)}",
            timestamp=published,
            source_type=source_type,
            source_url=self.url,
            text_snippet=one_line(without_html(self.text or ""), MAX_SNIPPET) or one_line(self.title, MAX_SNIPPET),
            matched_tags=tuple(dict.fromkeys(self.tags)),
            stored_at=now(),
            metadata={name: value for name, value in details.items() if value},
            # The demo's bundled stories don't expire.
            ttl_timestamp=None if source_type is SourceType.DEMO else int(time.time()) + KEPT_SECONDS,
        )
