"""The queue of mentions to review: the doubtful ones, or a sample. No order depends on prices."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import astuple, dataclass, replace
from heapq import nsmallest
from math import ceil
from typing import Any

from functions.reading.terms import SIDES, Sentiment
from functions.record.channels.channels import living_channel_and
from functions.record.models.records import StockMention, Video
from functions.record.models.scores import QueueRow, ReviewOrder, ReviewReason, unpack
from functions.record.reviews.corrections import as_read
from functions.record.reviews.sample import is_answered
from functions.record.scores.kept import version
from functions.record.store.reviews import videos_and_reviews
from functions.record.store.scorecards import review_queue_of_channel, review_sample_of_channel
from functions.record.store.stocks import stocks_by_ticker
from functions.record.store.videos import videos_by_id
from functions.runtime.dynamodb.attributes import Item, encode
from functions.runtime.settings import settings

MAX_ROWS = 1000
"""More than anyone reviews before the queue is rebuilt."""
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


_Shown = tuple[StockMention, Video, ReviewReason]


@dataclass(frozen=True, slots=True)
class QueuedMention:
    mention: StockMention
    video: Video
    name: str | None
    reason: ReviewReason


@dataclass(frozen=True, slots=True)
class SampleProgress:
    size: int
    done: int


@dataclass(frozen=True, slots=True)
class QueuePage:
    items: list[QueuedMention]
    next_key: Item | None
    remaining: int
    sample: SampleProgress | None = None
    """In the order of the sample only."""


def queue_content(videos: Iterable[Video]) -> dict[str, Any]:
    """Returns the stored form of the queue by doubt: the first rows, and how many there are.

    It holds everything below a threshold of 1, each with its confidence: readers have their own threshold.
    """
    doubtful = [
        (_row(mention), _doubt(mention))
        for video in videos
        for mention in video.calls
        if mention.review is None and _is_doubtful(mention, 1)
    ]
    return {ReviewOrder.DOUBT: _kept_by_doubt(doubtful)}


def threshold_of_deployment() -> float:
    return settings().review_below


def review_queue(
    channel_id: str,
    order: ReviewOrder,
    start: Item | None,
    limit: int,
    threshold: Callable[[], float] = threshold_of_deployment,
) -> QueuePage:
    """Returns the next mentions without a review: of the sample, or those with a confidence below the threshold, which
    is only evaluated then. Mentions reviewed since the queue was built are left out, so a page may be short, or even
    empty, before the end."""
    if order == ReviewOrder.SAMPLE:
        return _sample_page(channel_id, start, limit)
    _, (kept, below) = living_channel_and(channel_id, lambda: (review_queue_of_channel(channel_id), threshold()))
    if kept is None or kept.version != version():
        return QueuePage([], None, 0)
    content = unpack(kept.content)[ReviewOrder.DOUBT]
    rows = _rows_below(content, below)
    first = _place_after(rows, start)
    candidates = rows[first : first + min(MAX_READ, limit + SPARE_ROWS)]
    videos = videos_by_id({(channel_id, row.video_id) for row in candidates})
    shown: list[_Shown] = []
    looked_at = 0
    while looked_at < len(candidates) and len(shown) < limit:
        row = candidates[looked_at]
        looked_at += 1
        video = videos.get(row.video_id)
        mention = _mention(video, row.ticker)
        if video and mention and (reason := _reason(mention, below)):
            shown.append((mention, video, reason))
    end = first + looked_at
    next_key = _key(rows[end - 1]) if end < len(rows) else None
    return QueuePage(_named(shown), next_key, remaining=_count_below(content, below) - (looked_at - len(shown)))


def _sample_page(channel_id: str, start: Item | None, limit: int) -> QueuePage:
    """Reads the whole sample for each page, because all of it is counted."""
    _, drawn = living_channel_and(channel_id, lambda: review_sample_of_channel(channel_id))
    places = drawn.places if drawn else []
    rows = [QueueRow(rank, *place) for rank, place in enumerate(places)]
    videos, reviews = videos_and_reviews(channel_id, places)
    found = [(row, _mention(videos.get(row.video_id), row.ticker)) for row in rows]
    there = [(row, mention) for row, mention in found if mention and mention.reading in SIDES]
    unanswered = [(row, mention) for row, mention in there if not is_answered(mention, reviews.get(mention.id))]
    first = _place_after([row for row, _ in unanswered], start)
    page = unanswered[first : first + limit]
    is_last = first + limit >= len(unanswered)
    return QueuePage(
        _named([(_unreviewed(mention), videos[row.video_id], ReviewReason.SAMPLED) for row, mention in page]),
        next_key=None if is_last else _key(page[-1][0]),
        remaining=len(unanswered),
        sample=SampleProgress(len(there), len(there) - len(unanswered)),
    )


def _unreviewed(mention: StockMention) -> StockMention:
    """Shows no review that was given with the outcome in view, but its version, which an answer has to name."""
    return replace(as_read(mention), review_version=mention.review_version)


def _named(shown: Sequence[_Shown]) -> list[QueuedMention]:
    """Adds the companies' names."""
    stocks = stocks_by_ticker({mention.ticker for mention, _, _ in shown})
    names = {ticker: stock.name for ticker, stock in stocks.items()}
    return [QueuedMention(mention, video, names.get(mention.ticker), reason) for mention, video, reason in shown]


def _is_doubtful(mention: StockMention, below: float) -> bool:
    if mention.sentiment == Sentiment.MENTIONED:
        return mention.possible_sentiment is not None
    return mention.confidence_score is not None and mention.confidence_score < below


def _doubt(mention: StockMention) -> float:
    """Returns the threshold above which it is doubtful: a mention that may be a call always is."""
    if mention.sentiment == Sentiment.MENTIONED or mention.confidence_score is None:
        return ALWAYS
    return mention.confidence_score


def _reason(mention: StockMention, below: float) -> ReviewReason | None:
    """Returns why it is in the queue; None if it no longer belongs there."""
    if mention.review is not None or not _is_doubtful(mention, below):
        return None
    return ReviewReason.POSSIBLE if mention.sentiment == Sentiment.MENTIONED else ReviewReason.DOUBTFUL


def _row(mention: StockMention) -> QueueRow:
    """Ranks the nearest to even odds first."""
    sure = EVEN_ODDS if mention.confidence_score is None else mention.confidence_score
    return QueueRow(round(abs(sure - EVEN_ODDS), 6), mention.video_id, mention.ticker)


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
    }


def _rows_below(content: dict[str, Any], below: float) -> list[QueueRow]:
    rows = [QueueRow(*row) for row in content["rows"]]
    return [row for row, doubt in zip(rows, content["doubts"], strict=True) if doubt < below]


def _count_below(content: dict[str, Any], below: float) -> int:
    """Exact for thresholds of two decimals."""
    counts: list[int] = content["counts"]
    return counts[ceil(round(below * THRESHOLD_STEPS, 6))]


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
