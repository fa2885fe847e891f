"""Requests and responses of the news routes."""

from datetime import datetime
from typing import Annotated

from aws_lambda_powertools.event_handler.openapi.exceptions import RequestValidationError
from aws_lambda_powertools.event_handler.openapi.params import Query
from pydantic import AfterValidator, Field

from functions.news import models as news_items
from functions.news.models import NewsStatus, SourceType
from functions.record.api.schemas import NextPage, QueryTime, Schema
from functions.record.models.tones import NewsSentiment
from functions.runtime.clock import Day, Timestamp, timestamp

OfTag = Annotated[
    str | None,
    AfterValidator(lambda tag: tag and tag.upper()),
    Query(min_length=1, max_length=16, description="Only news of this stock"),
]
RequiredTag = Annotated[
    str, AfterValidator(str.upper), Query(min_length=1, max_length=16, description="A ticker, in any case")
]
OfTone = Annotated[NewsSentiment | None, Query(description="Only news of this tone")]
NewsSince = Annotated[QueryTime, Query(description="Only news published at or after this timestamp")]
NewsBefore = Annotated[QueryTime, Query(description="Only news published before this timestamp")]


class NewsMetadata(Schema):
    title: str | None
    author: str | None
    published_at: Timestamp | None
    source_name: str | None


class News(Schema):
    source_id: str
    timestamp: Timestamp = Field(description="When it was published")
    source_type: SourceType
    source_url: str
    title: str
    text_snippet: str
    tags: list[str] = Field(description="The stocks that it is about")
    sentiment: NewsSentiment | None = Field(description="Its tone; null until it has been analysed")
    score: float | None = Field(description="How sure that is, from 0 to 1")
    model_version: str | None
    status: NewsStatus
    metadata: NewsMetadata

    @classmethod
    def of(cls, item: news_items.NewsItem) -> "News":
        metadata = {name: item.metadata.get(name) for name in NewsMetadata.model_fields}
        derived = {"tags": list(item.matched_tags), "metadata": metadata}
        own = {name: getattr(item, name) for name in cls.model_fields if name not in derived}
        return cls.model_validate({**own, **derived})


class NewsPage(NextPage):
    items: list[News]


class DayOfNews(Schema):
    date: Day = Field(description="In New York")
    positive: int
    neutral: int
    negative: int
    pending: int = Field(description="Not analysed yet")


class NewsSummary(Schema):
    tag: str
    days: list[DayOfNews] = Field(description="The days with news, oldest first")


def check_period(since: datetime | None, before: datetime | None) -> None:
    """Compares to the millisecond, the precision of stored timestamps."""
    if since and before and timestamp(before) <= timestamp(since):
        sentence = "Must be later than since"
        error = {"type": "value_error", "loc": ("query", "before"), "msg": sentence, "input": before.isoformat()}
        raise RequestValidationError([error])


def check_filters(tag: str | None, sentiment: NewsSentiment | None) -> None:
    """Requires exactly one filter: each has an index, but there is none for both or neither."""
    if (tag is None) == (sentiment is None):
        sentence = "Give either a tag or a sentiment" if tag is None else "Give a tag or a sentiment, not both"
        error = {"type": "value_error", "loc": ("query", "tag"), "msg": sentence, "input": tag}
        raise RequestValidationError([error])
