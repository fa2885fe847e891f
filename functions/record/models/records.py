"""The domain models, and how each is stored as a DynamoDB item."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, ClassVar

from functions.reading.policy import Reason
from functions.reading.statements import Act, Speaker
from functions.reading.terms import SENTIMENTS, SIDES, Exchange, Sentiment
from functions.record.models.said import Said
from functions.record.models.statement import Statement
from functions.runtime.clock import to_milliseconds
from functions.runtime.dynamodb import tables
from functions.runtime.dynamodb.attributes import Value
from functions.runtime.dynamodb.entity import Entity
from functions.runtime.ids import mention_id


class ChannelStatus(StrEnum):
    PENDING = "pending"
    PROCESSING = "processing"
    COMPLETED = "completed"
    FAILED = "failed"
    CANCELLED = "cancelled"


class CheckEvery(StrEnum):
    """How often the scheduled job checks a channel for new videos."""

    OFF = "off"
    DAILY = "daily"
    WEEKLY = "weekly"


class TranscriptStatus(StrEnum):
    PENDING = "pending"
    FETCHED = "fetched"
    UNAVAILABLE = "unavailable"
    FAILED = "failed"


class AnalysisStatus(StrEnum):
    PENDING = "pending"
    COMPLETED = "completed"
    SKIPPED = "skipped"
    FAILED = "failed"


class ReviewOutcome(StrEnum):
    """A person's verdict on how a mention was read."""

    CONFIRMED = "confirmed"
    CORRECTED = "corrected"
    REJECTED = "rejected"
    """It isn't about this stock at all. It is shown as rejected and excluded from every score."""


REVIEW_OUTCOMES = {outcome.value: outcome for outcome in ReviewOutcome}


class ChangeKind(StrEnum):
    """Why a record changed after it was first written."""

    REVIEWED = "reviewed"
    REREAD = "reread"
    HANDED_IN = "handed_in"
    RESTATED = "restated"
    REDATED = "redated"
    REMOVED = "removed"


class LogLevel(StrEnum):
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


WITHOUT_END = "9999-12-31T00:00:00.000Z"
"""The lease of a run that waits for a slot."""
SLOWED_AFTER = 5
"""Consecutive failed runs after which a channel is checked less often."""


@dataclass(frozen=True, slots=True)
class Channel(Entity):
    enums: ClassVar = {"status": ChannelStatus, "check_every": CheckEvery}

    id: str
    youtube_channel_id: str
    name: str
    url: str
    created_at: str
    updated_at: str
    time_range_months: int
    status: ChannelStatus = ChannelStatus.PENDING
    thumbnail_url: str | None = None
    video_count: int = 0
    processed_video_count: int = 0
    run_id: str | None = None
    """The run in progress, or the last one."""
    lease_until: str | None = None
    """When the run in progress counts as dead, unless it renews its lease first. `WITHOUT_END` while it waits for a
    slot, since no worker renews it then."""
    guards: tuple[str, ...] = ()
    """The YouTube ids that no other channel may have; each has a guard item."""
    postponed_run: str | None = None
    """The run that has left videos for another day, because the tokens of this one are spent."""
    rereading: bool | None = None
    """True if the run rereads stored transcripts instead of looking for new videos."""
    checking: bool | None = None
    """True if the run only looks for new videos."""
    calls_new: int = 0
    """Results of a reread so far: calls that are new, calls that are gone, and calls whose side flipped."""
    calls_gone: int = 0
    calls_turned: int = 0
    revision: int = 0
    """Increases whenever its calls or their prices change, so stale derived data can be detected."""
    scored: str | None = None
    """The revision and version of the stored score: `7/1.0-…`."""
    check_every: CheckEvery | None = None
    """None until a run ends; the end of the channel's next run sets it."""
    next_check_at: str | None = None
    """None if it is not checked. The channel's Check item holds the same value, for the scheduled job."""
    failed_runs: int = 0
    """Failed runs since the last success."""
    newest_video_at: str | None = None
    """The date of the newest video that a run has listed."""
    fully_listed_at: str | None = None
    """When a run last listed all videos of its time range."""
    listed_months: int | None = None
    """The time range of that listing, which may have been changed during the run."""
    deleting: bool | None = None

    @property
    def is_slowed(self) -> bool:
        """True if it is checked less often because its runs keep failing."""
        return self.next_check_at is not None and self.failed_runs >= SLOWED_AFTER

    @property
    def is_under_way(self) -> bool:
        return self.status in (ChannelStatus.PENDING, ChannelStatus.PROCESSING)

    @property
    def is_waiting(self) -> bool:
        """True while its run waits for a slot."""
        return self.is_under_way and self.lease_until == WITHOUT_END

    def is_scored_at(self, revision: int) -> bool:
        return self.scored is not None and self.scored.startswith(f"{revision}/")

    def keys(self) -> dict[str, str]:
        return {
            **tables.channel_key(self.id),
            "GSI1PK": tables.ALL_CHANNELS,
            "GSI1SK": self.created_at,
            "GSI2PK": tables.youtube_channel_pk(self.youtube_channel_id),
            **({"GSI3PK": tables.RUNS_UNDER_WAY} if self.is_under_way and not self.is_waiting else {}),
        }


@dataclass(frozen=True, slots=True)
class StockMention(Entity):
    enums: ClassVar = {
        "sentiment": Sentiment,
        "possible_sentiment": Sentiment,
        "review": ReviewOutcome,
        "read_as": Sentiment,
    }
    numbers: ClassVar = ("price_at_mention", "confidence_score")

    video_id: str
    channel_id: str
    ticker: str
    sentiment: Sentiment
    """As the analyst read it, or as a person corrected it."""
    published_at: str
    """The video's publication date, in New York."""
    created_at: str
    published_time: str | None = None
    """The video's publication time, if known."""
    price_at_mention: float | None = None
    confidence_score: float | None = None
    context_snippet: str | None = None
    possible_sentiment: Sentiment | None = None
    """For a mention without a clear side: the side it probably takes. Shown to users, never scored."""
    start_seconds: int | None = None
    """Where the quote starts, in seconds from the start of the video, if known."""
    analyst: str | None = None
    """The name and version of the analyst that read it; None for readings made before this was recorded."""
    review: ReviewOutcome | None = None
    read_as: Sentiment | None = None
    """The analyst's reading, if a person corrected it."""
    review_version: int | None = None
    """Increases with each review; used for optimistic locking."""
    said: Said | None = None
    """What was said, as the analyst read it or as a person corrected it; None for readings before this was recorded."""
    said_as_read: Said | None = None
    """The analyst's version of `said`, if a person corrected it."""
    video_url: str | None = field(default=None, compare=False)
    """The URL of its video, if loaded with it. Not stored."""

    def __post_init__(self) -> None:
        Entity.__post_init__(self)
        for name in ("said", "said_as_read"):
            if isinstance(getattr(self, name), str | dict):
                object.__setattr__(self, name, Said.read(getattr(self, name)))

    @property
    def quote_url(self) -> str | None:
        """The URL of its video, at the second of the quote if known."""
        return address_at(self.video_url, self.start_seconds) if self.video_url else None

    @property
    def statement(self) -> Statement | None:
        return Statement.of(self.said) if self.said else None

    @property
    def statement_as_read(self) -> Statement | None:
        """The analyst's version, if a person corrected it."""
        return Statement.of(self.said_as_read) if self.said_as_read else None

    @property
    def reason(self) -> Reason | None:
        return self.said.reason if self.said else None

    @property
    def explanation(self) -> str | None:
        return self.said.explanation if self.said else None

    @property
    def id(self) -> str:
        return mention_id(self.video_id, self.ticker)

    @property
    def side(self) -> int:
        """+1 for a buy, -1 for a sell, 0 for a mention that isn't a call or was rejected by a person."""
        return SIDES.get(self.sentiment, 0) if self.counts else 0

    @property
    def counts(self) -> bool:
        """True if it is part of the record."""
        return self.review is not ReviewOutcome.REJECTED

    @property
    def reading(self) -> Sentiment:
        """The analyst's reading, before any correction."""
        return self.read_as or self.sentiment

    def attributes(self) -> dict[str, Value]:
        said = {
            "said": self.said.to_json() if self.said else None,
            "said_as_read": self.said_as_read.to_json() if self.said_as_read else None,
        }
        return {"id": self.id, **Entity.attributes(self), **said, "video_url": None}

    def keys(self) -> dict[str, str]:
        return {
            **tables.mention_key(self.video_id, self.id),
            "GSI1PK": tables.ticker_pk(self.ticker),
            "GSI1SK": self.published_at,
            "GSI2PK": tables.channel_pk(self.channel_id),
        }


def address_at(video_url: str, second: int | None) -> str:
    return video_url if second is None else f"{video_url}&t={second}s"


MAX_INTERRUPTIONS = 3


@dataclass(frozen=True, slots=True)
class Video(Entity):
    enums: ClassVar = {"transcript_status": TranscriptStatus, "analysis_status": AnalysisStatus}

    id: str
    channel_id: str
    youtube_video_id: str
    title: str
    url: str
    published_at: str
    """The date of publication, in New York."""
    created_at: str
    published_time: str | None = None
    """The time of publication; None if only the date is known."""
    transcript_status: TranscriptStatus = TranscriptStatus.PENDING
    analysis_status: AnalysisStatus = AnalysisStatus.PENDING
    run_id: str | None = None
    """The run that finished it."""
    analyst: str | None = None
    """The name and version of the analyst that read it."""
    tokens_in: int | None = None
    """The tokens that its latest reading sent to a model and got back; None if no model read it."""
    tokens_out: int | None = None
    problem: str | None = None
    """Why it could not be read, in user-facing words."""
    transcript_kept: bool | None = None
    removed_at: str | None = None
    """When it was first found to be gone from YouTube. It stays in the record."""
    interrupted: int | None = None
    """How many readings in a row began and never ended, because their worker died."""
    declined: bool | None = None
    """True if a model declined to read it."""
    edits: int = 0
    """Increases with every change made outside a reading: a review, an uploaded transcript, a new date. A reading that
    started before such a change is discarded and retried."""
    calls: tuple[StockMention, ...] = ()
    """A copy of its mentions, written with them, so one query of a channel's videos reads its whole track record."""

    def __post_init__(self) -> None:
        Entity.__post_init__(self)
        if isinstance(self.calls, str):
            object.__setattr__(self, "calls", tuple(self._read_calls(self.calls)))

    @property
    def is_given_up(self) -> bool:
        """True if it isn't read again until somebody asks for it."""
        return bool(self.declined) or (self.interrupted or 0) >= MAX_INTERRUPTIONS

    @property
    def tickers(self) -> tuple[str, ...]:
        return tuple(call.ticker for call in self.calls)

    def attributes(self) -> dict[str, Value]:
        return {**Entity.attributes(self), **self.call_attributes()}

    def call_attributes(self) -> dict[str, Value]:
        """Returns the calls as JSON, far faster to read than a list of maps, and the attributes to filter by."""
        rows = [self._call_row(call) for call in self.calls]
        unpriced = sum(call.price_at_mention is None for call in self.calls)
        return {
            "calls": json.dumps(rows, separators=(",", ":"), ensure_ascii=False) if rows else None,
            "tickers": self.tickers,
            "unpriced": unpriced or None,
        }

    def keys(self) -> dict[str, str]:
        keys = {
            **tables.video_key(self.channel_id, self.id),
            "GSI3PK": tables.youtube_video_pk(self.youtube_video_id),
        }
        return {**keys, **self.timeline_keys()} if self.tickers else keys

    def timeline_keys(self) -> dict[str, str]:
        """The index keys of a video with calls, in its channel's timeline."""
        return {"GSI1PK": tables.channel_pk(self.channel_id), "GSI1SK": self.timeline_position}

    @property
    def timeline_position(self) -> str:
        """Sorts videos from oldest to newest."""
        return tables.timeline_sk(self.published_at, self.published_time, self.id)

    def _read_calls(self, text: str) -> Iterator[StockMention]:
        for ticker, sentiment, price, confidence, context, created_at, *rest in json.loads(text):
            evidence: list[Any] = [*rest, *NO_EVIDENCE[len(rest) :]]
            possible, start, analyst, review, read_as, version, said, said_as_read = evidence
            yield StockMention(
                video_id=self.id,
                channel_id=self.channel_id,
                ticker=ticker,
                sentiment=SENTIMENTS.get(sentiment, sentiment),
                published_at=self.published_at,
                published_time=self.published_time,
                created_at=created_at,
                price_at_mention=price,
                confidence_score=confidence,
                context_snippet=context,
                possible_sentiment=SENTIMENTS.get(possible, possible),
                start_seconds=start,
                analyst=analyst or self.analyst,
                review=REVIEW_OUTCOMES.get(review, review),
                read_as=SENTIMENTS.get(read_as, read_as),
                review_version=version,
                said=said,
                said_as_read=said_as_read,
                video_url=self.url,
            )

    def _call_row(self, call: StockMention) -> list[Any]:
        row = [getattr(call, name) for name in CALL_COLUMNS]
        row[SAID_COLUMN:] = [value and value.compact() for value in (call.said, call.said_as_read)]
        if call.analyst == self.analyst:
            row[ANALYST_COLUMN] = None
        while len(row) > REQUIRED_COLUMNS and row[-1] is None:
            row.pop()
        return row


CALL_COLUMNS = (
    "ticker",
    "sentiment",
    "price_at_mention",
    "confidence_score",
    "context_snippet",
    "created_at",
    "possible_sentiment",
    "start_seconds",
    "analyst",
    "review",
    "read_as",
    "review_version",
    "said",
    "said_as_read",
)
"""The columns of a call in a video's JSON. Trailing empty columns are omitted, and so is the analyst if it is the
video's own. The other attributes of a mention follow from the video."""
REQUIRED_COLUMNS = 6
ANALYST_COLUMN = CALL_COLUMNS.index("analyst")
SAID_COLUMN = CALL_COLUMNS.index("said")
NO_EVIDENCE = (None,) * (len(CALL_COLUMNS) - REQUIRED_COLUMNS)


@dataclass(frozen=True, slots=True)
class ProcessingLog(Entity):
    enums: ClassVar = {"log_level": LogLevel}

    channel_id: str
    log_level: LogLevel
    message: str
    created_at: str
    sequence: int
    """Distinguishes lines of the same millisecond."""

    @property
    def id(self) -> int:
        """Increases with time, and stays exact as a JavaScript number until the year 2109."""
        return to_milliseconds(self.created_at) * LOG_LINES_PER_MILLISECOND + self.sequence

    def keys(self) -> dict[str, str]:
        return {"PK": tables.channel_pk(self.channel_id), "SK": tables.log_sk(self.created_at, self.sequence)}


LOG_LINES_PER_MILLISECOND = 2048


@dataclass(frozen=True, slots=True)
class Review(Entity):
    """A person's verdict on how one mention was read. It outlives that reading and applies to later ones."""

    enums: ClassVar = {"outcome": ReviewOutcome, "sentiment": Sentiment, "act": Act, "speaker": Speaker}

    channel_id: str
    video_id: str
    ticker: str
    version: int
    sentiment: Sentiment
    """The sentiment the person read."""
    reviewed_by: str
    reviewed_at: str
    outcome: ReviewOutcome | None = None
    """None once it was withdrawn."""
    note: str | None = None
    quote: str | None = None
    """The quote that was judged and its position, stored in case another analyst does not find it."""
    start_seconds: int | None = None
    act: Act | None = None
    """The act the person corrected the statement to; None if they named the sentiment only."""
    speaker: Speaker | None = None
    sponsored: bool | None = None
    blind: bool | None = None
    """True if it was given where what became of the call was not shown; None in reviews before this was recorded."""
    reviewed_by_name: str | None = None
    """The person's display name."""

    def keys(self) -> dict[str, str]:
        return tables.review_key(self.channel_id, self.video_id, self.ticker)


@dataclass(frozen=True, slots=True)
class Change(Entity):
    """An entry in the change log: how a record changed after it was first written, and why. Entries are only removed
    when their channel is deleted."""

    enums: ClassVar = {"kind": ChangeKind}

    id: str
    """A ULID, so changes sort by time."""
    channel_id: str
    kind: ChangeKind
    message: str
    created_at: str
    changed_by: str | None = None
    """The person who made it, if it was a person."""
    video_id: str | None = None
    ticker: str | None = None
    changed_by_name: str | None = None

    def keys(self) -> dict[str, str]:
        return tables.change_key(self.channel_id, self.id)


@dataclass(frozen=True, slots=True)
class Unread(Entity):
    """An uploaded transcript, until it has been read and its stocks have price series. The scheduled job finds it if
    its own job is lost."""

    channel_id: str
    video_id: str
    handed_in_at: str
    handed_in_by: str | None = None
    """The person who uploaded it, if known."""
    is_read: bool | None = None
    """True if its calls are stored and only the follow-up work is left."""
    attempts: int = 0
    """Readings begun, in all."""
    being_read_until: str | None = None
    """When the reading under way is taken for dead, so that the scheduled job sends another one."""
    handed_in_by_name: str | None = None

    def keys(self) -> dict[str, str]:
        return {
            **tables.unread_key(self.channel_id, self.video_id),
            "GSI1PK": tables.ALL_UNREAD,
            "GSI1SK": self.being_read_until or self.handed_in_at,
        }


@dataclass(frozen=True, slots=True)
class Restatement(Entity):
    """How many of a channel's prices changed with a ticker's closes, and how many of them its log has reported."""

    channel_id: str
    ticker: str
    as_of: str
    """The `as_of` of the series the prices were taken from."""
    prices: int
    told: int = 0
    expires_at: int | None = None

    def keys(self) -> dict[str, str]:
        return tables.restatement_key(self.channel_id, self.ticker, self.as_of)


@dataclass(frozen=True, slots=True)
class Stock(Entity):
    enums: ClassVar = {"exchange": Exchange}
    numbers: ClassVar = ("last_price",)

    ticker: str
    name: str | None = None
    exchange: Exchange | None = None
    last_price: float | None = None
    price_updated_at: str | None = None
    price_as_of: str | None = None
    """The day on which it traded at that price."""
    price_problem: str | None = None
    """Why there is no price, or no newer one: a PriceProblem."""

    def keys(self) -> dict[str, str]:
        return {"ticker": self.ticker}
