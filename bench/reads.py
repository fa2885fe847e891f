"""Measures reads: requests and time, beside the per-video plan and the floor."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

from bench.measure import Timing, milliseconds, requests_of, seeded, side_by_side, table, timed
from bench.plans import Floor, PerVideo
from functions.record.channels import channels
from functions.record.prices import refresh as price_keeping
from functions.record.stocks import track_record
from functions.runtime.dynamodb.requests import MAX_BATCH_READ

SIZES = ((100, 5), (500, 10), (2000, 10))
ROUNDS = {100: 15, 500: 9, 2000: 5}
FEWEST_ROUNDS = 2
ROUNDS_TO_ONE_PER_VIDEO = 4
FIRST_PAGE = 20


@dataclass(frozen=True, slots=True)
class Read:
    """One read, done by our code, by a query per video, and by only transferring the bytes."""

    name: str
    ours: Callable[[], object]
    per_video: Callable[[], object] | None = None
    floor: Callable[[], object] | None = None


def run() -> tuple[str, dict[str, Any]]:
    figures: dict[str, Any] = {}
    for videos, mentions in SIZES:
        reads, rounds = reads_of(seeded(videos, mentions)), ROUNDS.get(videos, FEWEST_ROUNDS)
        figures[f"{videos}x{mentions}"] = {read.name: _measured(read, rounds) for read in reads}
    return _text(figures), figures


def reads_of(channel_id: str) -> list[Read]:
    tickers = [stock.ticker for stock in track_record.stocks_of_channel(channel_id).stocks]
    plan, floor = PerVideo(channel_id), Floor(channel_id)
    stocks = partial(floor.stocks, tickers[:MAX_BATCH_READ])
    return [
        Read(
            "stocks",
            partial(track_record.stocks_of_channel, channel_id),
            plan.stocks,
            partial(floor.one_after_another, floor.channel_and_videos, stocks),
        ),
        Read(
            "timeline", partial(track_record.timeline_of_channel, channel_id), plan.mentions, floor.channel_and_videos
        ),
        Read(
            "drill-down",
            partial(track_record.mentions_of_stock, channel_id, tickers[0]),
            partial(plan.mentions, tickers[0]),
            partial(floor.channel_and_videos, only="contains(tickers, :value)", value=tickers[0]),
        ),
        Read(
            "timeline, a page of 20",
            partial(track_record.timeline_after, channel_id, None, FIRST_PAGE),
            floor=partial(floor.page_of_timeline, FIRST_PAGE),
        ),
        Read("logs", partial(channels.list_logs, channel_id, None, consistent=False), floor=floor.logs),
        Read("list of channels", partial(channels.list_channels, 1, FIRST_PAGE), floor=floor.channels),
        Read(
            "refresh, all fresh",
            partial(price_keeping.refresh_prices, channel_id),
            plan.stocks,
            partial(
                floor.one_after_another,
                partial(floor.channel_and_videos, only="attribute_exists(tickers)", ProjectionExpression="tickers"),
                stocks,
            ),
        ),
        Read(
            "backfill, none missing",
            partial(price_keeping.request_backfill, channel_id),
            plan.mentions,
            partial(floor.channel_and_videos, only="attribute_exists(unpriced)", ProjectionExpression="unpriced"),
        ),
    ]


def _measured(read: Read, rounds: int) -> dict[str, Any]:
    plans = {"ours": read.ours} | ({"floor": read.floor} if read.floor else {})
    figures = {
        name: {"median": timing.median, "p95": timing.p95, "requests": requests_of(plans[name])}
        for name, timing in side_by_side(plans, rounds).items()
    }
    return figures | ({"per video": _per_video(read.per_video, rounds)} if read.per_video else {})


@cache
def _per_video(plan: Callable[[], object], rounds: int) -> dict[str, float]:
    """Measured once per plan, which several reads share, and in few rounds: each takes seconds."""
    seconds: list[float] = []
    requests = [
        requests_of(lambda: seconds.append(timed(plan))) for _ in range(max(1, rounds // ROUNDS_TO_ONE_PER_VIDEO))
    ]
    return {"median": Timing.of(seconds).median, "requests": requests[0]}


def _text(figures: dict[str, Any]) -> str:
    header = ("", "requests", "median ms", "p95 ms", "per video: requests", "times slower", "floor: ours is")
    sections = []
    for size, reads in figures.items():
        rows = [_row(name, plans["ours"], plans.get("per video"), plans.get("floor")) for name, plans in reads.items()]
        sections.append(table(f"Reads, {size.replace('x', ' videos x ')} mentions", header, rows))
    return "\n".join(sections)


def _row(
    name: str, ours: dict[str, Any], per_video: dict[str, Any] | None, floor: dict[str, Any] | None
) -> tuple[object, ...]:
    return (
        name,
        ours["requests"],
        milliseconds(ours["median"]),
        milliseconds(ours["p95"]),
        per_video["requests"] if per_video else "",
        f"{per_video['median'] / ours['median']:.1f}" if per_video else "",
        f"{ours['median'] / floor['median']:.2f} x" if floor else "",
    )
