"""Requests and responses as the contract defines them. The API documentation is generated from these."""

import re
from collections.abc import Callable
from datetime import UTC, date, datetime
from typing import Annotated, Literal

from aws_lambda_powertools.event_handler.openapi.exceptions import RequestValidationError
from aws_lambda_powertools.event_handler.openapi.params import Path, Query
from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, StrictInt, field_validator

from functions.reading.policy import Reason
from functions.reading.terms import Sentiment
from functions.record.channels.youtube_urls import parse_channel_url
from functions.record.models import records as models
from functions.record.models.records import (
    AnalysisStatus,
    ChannelStatus,
    CheckEvery,
    LogLevel,
    ReviewOutcome,
    TranscriptStatus,
)
from functions.record.models.series import PriceProblem
from functions.record.models.statement import Statement
from functions.record.stocks.figures import ChannelStock, Coverage, Summary
from functions.runtime.clock import Day, Timestamp, timestamp

MAX_URL_LENGTH = 2048

Shown = Callable[[str | None, str | None], str | None]
"""Makes of a person's id and display name what the caller may see."""


def _refuse_numbers(value: object) -> object:
    """pydantic would read a number, also one with an exponent, as seconds since 1970."""
    if isinstance(value, str) and _is_number(value):
        raise ValueError("Must be an ISO 8601 timestamp, such as 2024-01-31T08:30:00Z")
    return value


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _in_utc(value: datetime) -> datetime:
    """A time without a zone is taken as UTC."""
    try:
        return value.astimezone(UTC) if value.tzinfo else value.replace(tzinfo=UTC)
    except OverflowError:
        raise ValueError("This timestamp is outside the calendar") from None


def _day(value: object) -> date:
    if not isinstance(value, str) or not re.fullmatch(r"\d{4}-\d\d-\d\d", value, re.ASCII):
        raise ValueError("Give a day as YYYY-MM-DD")
    return date.fromisoformat(value)


ChannelId = Annotated[str, Path(description="The channel's id")]
VideoId = Annotated[str, Path(description="The video's id")]
VideoStatus = Annotated[
    Literal["pending", "fetched", "unavailable", "failed", "missing", "removed"] | None,
    Query(
        description="Only videos whose transcript has this status; `missing` are those unavailable or failed, "
        "`removed` those that are gone from YouTube"
    ),
]
Ticker = Annotated[str, AfterValidator(str.upper), Path(description="A ticker, in any case")]
Limit = Annotated[int | None, Query(ge=1, le=100, description="Requests a page of this many items")]
NextToken = Annotated[str | None, Query(alias="nextToken", description="The cursor from the previous page")]
Before = Annotated[
    date | None,
    Query(description="Only videos published before this day, YYYY-MM-DD"),
    BeforeValidator(lambda value: None if value is None else _day(value)),
]
OfTicker = Annotated[
    str | None, AfterValidator(lambda value: value and value.upper()), Query(description="Only mentions of this stock")
]
OfSentiment = Annotated[Sentiment | None, Query(description="Only mentions of this kind")]
Strong = Annotated[bool, Query(description="Reads consistently")]
QueryTime = Annotated[
    datetime | None,
    BeforeValidator(_refuse_numbers),
    AfterValidator(lambda value: value and _in_utc(value)),
]
Since = Annotated[QueryTime, Query(description="Only lines from this timestamp on, inclusive")]
StartDay = Annotated[date, Query(description="The first day, YYYY-MM-DD"), BeforeValidator(_day)]
EndDay = Annotated[date, Query(description="The last day, YYYY-MM-DD"), BeforeValidator(_day)]
SearchText = Annotated[
    str,
    Query(
        max_length=100, pattern=r"\S", description="Part of a channel's name, a ticker, or a word of a company's name"
    ),
]
MAX_VERSION = 1_000_000_000


def _whole(value: object) -> object:
    """Accepts 1.0 as 1, since JSON does not distinguish them."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


Version = Annotated[
    StrictInt,
    Field(ge=0, le=MAX_VERSION, description="The version that was read, 0 if there is none yet"),
    BeforeValidator(_whole),
]
DEFAULT_LIMIT = 20
MAX_PERIOD_YEARS = 10


class Schema(BaseModel):
    model_config = ConfigDict(from_attributes=True, defer_build=True)


class NewChannel(Schema):
    url: str = Field(
        max_length=MAX_URL_LENGTH,
        description="The URL of a channel on youtube.com: /@handle, /channel/…, /c/… or /user/…",
        examples=["https://www.youtube.com/@DemoValueInvestor"],
        json_schema_extra={"format": "youtube-channel-url"},
    )
    time_range_months: int = Field(default=12, ge=1, le=36)

    @field_validator("url")
    @classmethod
    def names_a_channel(cls, url: str) -> str:
        parse_channel_url(url)
        return url


class ProcessRequest(Schema):
    reread: bool = Field(
        default=False,
        strict=True,
        description="Rereads stored transcripts with the current analyst, instead of looking for new videos",
    )


class Channel(Schema):
    id: str
    youtube_channel_id: str
    name: str
    url: str
    thumbnail_url: str | None
    status: ChannelStatus
    video_count: int
    processed_video_count: int
    time_range_months: int
    check_every: Annotated[CheckEvery, BeforeValidator(lambda value: value or CheckEvery.OFF)] = Field(
        description="How often it is checked for new videos"
    )
    next_check_at: Timestamp | None = Field(description="null if it is not checked")
    failed_runs: int = Field(description="Failed runs since the last success")
    is_slowed: bool = Field(description="True if it is checked less often because its runs keep failing")
    created_at: Timestamp
    updated_at: Timestamp


class Video(Schema):
    id: str
    channel_id: str
    youtube_video_id: str
    title: str
    url: str
    published_at: Day = Field(description="The date of publication, in New York")
    published_time: Timestamp | None = Field(description="The time of publication; null if only the date is known")
    transcript_status: TranscriptStatus
    analysis_status: AnalysisStatus
    removed_at: Timestamp | None = Field(
        description="When it was first found gone from YouTube; it stays in the record"
    )
    created_at: Timestamp


class ChannelVideo(Video):
    problem: str | None = Field(description="Why it could not be read")
    transcript_kept: bool = Field(description="True if its transcript is stored and can be reread")
    analyst: str | None = Field(description="The name and version of the analyst that read it")
    tokens_in: int | None = Field(description="Tokens that its latest reading sent to a model; null if none read it")
    tokens_out: int | None = Field(description="Tokens that the model returned")
    mentions: int = Field(description="How many stocks it mentions")
    calls: int = Field(description="How many of them it calls a buy or a sell")

    @classmethod
    def of(cls, video: models.Video) -> "ChannelVideo":
        counts = {
            "transcript_kept": bool(video.transcript_kept),
            "mentions": sum(mention.counts for mention in video.calls),
            "calls": sum(mention.side != 0 for mention in video.calls),
        }
        return cls.model_validate(
            {name: getattr(video, name) for name in cls.model_fields if name not in counts} | counts
        )


class Mention(Schema):
    # The response always has these fields, even if they are null.
    model_config = ConfigDict(json_schema_extra=lambda schema: schema["required"].extend(("price_problem", "video")))

    id: str
    video_id: str
    ticker: str
    sentiment: Sentiment
    price_at_mention: float | None
    confidence_score: float | None
    context_snippet: str | None
    possible_sentiment: Sentiment | None
    start_seconds: int | None = Field(description="Where the quote starts, in seconds from the start of the video")
    quote_url: str | None = Field(description="The video, at the second of the quote where that is known")
    analyst: str | None = Field(description="The name and version of the analyst that read it")
    review: ReviewOutcome | None = Field(description="A person's verdict; a rejected mention counts in no score")
    read_as: Sentiment | None = Field(description="The analyst's reading, if a person corrected it")
    review_version: int | None = Field(description="Increases with each review")
    statement: Statement | None = Field(description="The statement; null for readings before this was recorded")
    reason: Reason | None = Field(description="Why the policy makes a call of the statement, or none: docs/policy.md")
    explanation: str | None = Field(description="The reason as a sentence")
    created_at: Timestamp
    price_problem: PriceProblem | None = Field(
        default=None, description="Why there is no price; set when listing the mentions of one stock"
    )
    video: Video | None = None


class Log(Schema):
    id: int
    channel_id: str
    log_level: LogLevel
    message: str
    created_at: Timestamp


class TimelineEntry(Schema):
    video: Video
    mentions: list[Mention]


class Channels(Schema):
    items: list[Channel]
    total: int
    page: int
    per_page: int


class Logs(Schema):
    logs: list[Log]


class Timeline(Schema):
    timeline: list[TimelineEntry]


class ChannelStocks(Schema):
    channel_id: str
    stocks: list[ChannelStock]
    coverage: Coverage
    summary: Summary


class StockMentions(Schema):
    ticker: str
    channel_id: str
    mentions: list[Mention]


class Prices(Schema):
    prices: dict[str, float]
    updated_at: Timestamp


class StockPrice(Schema):
    ticker: str
    price: float | None
    updated_at: Timestamp | None
    as_of: Day | None
    error: str | None


class NoVideos(Schema):
    status: Literal["no_videos"]


class Backfill(Schema):
    status: Literal["complete", "started"]
    missing: int


class Close(Schema):
    date: Day
    close: float


class PriceHistory(Schema):
    ticker: str
    prices: list[Close]


class NextPage(Schema):
    nextToken: str | None


class ChannelsPage(NextPage):
    items: list[Channel]


class LogsPage(NextPage):
    items: list[Log]


class TimelinePage(NextPage):
    items: list[TimelineEntry]


class ChannelVideosPage(NextPage):
    items: list[ChannelVideo]


class ReaderFigures(Schema):
    """Buys and sells on real speech, counted."""

    reader: str = Field(description="`rules`, the provider of a model, or `large language model` for a capable one")
    right: int = Field(description="Reported calls that are right")
    reported: int
    right_on: str = Field(description="The speech that these were counted on")
    found: int = Field(description="Calls made that are reported")
    made: int
    found_on: str
    measured_at: str = Field(description="The month or the day")
    note: str


class CostEstimate(Schema):
    videos: int
    words: int = Field(description="Words of their transcripts")
    tokens_in: int
    tokens_out: int
    dollars: float | None = Field(description="Null if the price of the model isn't known")


class Reader(Schema):
    """The analyst that reads the transcripts, and what that costs."""

    name: str | None = Field(description="The model, or the rules and their version; null if a setting is missing")
    provider: str
    sends_to: str = Field(description="The host that transcripts are sent to, or `this machine`")
    dollars_per_hour: float | None = Field(description="For an hour of speech; null if the price isn't known")
    prices_as_of: str | None = Field(description="The month of the list prices; null for prices that were set")
    daily_tokens: int | None = Field(description="Reading stops for the day after this many tokens; null for no limit")


class Setup(Schema):
    videos: str = Field(description="`demo` or `youtube`")
    transcripts: str
    analyst: str
    prices: str
    missing_settings: list[str] = Field(description="Settings that these providers need and do not have")
    calls_read_right: float | None = Field(
        description="The share of the buys and sells reported by this analyst that a person reads the same, "
        "measured on real speech; null when it has not been measured"
    )
    calls_found: float | None = Field(
        description="The share of the buys and sells made that this analyst reports; null when it has not been measured"
    )
    reader: Reader
    estimate: CostEstimate = Field(description="To read as many videos as `videos` says")
    figures: list[ReaderFigures] = Field(description="The counts of each reader that was measured")


class FoundStock(Schema):
    ticker: str
    name: str | None


class SearchResults(Schema):
    channels: list[Channel]
    stocks: list[FoundStock]


class Health(Schema):
    status: str


def check_period(start: date, end: date) -> None:
    if end < start:
        raise _query_error("end", "The end comes before the start", end)
    if (end.year - MAX_PERIOD_YEARS, end.month, end.day) > (start.year, start.month, start.day):
        raise _query_error("start", f"Request {MAX_PERIOD_YEARS} years at most", start)


def _query_error(parameter: str, sentence: str, value: date) -> RequestValidationError:
    error = {"type": "value_error", "loc": ("query", parameter), "msg": sentence, "input": value.isoformat()}
    return RequestValidationError([error])


def timestamp_or_none(since: datetime | None) -> str | None:
    return timestamp(since) if since else None
