"""Reviews: the queue, a call with its surrounding text, and a person's decision."""

from typing import Any

from stock_track_record_client.models import (
    Act,
    CallInContext,
    QueuedMention,
    ReviewedMention,
    ReviewOrder,
    ReviewOutcome,
    ReviewQueue,
    Sentiment,
    Speaker,
)
from stock_track_record_client.pages import Pages
from stock_track_record_client.routes import Routes


class ReviewRoutes(Routes):
    def review_queue(
        self, channel_id: str, *, order: ReviewOrder = "doubt", below: float | None = None
    ) -> Pages[ReviewQueue, QueuedMention]:
        """Lists mentions to review: the least certain first, or what weighs most in the score.

        Without `below`, what counts as uncertain is as the caller's settings say.
        """
        return self._list(ReviewQueue, QueuedMention, "channels", channel_id, "review", order=order, below=below)

    def call(self, channel_id: str, video_id: str, ticker: str) -> CallInContext:
        return self._get(CallInContext, "channels", channel_id, "videos", video_id, "calls", ticker)

    def review_call(
        self,
        channel_id: str,
        video_id: str,
        ticker: str,
        review: ReviewOutcome | None,
        *,
        sentiment: Sentiment | None = None,
        act: Act | None = None,
        speaker: Speaker | None = None,
        sponsored: bool | None = None,
        note: str | None = None,
        version: int | None = None,
    ) -> ReviewedMention:
        """Confirms, corrects or rejects a call; None withdraws what was said of it.

        A correction names the `sentiment`, or parts of the statement, of which the policy makes the sentiment.
        With `version`, the `review_version` that was seen (0 for none), a review made meanwhile is a Conflict.
        """
        body: dict[str, Any] = {"review": review, "sentiment": sentiment, "note": note}
        optional = {"act": act, "speaker": speaker, "sponsored": sponsored, "version": version}
        body |= {name: value for name, value in optional.items() if value is not None}
        return self._put(ReviewedMention, "channels", channel_id, "videos", video_id, "calls", ticker, body=body)
