"""The queue of mentions to review: the doubtful ones, or those with the most influence on the score."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import astuple, dataclass
from heapq import nsmallest
from math import ceil
from typing import Any

from functions.reading.terms import Sentiment
from functions.record.channels.channels import living_channel_and
from functions.record.models.records import StockMention, Video
from functions.record.models.scores import QueueRow, ReviewOrder, ReviewReason, unpack
from functions.record.scores.calls import to_call
from functions.record.scores.kept import version
from functions.record.scoring.returns import Market, has_result, position_of
from functions.record.scoring.types import DEFAULT_HORIZON
from functions.record.store.scorecards import review_queue_of_channel
from functions.record.store.stocks import stocks_by_ticker
from functions.record.store.videos import videos_by_id
from functions.runtime.dynamodb.attributes import Item, encode
from functions.runtime.settings import settings

MAX_ROWS = 1000
"""In each order: more than anyone reviews before the queue is rebuilt."""
EVEN_ODDS = 0.5
THRESHOLD_STEPS = 100
"""The thresholds, from 0 to 1, for which doubtful mentions are counted."""
ALWAYS = -1.0
"""Doubtful at any threshold."""
SPARE_ROWS = 30
"""Read beyond a page, to replace those that were reviewed since."""
MAX_READ = 100
"""Maximum videos read, in one request."""
RANK, VIDEO, TICKER = "rank", "video", "ticker"
"""The parts of a page's key, which identify the last row returned."""


@dataclass(frozen=True, slots=True)
class QueuedMention:
    mention: StockMention
    video: Video
    name: str | None
    reason: ReviewReason
    excess_percent: float | None


@dataclass(frozen=True, slots=True)
class QueuePage:
    items: list[QueuedMention]
    next_key: Item | None
    remaining: int


def queue_content(videos: Iterable[Video], market: Market) -> dict[str, Any]:
    """Returns the stored form of the queue: the first rows in each order, and how many there are.

    By doubt, it holds everything below a threshold of 1, each with its confidence: readers have their own threshold.
    """
    unreviewed = [mention for video in videos for mention in video.calls if mention.review is None]
    rows = [(mention, _row(mention, market)) for mention in unreviewed]
    doubtful = [(row, _doubt(mention)) for mention, row in rows if _is_doubtful(mention, 1)]
    influential = [_by_influence(row) for mention, row in rows if mention.side]
    return {ReviewOrder.DOUBT: _kept_by_doubt(doubtful), ReviewOrder.INFLUENCE: _kept(influential)}


def threshold_of_deployment() -> float:
    return settings().review_below


def review_queue(
    channel_id: str,
    order: ReviewOrder,
    start: Item | None,
    limit: int,
    threshold: Callable[[], float] = threshold_of_deployment,
) -> QueuePage:
    """Returns the next mentions without a review; by doubt, those with a confidence below the threshold, which is only
    evaluated then. Mentions reviewed since the queue was built are left out, so a page may be short, or even empty,
    before the end."""
    _, (kept, below) = living_channel_and(
        channel_id,
        lambda: (review_queue_of_channel(channel_id), threshold() if order == ReviewOrder.DOUBT else 1),
    )
    if kept is None or kept.version != version():
        return QueuePage([], None, 0)
    content = unpack(kept.content)[order]
    rows = _rows_below(content, below)
    first = _place_after(rows, start)
    candidates = rows[first : first + min(MAX_READ, limit + SPARE_ROWS)]
    videos = videos_by_id({(channel_id, row.video_id) for row in candidates})
    shown: list[tuple[QueueRow, StockMention, ReviewReason]] = []
    looked_at = 0
    while looked_at < len(candidates) and len(shown) < limit:
        row = candidates[looked_at]
        looked_at += 1
        mention = _mention(videos.get(row.video_id), row.ticker)
        if mention and (reason := _reason(mention, order, below)):
            shown.append((row, mention, reason))
    stocks = stocks_by_ticker({row.ticker for row, _, _ in shown})
    names = {ticker: stock.name for ticker, stock in stocks.items()}
    items = [
        QueuedMention(mention, videos[row.video_id], names.get(row.ticker), reason, row.excess_percent)
        for row, mention, reason in shown
    ]
    end = first + looked_at
    next_key = _key(rows[end - 1]) if end < len(rows) else None
    return QueuePage(items, next_key, remaining=_count_below(content, below) - (looked_at - len(shown)))


def _is_doubtful(mention: StockMention, below: float) -> bool:
    if mention.sentiment == Sentiment.MENTIONED:
        return mention.possible_sentiment is not None
    return mention.confidence_score is not None and mention.confidence_score < below


def _doubt(mention: StockMention) -> float:
    """Returns the threshold above which it is doubtful: a mention that may be a call always is."""
    if mention.sentiment == Sentiment.MENTIONED or mention.confidence_score is None:
        return ALWAYS
    return mention.confidence_score


def _reason(mention: StockMention, order: ReviewOrder, below: float) -> ReviewReason | None:
    """Returns why it is in the queue; None if it no longer belongs there."""
    if mention.review is not None:
        return None
    if order == ReviewOrder.INFLUENCE:
        return ReviewReason.INFLUENTIAL if mention.side else None
    if not _is_doubtful(mention, below):
        return None
    return ReviewReason.POSSIBLE if mention.sentiment == Sentiment.MENTIONED else ReviewReason.DOUBTFUL


def _row(mention: StockMention, market: Market) -> QueueRow:
    """Ranks the nearest to even odds first."""
    sure = EVEN_ODDS if mention.confidence_score is None else mention.confidence_score
    return QueueRow(round(abs(sure - EVEN_ODDS), 6), mention.video_id, mention.ticker, _excess(mention, market))


def _by_influence(row: QueueRow) -> QueueRow:
    """Ranks the largest absolute excess first; calls without a result last."""
    return QueueRow(-abs(row.excess_percent or 0), row.video_id, row.ticker, row.excess_percent)


def _excess(mention: StockMention, market: Market) -> float | None:
    if not mention.side:
        return None
    position = position_of(to_call(mention), DEFAULT_HORIZON, market)
    return round(100 * mention.side * position.excess, 6) if has_result(position.status) else None


def _kept(rows: Sequence[QueueRow]) -> dict[str, Any]:
    first = nsmallest(MAX_ROWS, rows, key=lambda row: row.place)
    return {"rows": [astuple(row) for row in first], "total": len(rows)}


def _kept_by_doubt(doubtful: Sequence[tuple[QueueRow, float]]) -> dict[str, Any]:
    """If there are too many, those below the deployment's own threshold come before the more certain ones."""
    below = threshold_of_deployment()
    kept = nsmallest(MAX_ROWS, doubtful, key=lambda each: (each[1] >= below, each[0].place))
    first = sorted(kept, key=lambda each: each[0].place)
    doubts = sorted(doubt for _, doubt in doubtful)
    return {
        "rows": [astuple(row) for row, _ in first],
        # Beside the rows and not in them: their layout is part of the version of all stored scores.
        "doubts": [doubt for _, doubt in first],
        "counts": [bisect_left(doubts, step / THRESHOLD_STEPS) for step in range(THRESHOLD_STEPS + 1)],
        "total": len(doubtful),
    }


def _rows_below(content: dict[str, Any], below: float) -> list[QueueRow]:
    rows = [QueueRow(*row) for row in content["rows"]]
    # A queue stored by an earlier release has one threshold, until the next score.
    doubts = content.get("doubts") or [ALWAYS] * len(rows)
    return [row for row, doubt in zip(rows, doubts, strict=True) if doubt < below]


def _count_below(content: dict[str, Any], below: float) -> int:
    """Exact for thresholds of two decimals."""
    counts: list[int] | None = content.get("counts")
    return counts[ceil(round(below * THRESHOLD_STEPS, 6))] if counts else int(content["total"])


def _mention(video: Video | None, ticker: str) -> StockMention | None:
    return next((mention for mention in video.calls if mention.ticker == ticker), None) if video else None


def _key(row: QueueRow) -> Item:
    return encode({RANK: row.rank, VIDEO: row.video_id, TICKER: row.ticker})


def _place_after(rows: Sequence[QueueRow], start: Item | None) -> int:
    """Returns the index after the last row returned; if the rebuilt queue lacks it, where it would be."""
    if start is None:
        return 0
    video_id, ticker = start[VIDEO]["S"], start[TICKER]["S"]
    places = (place for place, row in enumerate(rows, start=1) if (row.video_id, row.ticker) == (video_id, ticker))
    would_be = bisect_right(rows, (float(start[RANK]["N"]), video_id, ticker), key=lambda row: row.place)
    return next(places, would_be)
