"""Requests and responses of the routes of reviews: the queue, one call with its evidence, and the change log."""

from typing import Annotated

from aws_lambda_powertools.event_handler.openapi.params import Path, Query
from pydantic import Field, StrictInt, field_validator
from pydantic_core.core_schema import ValidationInfo

from functions.reading.statements import Act, Speaker
from functions.reading.terms import Sentiment
from functions.record.api.schemas import Mention, NextPage, Schema, Shown, Video
from functions.record.models.records import Change as ChangeModel
from functions.record.models.records import ChangeKind, ReviewOutcome, StockMention
from functions.record.models.records import Review as ReviewModel
from functions.record.models.records import Video as VideoModel
from functions.record.models.scores import ReviewOrder, ReviewReason
from functions.record.models.statement import Statement
from functions.runtime.clock import Timestamp

MAX_NOTE_LENGTH = 2000

VideoId = Annotated[str, Path(description="The video's id")]
InOrder = Annotated[
    ReviewOrder,
    Query(
        description="`doubt`: nearest to even odds first; `sample`: calls drawn at random, of which the score takes "
        "its `right_rate`; `influence`: the same as `doubt`"
    ),
]


OfSample = Annotated[bool, Query(alias="sample", description="`true`: the same as `order=sample`")]
Below = Annotated[
    float | None,
    Query(
        ge=0,
        le=1,
        allow_inf_nan=False,
        description="In the order of doubt: only mentions with less confidence; default: the caller's `review_below`",
    ),
]


class ReviewRequest(Schema):
    review: ReviewOutcome | None = Field(description="null withdraws the review")
    act: Act | None = Field(default=None, description="The corrected act; the policy makes the sentiment")
    speaker: Speaker | None = Field(default=None, description="Whose statement it is; default: as it was read")
    sponsored: bool | None = Field(default=None, strict=True, description="Default: as it was read")
    sentiment: Sentiment | None = Field(
        default=None,
        validate_default=True,
        description="The correct sentiment; a correction needs this or a part of the statement",
    )
    note: str | None = Field(default=None, max_length=MAX_NOTE_LENGTH)
    blind: bool = Field(
        default=True,
        strict=True,
        description="False if what became of the call was in view; such an answer never feeds `right_rate`",
    )
    version: StrictInt | None = Field(
        default=None, ge=0, description="The `review_version` that the reviewer saw, 0 or null for none"
    )

    @field_validator("sentiment")
    @classmethod
    def corrects_to_something(cls, sentiment: Sentiment | None, others: ValidationInfo) -> Sentiment | None:
        # An invalid part is missing in the data, and has a complaint of its own.
        parts = [others.data.get(name, "invalid") for name in ("act", "speaker", "sponsored")]
        is_empty = all(part is None for part in (sentiment, *parts))
        if is_empty and others.data.get("review") == ReviewOutcome.CORRECTED:
            raise ValueError("Say what it should have been read as")
        return sentiment

    @property
    def seen_version(self) -> int | None:
        """None if the request does not name one."""
        return (self.version or 0) if "version" in self.model_fields_set else None


class ReviewedMention(Mention):
    statement_as_read: Statement | None = Field(description="The analyst's statement, if a person corrected it")


class Review(Schema):
    outcome: ReviewOutcome | None = Field(description="null once withdrawn")
    sentiment: Sentiment = Field(description="The sentiment the person read")
    act: Act | None = Field(description="The act the person read; null if they named only the sentiment")
    speaker: Speaker | None
    sponsored: bool | None
    note: str | None
    reviewed_by: str | None = Field(description="A display name, or null, for callers who are not signed in")
    reviewed_at: Timestamp
    version: int
    blind: bool = Field(description="True if it was given where what became of the call was not shown")

    @field_validator("blind", mode="before")
    @classmethod
    def is_not_blind_if_unknown(cls, blind: bool | None) -> bool:
        return bool(blind)

    @classmethod
    def of(cls, review: ReviewModel, shown: Shown) -> "Review":
        reviewer = shown(review.reviewed_by, review.reviewed_by_name)
        return cls.model_validate(review).model_copy(update={"reviewed_by": reviewer})


class CallInContext(Schema):
    mention: ReviewedMention
    name: str | None = Field(description="The company's name")
    before: str | None = Field(description="Three sentences before the quote; null if no transcript is stored")
    quote: str | None
    after: str | None
    review: Review | None


class QueuedMention(Schema):
    mention: ReviewedMention
    name: str | None = Field(description="The company's name")
    reason: ReviewReason
    excess_percent: float | None = Field(description="Always null: no outcome is shown before an answer")


class SampleProgress(Schema):
    size: int = Field(description="20, or all calls if there are fewer")
    done: int = Field(description="How many of them have a review")


class ReviewQueue(NextPage):
    items: list[QueuedMention]
    remaining: int = Field(description="Number of mentions to review in this order")
    sample: SampleProgress | None = Field(description="In the order `sample` only")


class Change(Schema):
    id: str
    kind: ChangeKind
    message: str
    created_at: Timestamp
    changed_by: str | None = Field(
        description="The person who made the change: a display name, or null, for callers who are not signed in"
    )
    video_id: str | None
    ticker: str | None

    @classmethod
    def of(cls, change: ChangeModel, shown: Shown) -> "Change":
        person = shown(change.changed_by, change.changed_by_name)
        return cls.model_validate(change).model_copy(update={"changed_by": person})


class ChangesPage(NextPage):
    items: list[Change]


def mention_with_video(mention: StockMention, video: VideoModel) -> ReviewedMention:
    """Leaves out the price until there is a review: who knows what came of a call reads it in that light."""
    shown = {"video": Video.model_validate(video), **({} if mention.review else {"price_at_mention": None})}
    return ReviewedMention.model_validate(mention).model_copy(update=shown)
