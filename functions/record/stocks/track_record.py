"""A channel's track record: its stocks, its timeline, and its mentions of one stock."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, astuple, dataclass, replace
from functools import cache
from operator import attrgetter
from typing import Any

from functions.reading.terms import Sentiment
from functions.reading.tickers import with_dash
from functions.record.channels.channels import channel_and
from functions.record.models.records import Channel, Stock, StockMention, Video
from functions.record.models.scores import layout_of, unpack
from functions.record.models.series import PriceProblem
from functions.record.prices.entry import pricing_day, why_unpriced
from functions.record.stocks.figures import ChannelStock, Coverage, Summary, change_percent, coverage_of, summary_of
from functions.record.store.price_series import header_of
from functions.record.store.scorecards import stocks_list_of_channel
from functions.record.store.stocks import stocks_by_ticker
from functions.record.store.videos import newest_videos_with_calls, videos_about, videos_of_channel
from functions.runtime.dynamodb.attributes import Item
from functions.runtime.dynamodb.requests import Page

MAX_SEARCHES = 10
"""Maximum number of queries per filtered page."""

_position = attrgetter("timeline_position")

CallInVideo = tuple[StockMention, Video]
"""A call and the video it is from."""


@dataclass(frozen=True, slots=True)
class ChannelStocks:
    channel_id: str
    stocks: list[ChannelStock]
    """By number of mentions, then ticker."""
    coverage: Coverage
    summary: Summary


@dataclass(frozen=True, slots=True)
class TimelineEntry:
    video: Video
    mentions: list[StockMention]


@dataclass(frozen=True, slots=True)
class TimelineFilter:
    """Selects the mentions of a timeline: of one stock, of one kind, or all."""

    ticker: str | None = None
    sentiment: Sentiment | None = None

    @property
    def is_empty(self) -> bool:
        return self.ticker is None and self.sentiment is None

    def apply(self, video: Video) -> Video:
        wanted = (
            mention
            for mention in video.calls
            if self.ticker in (None, mention.ticker) and self.sentiment in (None, mention.sentiment)
        )
        return video if self.is_empty else replace(video, calls=tuple(wanted))


EVERY_MENTION = TimelineFilter()


def stocks_of_channel(channel_id: str) -> ChannelStocks:
    """Returns the stored list, or one built from all videos during a run and until the list is rebuilt."""
    channel, kept = channel_and(channel_id, lambda: stocks_list_of_channel(channel_id))
    if kept and kept.content and kept.version == stocks_layout() and is_current(channel, kept.revision):
        return _read_stocks(channel_id, unpack(kept.content))
    videos = videos_of_channel(channel_id)
    return list_stocks(channel_id, videos, stocks_by_ticker(tickers_of(videos)))


def is_current(channel: Channel, revision: int) -> bool:
    """True if data stored for a channel at this revision is still current."""
    return channel.revision == revision and not channel.is_under_way


@cache
def stocks_layout() -> str:
    return layout_of(ChannelStock, Coverage, Summary)


def stocks_content(listed: ChannelStocks) -> list[Any]:
    """Returns the list in its stored form."""
    return [[astuple(stock) for stock in listed.stocks], astuple(listed.coverage), asdict(listed.summary)]


def tickers_of(videos: Iterable[Video]) -> set[str]:
    return {ticker for video in videos for ticker in video.tickers}


def list_stocks(channel_id: str, videos: Sequence[Video], stocks: Mapping[str, Stock]) -> ChannelStocks:
    oldest_first = sorted(videos, key=_position)
    return ChannelStocks(
        channel_id,
        stocks=summarise(videos, stocks),
        coverage=coverage_of(videos, stocks),
        summary=summary_of(oldest_first, stocks),
    )


def timeline_of_channel(channel_id: str) -> list[TimelineEntry]:
    """Newest video first, without videos that mention no stock."""
    _, videos = channel_and(channel_id, lambda: videos_of_channel(channel_id))
    return timeline(newest_first(videos))


def timeline_after(
    channel_id: str,
    start: Item | None,
    limit: int,
    before: str | None = None,
    only: TimelineFilter = EVERY_MENTION,
) -> Page[TimelineEntry]:
    """Returns the next page, of videos published before a day if one is given."""
    _, page = channel_and(channel_id, lambda: _filtered_page(channel_id, start, limit, before, only))
    return page


def mentions_of_stock(channel_id: str, ticker: str) -> list[tuple[StockMention, Video, PriceProblem | None]]:
    """Newest video first, each with the reason if it has no price."""
    _, videos = channel_and(channel_id, lambda: videos_about(channel_id, ticker))
    said = [(call, video) for video in newest_first(videos) for call in video.calls if call.ticker == ticker]
    if all(call.price_at_mention is not None for call, _ in said):
        return [(call, video, None) for call, video in said]
    header = header_of(ticker)
    return [
        (call, video, why_unpriced(call, header) if call.price_at_mention is None else None) for call, video in said
    ]


def newest_first(videos: Iterable[Video]) -> list[Video]:
    return sorted(videos, key=_position, reverse=True)


def summarise(videos: Iterable[Video], stocks: Mapping[str, Stock]) -> list[ChannelStock]:
    by_ticker: dict[str, list[CallInVideo]] = defaultdict(list)
    for video in sorted(videos, key=_position):
        for call in video.calls:
            if call.counts:
                by_ticker[call.ticker].append((call, video))
    summaries = [_summary(calls, stocks.get(ticker) or Stock(ticker)) for ticker, calls in by_ticker.items()]
    return sorted(summaries, key=lambda stock: (-stock.total_mentions, stock.ticker))


def timeline(videos: Iterable[Video]) -> list[TimelineEntry]:
    """The videos in their order, each with its mentions by ticker."""
    return [
        TimelineEntry(video, sorted(video.calls, key=lambda mention: mention.ticker)) for video in videos if video.calls
    ]


def _filtered_page(
    channel_id: str, start: Item | None, limit: int, before: str | None, only: TimelineFilter
) -> Page[TimelineEntry]:
    """Searches a bounded number of videos, so a filtered page may be short, or even empty, before the end."""
    entries: list[TimelineEntry] = []
    for _ in range(MAX_SEARCHES):
        # Never more videos than the page has room for, so DynamoDB's key marks the end of the page.
        page = newest_videos_with_calls(channel_id, limit - len(entries), start, before=before)
        entries += timeline(map(only.apply, page.items))
        start = page.next_key
        if start is None or len(entries) == limit:
            break
    return Page(entries, start)


def _read_stocks(channel_id: str, content: Sequence[Any]) -> ChannelStocks:
    stocks, coverage, summary = content
    kinds = {ticker: Sentiment(kind) for ticker, kind in summary["first_mentions"].items()}
    return ChannelStocks(
        channel_id,
        stocks=[_read_stock(ChannelStock(*row)) for row in stocks],
        coverage=Coverage(*coverage),
        summary=Summary(
            first_mentions=kinds,
            prices_as_of=summary["prices_as_of"],
        ),
    )


def _read_stock(stock: ChannelStock) -> ChannelStock:
    return replace(stock, price_problem=PriceProblem(stock.price_problem)) if stock.price_problem else stock


def _summary(oldest_first: Sequence[CallInVideo], stock: Stock) -> ChannelStock:
    first, first_video = oldest_first[0]
    counts = Counter(call.sentiment for call, _ in oldest_first)
    return ChannelStock(
        ticker=stock.ticker,
        name=stock.name,
        first_mention_date=first.published_at,
        first_mention_video_id=first.video_id,
        first_mention_video_title=first_video.title,
        price_at_first_mention=first.price_at_mention,
        current_price=stock.last_price,
        price_change_percent=change_percent(first.price_at_mention, stock.last_price),
        buy_count=counts[Sentiment.BUY],
        hold_count=counts[Sentiment.HOLD],
        sell_count=counts[Sentiment.SELL],
        mentioned_count=counts[Sentiment.MENTIONED],
        total_mentions=len(oldest_first),
        yahoo_finance_url=f"https://finance.yahoo.com/quote/{with_dash(stock.ticker)}",
        price_as_of=stock.price_as_of,
        price_problem=_price_problem(first, stock),
    )


def _price_problem(first: StockMention, stock: Stock) -> PriceProblem | None:
    if stock.price_problem:
        return PriceProblem(stock.price_problem)
    if first.price_at_mention is not None:
        return None
    if stock.price_as_of is None:
        return why_unpriced(first, None)
    is_later = pricing_day(first).isoformat() > stock.price_as_of
    return PriceProblem.AWAITING_CLOSE if is_later else PriceProblem.NO_TRADING
