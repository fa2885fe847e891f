"""The sample: calls of a channel drawn at random, whose reviews tell how well its calls were read. No I/O."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from heapq import nsmallest

from functions.reading.terms import SIDES
from functions.record.models.records import Review, ReviewOutcome, StockMention
from functions.record.scoring.reading import SampledReviews

SAMPLE_SIZE = 20


def sample_of(channel_id: str, mentions: Iterable[StockMention], kept: Sequence[str] = ()) -> list[StockMention]:
    """Returns the calls drawn before (`kept`) that are still there. Where they are too few, it draws more of the
    analyst's buys and sells, in an order that depends on ids only.

    No review, price or new call moves a call that was drawn.
    """
    # By what the analyst read: a corrected or rejected call stays, or only the right ones would be left.
    calls = {drawn_as(mention): mention for mention in mentions if mention.reading in SIDES}
    drawn_before = [calls.pop(each) for each in kept if each in calls]
    missing = SAMPLE_SIZE - len(drawn_before)
    return drawn_before + nsmallest(missing, calls.values(), key=lambda call: (_draw(channel_id, call), drawn_as(call)))


def drawn_as(mention: StockMention) -> str:
    """Returns the stored form of a call in the sample."""
    return f"{mention.video_id} {mention.ticker}"


def is_answered(mention: StockMention, review: Review | None) -> bool:
    """True if a person has said how it was read without seeing what became of it."""
    return bool(mention.review and review and review.blind)


def sampled_reviews(sample: Iterable[StockMention], reviews: Mapping[str, Review]) -> SampledReviews:
    """Counts the answers so far, with the reviews by mention. A correction says that the call was misread, as a
    rejection does."""
    outcomes = [call.review for call in sample if is_answered(call, reviews.get(call.id))]
    return SampledReviews(outcomes.count(ReviewOutcome.CONFIRMED), len(outcomes))


def _draw(channel_id: str, call: StockMention) -> bytes:
    """Makes a random order from the channel's, the video's and the stock's id."""
    return hashlib.sha256(f"{channel_id}\t{call.video_id}\t{call.ticker}".encode()).digest()[:6]
