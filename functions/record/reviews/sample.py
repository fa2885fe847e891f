"""The sample: calls of a channel drawn at random, whose reviews tell how well its calls were read. No I/O."""

import hashlib
from collections.abc import Iterable
from heapq import nsmallest

from functions.reading.terms import SIDES
from functions.record.models.records import ReviewOutcome, StockMention
from functions.record.scoring.reading import SampledReviews

SAMPLE_SIZE = 20
HASH_BYTES = 6
"""As many as a float holds exactly."""


def sample_of(channel_id: str, mentions: Iterable[StockMention]) -> list[StockMention]:
    """Returns the first of the analyst's buys and sells in an order that depends on their ids only.

    Neither a review nor a price moves a call, and each keeps its place when others come or go.
    """
    # By what the analyst read: a corrected or rejected call stays, or only the right ones would be left.
    calls = (mention for mention in mentions if mention.reading in SIDES)
    return nsmallest(SAMPLE_SIZE, calls, key=lambda call: (rank_of(channel_id, call), call.video_id, call.ticker))


def sampled_reviews(sample: Iterable[StockMention]) -> SampledReviews:
    """Counts the answers so far. A correction says that the call was misread, as a rejection does."""
    outcomes = [call.review for call in sample if call.review]
    return SampledReviews(outcomes.count(ReviewOutcome.CONFIRMED), len(outcomes))


def rank_of(channel_id: str, call: StockMention) -> float:
    """Returns a number from 0 to 1, by the channel's, the video's and the stock's id."""
    digest = hashlib.sha256(f"{channel_id}\t{call.video_id}\t{call.ticker}".encode()).digest()
    return int.from_bytes(digest[:HASH_BYTES], "big") / (1 << 8 * HASH_BYTES)
