"""The sample: calls of a channel drawn at random, whose reviews tell how well its calls were read. No I/O."""

import hashlib
from collections.abc import Iterable
from heapq import nsmallest

from functions.reading.terms import SIDES
from functions.record.models.records import StockMention

SAMPLE_SIZE = 20
HASH_DIGITS = 12
"""Hexadecimal digits: as many as a float holds exactly."""


def sample_of(channel_id: str, mentions: Iterable[StockMention]) -> list[StockMention]:
    """Returns the first of the analyst's buys and sells in an order that depends on their ids only.

    Neither a review nor a price moves a call, and each keeps its place when others come or go.
    """
    # By what the analyst read: a corrected or rejected call stays, or only the right ones would be left.
    calls = (mention for mention in mentions if mention.reading in SIDES)
    return nsmallest(SAMPLE_SIZE, calls, key=lambda call: (rank_of(channel_id, call), call.video_id, call.ticker))


def rank_of(channel_id: str, call: StockMention) -> float:
    """Returns a number from 0 to 1, by the channel's, the video's and the stock's id."""
    digest = hashlib.sha256(f"{channel_id}\t{call.video_id}\t{call.ticker}".encode()).hexdigest()
    return int(digest[:HASH_DIGITS], 16) / 16**HASH_DIGITS
