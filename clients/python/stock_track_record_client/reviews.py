"""Reviews: the queue, a call with its surrounding text, and a person's decision."""

from typing import Any

from stock_track_record_client.models import (
    CallInContext,
    Mention,
    QueuedMention,
    ReviewOrder,
    ReviewOutcome,
    ReviewQueue,
    Sentiment,
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
        note: str | None = None,
        version: int | None = None,
    ) -> Mention:
        """Confirms, corrects (with `sentiment`) or rejects a call; None withdraws what was said of it.

        With `version`, the `review_version` that was seen (0 for none), a review made meanwhile is a Conflict.
        """
        body: dict[str, Any] = {"review": review, "sentiment": sentiment, "note": note}
        if version is not None:
            body["version"] = version
        return self._put(Mention, "channels", channel_id, "videos", video_id, "calls", ticker, body=body)
