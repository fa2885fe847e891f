"""What a read costs: requests and time, beside the per-video plan and the floor."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Any

from bench.measure import milliseconds, requests_of, seeded, side_by_side, table
from functions.core import tables
from functions.core.attributes import encode
from functions.logic import channels, prices, track_record
from functions.store.channels import channel_by_id
from functions.store.connection import dynamodb, main_table, stocks_table
from functions.store.mentions import mentions_of_video
from functions.store.stocks import stock_by_ticker
from functions.store.videos import videos_of_channel

SIZES = ((100, 5), (500, 10), (2000, 10))
ROUNDS = {100: 15, 500: 7, 2000: 3}
MOST_ROUNDS_OF_PER_VIDEO = 3


@dataclass(frozen=True, slots=True)
class Read:
    """A question, answered by us, by the plan that asks per video, and by nothing but moving the bytes."""

    name: str
    ours: Callable[[], object]
    per_video: Callable[[], object] | None = None
    floor: Callable[[], object] | None = None


def run() -> tuple[str, dict[str, Any]]:
    figures: dict[str, Any] = {}
    for videos, mentions in SIZES:
        channel_id = seeded(videos, mentions)
        figures[f"{videos}x{mentions}"] = {read.name: _measured(read, ROUNDS[videos]) for read in reads_of(channel_id)}
    return _text(figures), figures


def reads_of(channel_id: str) -> list[Read]:
    ticker = track_record.stocks_of_channel(channel_id)[0].ticker
    return [
        Read(
            "stocks",
            partial(track_record.stocks_of_channel, channel_id),
            partial(_stocks_per_video, channel_id),
            partial(_together, _channel(channel_id), _mentions(channel_id), _known_stocks(channel_id)),
        ),
        Read(
            "timeline",
            partial(track_record.timeline_of_channel, channel_id),
            partial(_mentions_per_video, channel_id),
            partial(_together, _channel(channel_id), _mentions(channel_id), _videos(channel_id)),
        ),
        Read(
            "drill-down",
            partial(track_record.mentions_of_stock, channel_id, ticker),
            partial(_mentions_per_video, channel_id, ticker),
            partial(_together, _channel(channel_id), _mentions(channel_id, ticker)),
        ),
        Read("timeline, a page of 20", partial(track_record.timeline_after, channel_id, None, 20)),
        Read("logs", partial(channels.list_logs, channel_id, None, consistent=False)),
        Read("list of channels", partial(channels.list_channels, 1, 20)),
        Read("refresh, all fresh", partial(prices.refresh_prices, channel_id)),
        Read("backfill, none missing", partial(prices.request_backfill, channel_id)),
    ]


def _measured(read: Read, rounds: int) -> dict[str, Any]:
    plans = {"ours": read.ours} | ({"floor": read.floor} if read.floor else {})
    timings = side_by_side(plans, rounds)
    if read.per_video:
        timings |= side_by_side({"per video": read.per_video}, min(rounds, MOST_ROUNDS_OF_PER_VIDEO))
    requests = {"ours": requests_of(read.ours)}
    if read.per_video:
        requests["per video"] = requests_of(read.per_video)
    if read.floor:
        requests["floor"] = requests_of(read.floor)
    return {
        name: {"median": timing.median, "p95": timing.p95, "requests": requests[name]}
        for name, timing in timings.items()
    }


def _text(figures: dict[str, Any]) -> str:
    header = ("", "requests", "median ms", "p95 ms", "per video: requests", "times slower", "floor: ours is")
    sections = []
    for size, reads in figures.items():
        rows = []
        for name, plans in reads.items():
            ours = plans["ours"]
            per_video, floor = plans.get("per video"), plans.get("floor")
            rows.append(
                (
                    name,
                    ours["requests"],
                    milliseconds(ours["median"]),
                    milliseconds(ours["p95"]),
                    per_video["requests"] if per_video else "",
                    f"{per_video['median'] / ours['median']:.1f}" if per_video else "",
                    f"{ours['median'] / floor['median']:.2f} x" if floor else "",
                )
            )
        sections.append(table(f"Reads, {size.replace('x', ' videos x ')} mentions", header, rows))
    return "\n".join(sections)


def _mentions_per_video(channel_id: str, ticker: str | None = None) -> None:
    """The straightforward plan: the videos, then a query for each."""
    channel_by_id(channel_id)
    for video in videos_of_channel(channel_id):
        mentions_of_video(video.id, ticker=ticker)


def _stocks_per_video(channel_id: str) -> None:
    """The straightforward plan: a query for each video, then a get for each ticker."""
    channel_by_id(channel_id)
    tickers = set()
    for video in videos_of_channel(channel_id):
        tickers |= {mention.ticker for mention in mentions_of_video(video.id)}
    for ticker in tickers:
        stock_by_ticker(ticker)


def _together(*questions: Callable[[], object]) -> None:
    with ThreadPoolExecutor(len(questions)) as threads:
        for answer in [threads.submit(question) for question in questions]:
            answer.result()


def _channel(channel_id: str) -> Callable[[], object]:
    return partial(dynamodb().get_item, TableName=main_table(), Key=encode(tables.channel_key(channel_id)))


def _videos(channel_id: str) -> Callable[[], object]:
    values = encode({":pk": tables.channel_pk(channel_id), ":prefix": tables.VIDEO_PREFIX})
    return partial(
        _pages,
        TableName=main_table(),
        KeyConditionExpression="PK = :pk AND begins_with(SK, :prefix)",
        ExpressionAttributeValues=values,
    )


def _mentions(channel_id: str, ticker: str | None = None) -> Callable[[], object]:
    only = {"FilterExpression": "ticker = :ticker"} if ticker else {}
    return partial(
        _pages,
        TableName=main_table(),
        IndexName=tables.BY_YOUTUBE_CHANNEL_OR_CHANNEL.name,
        KeyConditionExpression="GSI2PK = :pk",
        ExpressionAttributeValues=encode({":pk": tables.channel_pk(channel_id), ":ticker": ticker}),
        **only,
    )


def _known_stocks(channel_id: str) -> Callable[[], object]:
    tickers = [stock.ticker for stock in track_record.stocks_of_channel(channel_id)]
    keys = [encode({"ticker": ticker}) for ticker in tickers[:100]]
    return partial(dynamodb().batch_get_item, RequestItems={stocks_table(): {"Keys": keys}})


def _pages(**request: Any) -> None:
    while True:
        page = dynamodb().query(**request)
        if "LastEvaluatedKey" not in page:
            return
        request["ExclusiveStartKey"] = page["LastEvaluatedKey"]
