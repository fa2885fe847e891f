"""The basis of a scorecard: the calls, who read them, and how far people have checked them. No I/O."""

import hashlib
from collections.abc import Iterable, Sequence

from functions.reading.terms import SIDES
from functions.record.models.records import ReviewOutcome, StockMention
from functions.record.scoring.statistics import wilson_interval
from functions.record.scoring.types import Checked


def calls_sha256(calls: Iterable[StockMention]) -> str:
    """Returns the hex digest over one sorted line per call, which anyone can recompute from the API's calls."""
    return sha256_of_calls(
        (call.video_id, call.ticker, call.sentiment, call.published_at, call.published_time) for call in calls
    )


def sha256_of_calls(calls: Iterable[tuple[str, str, str, str, str | None]]) -> str:
    """Computes the same from the video id, ticker, kind, day and timestamp of each call."""
    lines = sorted("\t".join(part or "" for part in call) + "\n" for call in calls)
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def analysts_of(calls: Iterable[StockMention]) -> list[str]:
    return sorted({call.analyst for call in calls if call.analyst})


def how_far_checked(mentions: Iterable[StockMention]) -> Checked:
    """Covers the buys and sells that the analyst read, rejected ones included."""
    calls = [mention for mention in mentions if mention.reading in SIDES]
    reviewed = [call for call in calls if call.review]
    right = sum(call.review == ReviewOutcome.CONFIRMED for call in reviewed)
    return Checked(len(calls), len(reviewed), right, *_share(right, reviewed))


def _share(right: int, reviewed: Sequence[StockMention]) -> tuple[float | None, float | None, float | None]:
    if not reviewed:
        return None, None, None
    return right / len(reviewed), *wilson_interval(right / len(reviewed), len(reviewed))
