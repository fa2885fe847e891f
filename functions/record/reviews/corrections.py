"""Applies people's reviews to the analyst's readings. No I/O."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from functions.reading.statements import Speaker
from functions.reading.terms import Sentiment
from functions.record.models.records import Review, ReviewOutcome, StockMention, Video
from functions.record.models.said import Said, corrected, plainly_said


def apply_reviews(video: Video, mentions: Sequence[StockMention], reviews: Iterable[Review]) -> list[StockMention]:
    """Applies the reviews of earlier readings to the mentions of a new one: a review outlives the reading.

    A mention that the analyst no longer finds stays if a person has said that it is a call.
    """
    by_ticker = {review.ticker: review for review in reviews}
    found = {mention.ticker for mention in mentions}
    reviewed = [reviewed_mention(mention, by_ticker.get(mention.ticker)) for mention in mentions]
    return [*reviewed, *_kept_by_review(video, found, by_ticker)]


def reviewed_mention(mention: StockMention, review: Review | None) -> StockMention:
    """Applies a person's review to a mention as the analyst read it."""
    if review is None:
        return mention
    if review.outcome in (None, ReviewOutcome.REJECTED):
        return replace(mention, review=review.outcome, review_version=review.version)
    said = _said_by(mention, review)
    is_right = mention.sentiment == review.sentiment and said == mention.said
    return replace(
        mention,
        sentiment=review.sentiment,
        read_as=None if mention.sentiment == review.sentiment else mention.sentiment,
        said=said,
        said_as_read=None if is_right else mention.said,
        review=ReviewOutcome.CONFIRMED if is_right else ReviewOutcome.CORRECTED,
        review_version=review.version,
    )


def as_read(mention: StockMention) -> StockMention:
    """Returns the mention as the analyst read it, without a person's review."""
    # A reading from before statements were stored has none to restore.
    said = mention.said_as_read if mention.review is ReviewOutcome.CORRECTED else mention.said
    return replace(
        mention,
        sentiment=mention.reading,
        read_as=None,
        said=said,
        said_as_read=None,
        review=None,
        review_version=None,
    )


def _said_by(mention: StockMention, review: Review) -> Said | None:
    """Returns the statement as the reviewer corrected it. A review without an act names the sentiment only."""
    if review.act:
        return corrected(mention.said, review.act, review.speaker or Speaker.HOST, sponsored=bool(review.sponsored))[0]
    return mention.said if mention.sentiment == review.sentiment else plainly_said(mention.said, review.sentiment)


def _kept_by_review(video: Video, found: set[str], reviews: Mapping[str, Review]) -> list[StockMention]:
    stays = (ReviewOutcome.CONFIRMED, ReviewOutcome.CORRECTED)
    return [
        reviewed_mention(_not_found(video, review), review)
        for review in reviews.values()
        if review.ticker not in found and review.outcome in stays and review.sentiment != Sentiment.MENTIONED
    ]


def _not_found(video: Video, review: Review) -> StockMention:
    """Returns a plain mention with the reviewed quote, for a call that the analyst no longer finds."""
    return StockMention(
        video_id=video.id,
        channel_id=video.channel_id,
        ticker=review.ticker,
        sentiment=Sentiment.MENTIONED,
        published_at=video.published_at,
        published_time=video.published_time,
        created_at=review.reviewed_at,
        context_snippet=review.quote,
        start_seconds=review.start_seconds,
        analyst=video.analyst,
    )
