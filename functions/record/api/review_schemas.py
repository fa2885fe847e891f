"""Requests and responses of the routes of reviews: the queue, one call with its evidence, and the change log."""

from typing import Annotated

from aws_lambda_powertools.event_handler.openapi.params import Path, Query
from pydantic import Field, StrictInt, field_validator
from pydantic_core.core_schema import ValidationInfo

from functions.reading.terms import Sentiment
from functions.record.api.schemas import Mention, NextPage, Schema, Video
from functions.record.models.records import ChangeKind, ReviewOutcome, StockMention
from functions.record.models.records import Video as VideoModel
from functions.record.models.scores import ReviewOrder, ReviewReason
from functions.runtime.clock import Timestamp

MAX_NOTE_LENGTH = 2000

VideoId = Annotated[str, Path(description="The video's id")]
InOrder = Annotated[
    ReviewOrder,
    Query(description="`doubt`: nearest to even odds first; `influence`: the largest excess at three months first"),
]


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
    sentiment: Sentiment | None = Field(
        default=None, validate_default=True, description="The correct sentiment; required for a correction"
    )
    note: str | None = Field(default=None, max_length=MAX_NOTE_LENGTH)
    version: StrictInt | None = Field(
        default=None, ge=0, description="The `review_version` that the reviewer saw, 0 or null for none"
    )

    @field_validator("sentiment")
    @classmethod
    def corrects_to_something(cls, sentiment: Sentiment | None, others: ValidationInfo) -> Sentiment | None:
        if sentiment is None and others.data.get("review") == ReviewOutcome.CORRECTED:
            raise ValueError("Say what it should have been read as")
        return sentiment

    @property
    def seen_version(self) -> int | None:
        """None if the request does not name one."""
        return (self.version or 0) if "version" in self.model_fields_set else None


class Review(Schema):
    outcome: ReviewOutcome | None = Field(description="null once withdrawn")
    sentiment: Sentiment = Field(description="The sentiment the person read")
    note: str | None
    reviewed_by: str
    reviewed_at: Timestamp
    version: int


class CallInContext(Schema):
    mention: Mention
    name: str | None = Field(description="The company's name")
    before: str | None = Field(description="Three sentences before the quote; null if no transcript is stored")
    quote: str | None
    after: str | None
    review: Review | None


class QueuedMention(Schema):
    mention: Mention
    name: str | None = Field(description="The company's name")
    reason: ReviewReason
    excess_percent: float | None = Field(description="At three months")


class ReviewQueue(NextPage):
    items: list[QueuedMention]
    remaining: int = Field(description="Number of mentions to review in this order")


class Change(Schema):
    id: str
    kind: ChangeKind
    message: str
    created_at: Timestamp
    changed_by: str | None = Field(description="The person who made the change, if any")
    video_id: str | None
    ticker: str | None


class ChangesPage(NextPage):
    items: list[Change]


def mention_with_video(mention: StockMention, video: VideoModel) -> Mention:
    return Mention.model_validate(mention).model_copy(update={"video": Video.model_validate(video)})
