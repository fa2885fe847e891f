"""Calls with their results at a horizon: those of a channel, and those of a stock in all channels."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Generic, TypeVar

from functions.reading.policy import Reason
from functions.reading.terms import Sentiment
from functions.record.channels.channels import living_channel_and
from functions.record.models.records import Channel, ReviewOutcome, StockMention, Video, address_at
from functions.record.models.series import Split
from functions.record.models.statement import Statement
from functions.record.prices.market import closes_for
from functions.record.scores.news_before import press_before, press_of_channel
from functions.record.scoring.headlines import SHOWN_BEFORE, NewsBefore, Press
from functions.record.scoring.returns import Market, result_of
from functions.record.scoring.targets import OwnTarget, own_target
from functions.record.scoring.types import Call, CallStatus, Horizon, UnpricedReason
from functions.record.store.channels import channels_by_id
from functions.record.store.mentions import newest_mentions_of_ticker
from functions.record.store.stocks import stocks_by_ticker
from functions.record.store.videos import newest_videos_with_calls, videos_by_id
from functions.runtime.clock import Day, Timestamp
from functions.runtime.concurrency import run_parallel
from functions.runtime.dynamodb import tables
from functions.runtime.dynamodb.attributes import Item, encode
from functions.runtime.dynamodb.entity import Entity
from functions.runtime.errors import CsvTooLarge
from functions.runtime.json_schema import JsonSchema

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

MAX_SEARCHES = 10
"""Maximum number of queries per page."""
CALLS_PER_VIDEO = 2
"""The expected average: a page queries more videos if there are fewer, and reads some twice if there are more."""
MENTIONS_PER_CALL = 3
"""The same for a stock's mentions."""
VIDEOS_AT_ONCE = 2_000
"""Videos per query of a list without pages."""
LAST_CALL = "last_call"
"""The part of a page's key with the position of the last call returned; the rest is DynamoDB's own key."""

CallInVideo = tuple[StockMention, Video]


@dataclass(frozen=True, slots=True)
class ScoredCall:
    video_id: str
    video_title: str
    ticker: str
    name: str | None
    sentiment: Sentiment
    published_at: Day
    published_time: Timestamp | None
    quote: str | None
    quote_url: Annotated[str, JsonSchema(description="The video, at the second of the quote where that is known")]
    start_seconds: Annotated[
        int | None, JsonSchema(description="Where the quote starts, in seconds from the start of the video")
    ]
    confidence: float | None
    review: ReviewOutcome | None
    review_version: int | None
    read_as: Annotated[Sentiment | None, JsonSchema(description="The analyst's reading, if a person corrected it")]
    analyst: Annotated[str | None, JsonSchema(description="Name and version of the analyst that read it")]
    removed_at: Annotated[Timestamp | None, JsonSchema(description="When its video was found gone from YouTube")]
    status: CallStatus
    entry_date: Day | None
    entry_price: Annotated[float | None, JsonSchema(description="The close in today's shares, without dividends")]
    exit_date: Day | None
    exit_price: float | None
    return_percent: Annotated[float | None, JsonSchema(description="Signed by the side, with dividends if known")]
    benchmark_percent: Annotated[float | None, JsonSchema(description="Signed by the side")]
    excess_percent: float | None
    matures_on: Annotated[
        Day | None, JsonSchema(description="For a pending call: the day its horizon ends, estimated from weekdays")
    ]
    unpriced_reason: Annotated[
        UnpricedReason | None,
        JsonSchema(description="`departed`: an unpriced call on a share that had left the exchange"),
    ]
    news_before: Annotated[
        NewsBefore | None,
        JsonSchema(description="Headlines of the stock in the week before, by tone; null if there are none"),
    ]
    reason: Annotated[
        Reason | None, JsonSchema(description="Why the policy makes a call of the statement: docs/policy.md")
    ]
    explanation: Annotated[str | None, JsonSchema(description="The reason as a sentence")]
    statement: Annotated[
        Statement | None, JsonSchema(description="The statement; null for readings before this was recorded")
    ]
    own_target: Annotated[
        OwnTarget | None, JsonSchema(description="The speaker's own price target, if the statement has one")
    ]


AnyCall = TypeVar("AnyCall")


@dataclass(frozen=True, slots=True)
class CallFilter:
    """Selects calls of a channel."""

    kind: Sentiment | None = None
    status: CallStatus | None = None
    ticker: str | None = None

    def may_want(self, mention: StockMention) -> bool:
        """Checks what is known before the result."""
        return bool(mention.side) and self.kind in (None, mention.sentiment) and self.ticker in (None, mention.ticker)


EVERY_CALL = CallFilter()


@dataclass(frozen=True, slots=True)
class CallsPage(Generic[AnyCall]):
    items: list[AnyCall]
    next_key: Item | None
    reason: str | None
    """Why no call has figures, if none can have any."""


def calls_of_channel(
    channel_id: str, horizon: Horizon, start: Item | None, limit: int, only: CallFilter = EVERY_CALL
) -> CallsPage[ScoredCall]:
    """Newest video first. A filtered page may be short, or even empty, before the end."""
    _, page = living_channel_and(channel_id, lambda: _page(channel_id, horizon, start, limit, only))
    return page


def every_call_of_channel(
    channel_id: str, horizon: Horizon, only: CallFilter, most: int
) -> tuple[Channel, list[ScoredCall]]:
    """Returns all of them, newest video first, with their channel; raises CsvTooLarge if there are more than `most`."""
    return living_channel_and(channel_id, lambda: _every_call(channel_id, horizon, only, most))


def calls_of_stock(
    ticker: str, horizon: Horizon, start: Item | None, limit: int
) -> CallsPage[tuple[ScoredCall, Channel]]:
    """Returns every channel's calls with the channel, newest first. A page may be short before the end."""
    key = start
    found: list[StockMention] = []
    for _ in range(MAX_SEARCHES):
        page = newest_mentions_of_ticker(ticker, limit * MENTIONS_PER_CALL, key)
        calls = [mention for mention in page.items if mention.side]
        room = limit - len(found)
        found += calls[:room]
        if len(calls) > room:
            key = _key_of(found[-1])
            break
        key = page.next_key
        if key is None or len(found) == limit:
            break
    channels, videos = run_parallel(
        lambda: channels_by_id({mention.channel_id for mention in found}),
        lambda: videos_by_id({(mention.channel_id, mention.video_id) for mention in found}),
    )
    said = [
        (mention, videos[mention.video_id])
        for mention in found
        if mention.channel_id in channels and mention.video_id in videos
    ]
    scored, reason = _score(said, horizon, press_before)
    callers = [channels[mention.channel_id] for mention, _ in said]
    return CallsPage(list(zip(scored, callers, strict=True)), key, reason)


def to_call(mention: StockMention) -> Call:
    return Call(mention.video_id, mention.ticker, mention.side, mention.published_at, mention.published_time)


def tickers_with_target(mentions: Iterable[StockMention]) -> set[str]:
    return {mention.ticker for mention in mentions if mention.said and mention.said.target}


def scored_call(
    mention: StockMention,
    video: Video,
    name: str | None,
    horizon: Horizon,
    market: Market,
    press: Press,
    splits: Mapping[str, Sequence[Split]],
) -> ScoredCall:
    call = to_call(mention)
    target = mention.said.target if mention.said else None
    return ScoredCall(
        video_id=video.id,
        video_title=video.title,
        ticker=mention.ticker,
        name=name,
        sentiment=mention.sentiment,
        published_at=mention.published_at,
        published_time=mention.published_time,
        quote=mention.context_snippet,
        quote_url=address_at(video.url, mention.start_seconds),
        start_seconds=mention.start_seconds,
        confidence=mention.confidence_score,
        review=mention.review,
        review_version=mention.review_version,
        read_as=mention.read_as,
        analyst=mention.analyst,
        removed_at=video.removed_at,
        **fields_of(result_of(call, horizon, market)),
        news_before=press.before(call, SHOWN_BEFORE),
        reason=mention.reason,
        explanation=mention.explanation,
        statement=mention.statement,
        own_target=own_target(call, target, splits.get(call.ticker, ()), market) if target else None,
    )


def _page(channel_id: str, horizon: Horizon, start: Item | None, limit: int, only: CallFilter) -> CallsPage[ScoredCall]:
    key, last = _split(start)
    calls: list[ScoredCall] = []
    reason = None
    for _ in range(MAX_SEARCHES):
        videos = newest_videos_with_calls(channel_id, max(1, limit // CALLS_PER_VIDEO), key)
        wanted = [said for said in _wanted(videos.items, only) if last is None or _comes_after(last, *said)]
        room = limit - len(calls)
        if only.status is None:
            # One more than fits tells that there is a next page.
            wanted = wanted[: room + 1]
        scored, reason = _score(wanted, horizon, partial(press_of_channel, channel_id)) if wanted else ([], reason)
        matching = [
            (call, said) for call, said in zip(scored, wanted, strict=True) if only.status in (None, call.status)
        ]
        calls += [call for call, _ in matching[:room]]
        if len(matching) > room:
            mention, video = matching[room - 1][1]
            newer = [each for each in videos.items if each.timeline_position > video.timeline_position]
            return CallsPage(calls, _joined(_key_of(newer[-1]) if newer else key, _place(mention, video)), reason)
        # The last call's position still counts: the next videos may be newer than it, if others have been added.
        key = videos.next_key
        if key is None or len(calls) == limit:
            break
    return CallsPage(calls, _joined(key, last) if key and last else key, reason)


def _every_call(channel_id: str, horizon: Horizon, only: CallFilter, most: int) -> list[ScoredCall]:
    wanted: list[CallInVideo] = []
    key = None
    while True:
        videos = newest_videos_with_calls(channel_id, VIDEOS_AT_ONCE, key)
        wanted += _wanted(videos.items, only)
        if len(wanted) > most:
            raise CsvTooLarge
        key = videos.next_key
        if key is None:
            break
    scored, _ = _score(wanted, horizon, partial(press_of_channel, channel_id)) if wanted else ([], None)
    return [call for call in scored if only.status in (None, call.status)]


def _wanted(videos: Iterable[Video], only: CallFilter) -> list[CallInVideo]:
    """Returns the calls of the videos by ticker, filtered as far as possible before they are scored."""
    return [
        (mention, video)
        for video in videos
        for mention in sorted(video.calls, key=lambda mention: mention.ticker)
        if only.may_want(mention)
    ]


def _score(
    calls: Sequence[CallInVideo], horizon: Horizon, find_press: Callable[[Sequence[Call]], Press]
) -> tuple[list[ScoredCall], str | None]:
    wanted = [to_call(mention) for mention, _ in calls]
    (closes, stocks), press = run_parallel(
        lambda: run_parallel(
            lambda: closes_for(wanted, horizon, with_targets=tickers_with_target(mention for mention, _ in calls)),
            lambda: stocks_by_ticker({mention.ticker for mention, _ in calls}),
        ),
        lambda: find_press(wanted),
    )
    market = closes.market()
    names = {ticker: stock.name for ticker, stock in stocks.items()}
    scored = [
        scored_call(mention, video, names.get(mention.ticker), horizon, market, press, closes.splits)
        for mention, video in calls
    ]
    return scored, closes.problem


def _place(mention: StockMention, video: Video) -> str:
    """The position of a call in the list: newest video first, then by ticker."""
    return f"{video.timeline_position}/{mention.ticker}"


def _comes_after(last: str, mention: StockMention, video: Video) -> bool:
    """True if a call comes after a position in the list."""
    last_video, _, last_ticker = last.rpartition("/")
    if video.timeline_position == last_video:
        return mention.ticker > last_ticker
    return video.timeline_position < last_video


def _key_of(listed: Entity) -> Item:
    """Returns DynamoDB's key to continue after a video or a mention of the list."""
    table, index = tables.MAIN, tables.BY_TICKER_OR_LISTING
    names = (table.partition, table.sort, index.partition, index.sort)
    return encode({name: value for name, value in listed.keys().items() if name in names})


def _split(start: Item | None) -> tuple[Item | None, str | None]:
    """Returns DynamoDB's key to continue from, and the position of the last call returned."""
    if start is None or LAST_CALL not in start:
        return start, None
    key = {each: value for each, value in start.items() if each != LAST_CALL}
    return key or None, start[LAST_CALL]["S"]


def _joined(key: Item | None, last: str) -> Item:
    return {**(key or {}), **encode({LAST_CALL: last})}


def fields_of(values: "DataclassInstance") -> dict[str, Any]:
    """Returns a dataclass as a dict. Unlike `asdict`, it copies nothing."""
    return {field.name: getattr(values, field.name) for field in fields(values)}
