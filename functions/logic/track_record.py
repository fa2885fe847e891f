"""A channel's track record: its stocks, its timeline, and what it said of one stock."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from functions.core.attributes import Item
from functions.core.concurrency import together
from functions.core.models import Sentiment, Stock, StockMention, Video
from functions.logic.channels import get_channel, known
from functions.store.mentions import mentions_of_channel, mentions_of_videos
from functions.store.requests import Page
from functions.store.stocks import stocks_by_ticker
from functions.store.videos import newest_videos_with_calls, videos_by_id, videos_of_channel


@dataclass(frozen=True, slots=True)
class ChannelStock:
    """What a channel said of one stock, and what became of it since the first time."""

    ticker: str
    name: str | None
    first_mention_date: str
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


@dataclass(frozen=True, slots=True)
class TimelineEntry:
    video: Video
    mentions: list[StockMention]


def stocks_of_channel(channel_id: str) -> list[ChannelStock]:
    """By number of mentions, then ticker. Two round trips, however many videos there are."""
    _, mentions = together(
        lambda: get_channel(channel_id),
        lambda: mentions_of_channel(known(channel_id), with_context=False),
    )
    firsts = first_mentions(mentions)
    stocks, videos = together(
        lambda: stocks_by_ticker(firsts),
        lambda: videos_by_id(channel_id, {mention.video_id for mention in firsts.values()}),
    )
    return summarise(mentions, stocks, videos)


def timeline_of_channel(channel_id: str) -> list[TimelineEntry]:
    """Newest video first, without the videos that speak of no stock."""
    _, videos, mentions = together(
        lambda: get_channel(channel_id),
        lambda: videos_of_channel(known(channel_id)),
        lambda: mentions_of_channel(known(channel_id)),
    )
    newest_first = sorted(videos, key=lambda video: (video.published_at, video.id), reverse=True)
    return timeline(newest_first, mentions)


def timeline_after(channel_id: str, start: Item | None, limit: int) -> Page[TimelineEntry]:
    _, page = together(
        lambda: get_channel(channel_id),
        lambda: newest_videos_with_calls(known(channel_id), limit, start),
    )
    return Page(timeline(page.items, mentions_of_videos(page.items)), page.next_key)


def mentions_of_stock(channel_id: str, ticker: str) -> list[tuple[StockMention, Video]]:
    """Newest video first."""
    _, mentions = together(
        lambda: get_channel(channel_id),
        lambda: mentions_of_channel(known(channel_id), ticker=ticker),
    )
    videos = videos_by_id(channel_id, {mention.video_id for mention in mentions})
    pairs = [(mention, videos[mention.video_id]) for mention in mentions if mention.video_id in videos]
    return sorted(pairs, key=lambda pair: (pair[1].published_at, pair[1].id), reverse=True)


def first_mentions(mentions: Iterable[StockMention]) -> dict[str, StockMention]:
    """The first mention of each ticker."""
    firsts: dict[str, StockMention] = {}
    for mention in mentions:
        known_first = firsts.setdefault(mention.ticker, mention)
        if (mention.published_at, mention.video_id) < (known_first.published_at, known_first.video_id):
            firsts[mention.ticker] = mention
    return firsts


def summarise(
    mentions: Iterable[StockMention], stocks: Mapping[str, Stock], videos: Mapping[str, Video]
) -> list[ChannelStock]:
    by_ticker: dict[str, list[StockMention]] = defaultdict(list)
    for mention in mentions:
        by_ticker[mention.ticker].append(mention)
    summaries = [
        _summary(of_ticker, stocks.get(ticker) or Stock(ticker), videos) for ticker, of_ticker in by_ticker.items()
    ]
    return sorted(summaries, key=lambda stock: (-stock.total_mentions, stock.ticker))


def timeline(videos: Iterable[Video], mentions: Iterable[StockMention]) -> list[TimelineEntry]:
    """The videos in their order, each with its mentions by ticker."""
    by_video: dict[str, list[StockMention]] = defaultdict(list)
    for mention in mentions:
        by_video[mention.video_id].append(mention)
    return [
        TimelineEntry(video, sorted(by_video[video.id], key=lambda mention: mention.ticker))
        for video in videos
        if video.id in by_video
    ]


def change_percent(first: float | None, current: float | None) -> float | None:
    """None when either price is unknown or zero: a change from or to nothing says nothing."""
    if not first or not current:
        return None
    return (current - first) / first * 100


def _summary(mentions: list[StockMention], stock: Stock, videos: Mapping[str, Video]) -> ChannelStock:
    first = first_mentions(mentions)[stock.ticker]
    first_video = videos.get(first.video_id)
    counts = Counter(mention.sentiment for mention in mentions)
    return ChannelStock(
        ticker=stock.ticker,
        name=stock.name,
        first_mention_date=first.published_at,
        first_mention_video_id=first.video_id,
        first_mention_video_title=first_video.title if first_video else "",
        price_at_first_mention=first.price_at_mention,
        current_price=stock.last_price,
        price_change_percent=change_percent(first.price_at_mention, stock.last_price),
        buy_count=counts[Sentiment.BUY],
        hold_count=counts[Sentiment.HOLD],
        sell_count=counts[Sentiment.SELL],
        mentioned_count=counts[Sentiment.MENTIONED],
        total_mentions=len(mentions),
        yahoo_finance_url=f"https://finance.yahoo.com/quote/{stock.ticker}",
    )
