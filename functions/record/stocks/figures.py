"""The coverage of a track record, and each stock's performance since it was first mentioned."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

from functions.reading.terms import Sentiment
from functions.record.models.records import AnalysisStatus, Stock, StockMention, TranscriptStatus, Video
from functions.record.models.series import PriceProblem
from functions.runtime.clock import Day, Timestamp
from functions.runtime.json_schema import JsonSchema


@dataclass(frozen=True, slots=True)
class ChannelStock:
    """A channel's mentions of one stock, and its price since the first."""

    ticker: str
    name: str | None
    first_mention_date: Day
    first_mention_video_id: str
    first_mention_video_title: str
    price_at_first_mention: float | None
    current_price: float | None
    price_change_percent: float | None
    buy_count: int
    hold_count: int
    sell_count: int
    mentioned_count: int
    total_mentions: int
    yahoo_finance_url: str
    price_as_of: Annotated[Day | None, JsonSchema(description="The day on which it traded at the current price")]
    price_problem: Annotated[
        PriceProblem | None,
        JsonSchema(description="Why the first mention has no price, or why there is no newer current price"),
    ]


@dataclass(frozen=True, slots=True)
class Coverage:
    videos: Annotated[int, JsonSchema(description="The channel's videos in its time range")]
    read: int
    without_transcript: int
    failed: int
    with_mentions: Annotated[int, JsonSchema(description="Videos that mention a stock")]
    unpriced: Annotated[int, JsonSchema(description="Buy and sell calls without a price on their day or a current one")]


@dataclass(frozen=True, slots=True)
class Summary:
    first_mentions: Annotated[
        dict[str, Sentiment], JsonSchema(description="The kind of each stock's first mention, by ticker")
    ]
    prices_as_of: Annotated[Timestamp | None, JsonSchema(description="The newest of the current prices")]


def change_percent(first: float | None, current: float | None) -> float | None:
    """None when either price is unknown or zero."""
    if not first or not current:
        return None
    return (current - first) / first * 100


def coverage_of(videos: Sequence[Video], stocks: Mapping[str, Stock]) -> Coverage:
    calls = [mention for video in videos for mention in video.calls if mention.side]
    return Coverage(
        videos=len(videos),
        read=sum(video.analysis_status == AnalysisStatus.COMPLETED for video in videos),
        without_transcript=sum(video.transcript_status == TranscriptStatus.UNAVAILABLE for video in videos),
        failed=sum(video.analysis_status == AnalysisStatus.FAILED for video in videos),
        with_mentions=sum(any(mention.counts for mention in video.calls) for video in videos),
        unpriced=sum(_change_since(call, stocks) is None for call in calls),
    )


def summary_of(oldest_first: Iterable[Video], stocks: Mapping[str, Stock]) -> Summary:
    mentions = [mention for video in oldest_first for mention in video.calls if mention.counts]
    timestamps = [stock.price_updated_at for stock in stocks.values() if stock.price_updated_at]
    return Summary(
        first_mentions={mention.ticker: mention.sentiment for mention in reversed(mentions)},
        prices_as_of=max(timestamps, default=None),
    )


def _change_since(mention: StockMention, stocks: Mapping[str, Stock]) -> float | None:
    stock = stocks.get(mention.ticker)
    return change_percent(mention.price_at_mention, stock.last_price if stock else None)
