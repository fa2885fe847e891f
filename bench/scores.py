"""Measures scores and reviews: requests, read units and time, beside the same requests without any work on them."""

import json
from collections.abc import Callable
from dataclasses import fields
from datetime import timedelta
from functools import partial
from itertools import cycle
from random import Random
from typing import Any
from unittest.mock import patch
from uuid import UUID

from bench.costs import units_of
from bench.measure import milliseconds, requests_of, seeded, side_by_side, table, timed, watched
from functions.record.models.records import Channel, ChannelStatus, ReviewOutcome
from functions.record.models.scores import ReviewOrder, StandingItem
from functions.record.models.series import Series, SeriesHeader, series_of_rows
from functions.record.pipeline.keep_score import keep_score
from functions.record.prices.market import benchmark
from functions.record.reviews.queue import review_queue
from functions.record.reviews.review import Judgement, review_call
from functions.record.scores.backtests import backtest_of_channel
from functions.record.scores.calls import calls_of_channel, calls_of_stock
from functions.record.scores.kept import leaderboard_page, version
from functions.record.scoring.types import Horizon, Standing, Strategy
from functions.record.stocks.track_record import stocks_of_channel
from functions.record.store.price_series import headers_of, save_series
from functions.record.store.scorecards import mark_changed
from functions.runtime.caller import Caller
from functions.runtime.clock import now
from functions.runtime.dynamodb.connection import dynamodb
from local.entities import put_entities
from local.seed import LAST_DAY, TICKERS

SIZES = ((500, 10), (2000, 10))
ROUNDS = 9
PAGE = 20
CHANNELS = 1_000
FIRST_CLOSE, LAST_CLOSE = LAST_DAY - timedelta(days=800), LAST_DAY + timedelta(days=180)


def run() -> tuple[str, dict[str, Any]]:
    store_market()
    figures = {f"{videos} videos x {mentions}": _reads_of(seeded(videos, mentions)) for videos, mentions in SIZES}
    _store_standings()
    page = partial(leaderboard_page, Horizon.QUARTER, None, PAGE)
    figures[f"{CHANNELS} channels"] = {f"leaderboard, a page of {PAGE}": _measured(page)}
    return _text(figures), figures


def store_market() -> None:
    """Closes of every ticker of the seed and of the benchmark, written once per bench."""
    tickers = (benchmark().ticker, *TICKERS)
    known = headers_of(tickers)
    for ticker in tickers:
        if ticker not in known:
            _store_closes(ticker)


def _reads_of(channel_id: str) -> dict[str, Any]:
    mark_changed(channel_id)
    stocks = partial(stocks_of_channel, channel_id)
    from_videos = _measured(stocks)
    scoring = timed(partial(keep_score, channel_id))
    return {
        "stocks, from the videos": from_videos,
        "stocks, at rest": _measured(stocks),
        f"calls, a page of {PAGE}": _measured(partial(calls_of_channel, channel_id, Horizon.QUARTER, None, PAGE)),
        f"calls of a stock, a page of {PAGE}": _measured(
            partial(calls_of_stock, TICKERS[0], Horizon.QUARTER, None, PAGE)
        ),
        f"review queue, a page of {PAGE}": _measured(partial(review_queue, channel_id, ReviewOrder.SAMPLE, None, PAGE)),
        "backtest": _measured(partial(backtest_of_channel, channel_id, Strategy.FOLLOW, Horizon.QUARTER, 10.0)),
        "scoring": {"median": scoring},
        # Last, since it invalidates the cached score of the channel.
        "a review": _review_of(channel_id),
    }


def _review_of(channel_id: str) -> dict[str, float]:
    """Each says something else than the one before, so that each is written. The score is not part of it."""
    (queued,) = review_queue(channel_id, ReviewOrder.SAMPLE, None, 1).items
    said = cycle((Judgement(ReviewOutcome.REJECTED), Judgement(ReviewOutcome.CONFIRMED)))

    def review() -> None:
        review_call(channel_id, queued.video.id, queued.mention.ticker, next(said), Caller("bench"))

    with patch("functions.record.reviews.review.dispatcher"):
        return {"requests": requests_of(review), "median": timed(review)}


def _measured(work: Callable[[], object]) -> dict[str, float]:
    timings = side_by_side({"ours": work, "floor": _floor_of(work)}, ROUNDS)
    return {
        "requests": requests_of(work),
        "read units": units_of(work).read,
        "median": timings["ours"].median,
        "p95": timings["ours"].p95,
        "floor": timings["floor"].median,
    }


def _floor_of(work: Callable[[], object]) -> Callable[[], None]:
    """Replays the same requests sequentially, without processing the responses."""
    sent: list[tuple[str, dict[str, Any]]] = []
    with watched(provide_client_params=lambda params, model, **_: sent.append((model.name, params))):
        work()
    methods = {"GetItem": "get_item", "Query": "query", "BatchGetItem": "batch_get_item"}

    def send_again() -> None:
        for name, params in sent:
            getattr(dynamodb(), methods[name])(**params)

    return send_again


def _store_closes(ticker: str) -> None:
    """Invented closes of all weekdays."""
    chance = Random(ticker)
    days = (FIRST_CLOSE + timedelta(number) for number in range((LAST_CLOSE - FIRST_CLOSE).days + 1))
    close, rows = 100.0, []
    for day in days:
        if day.weekday() < 5:
            close *= chance.gauss(1.0003, 0.015)
            rows.append((day, close, close))
    header = SeriesHeader(ticker, FIRST_CLOSE.isoformat(), source="bench", as_of=now())
    save_series(header, series_of_rows(ticker, rows), Series(ticker))


def _store_standings() -> None:
    chance = Random(CHANNELS)
    channels = [_channel(number) for number in range(CHANNELS)]
    lines = [StandingItem(channel.id, version(), _figures(chance), LAST_CLOSE.isoformat()) for channel in channels]
    put_entities([*channels, *lines])


def _channel(number: int) -> Channel:
    timestamp = f"2022-07-01T00:00:00.{number % 1000:03d}Z"
    return Channel(
        id=str(UUID(int=number, version=4)),
        youtube_channel_id=f"UCbench{number:017d}",
        name=f"Channel {number}",
        url=f"https://www.youtube.com/channel/UCbench{number:017d}",
        created_at=timestamp,
        updated_at=timestamp,
        time_range_months=12,
        status=ChannelStatus.COMPLETED,
    )


def _figures(chance: Random) -> str:
    """Full-length numbers at each horizon, as of a channel with many calls."""
    names = [field.name for field in fields(Standing)][1:]
    whole = {"calls": 120, "pending": 12}
    return "\n".join(json.dumps([whole.get(name, chance.random()) for name in names]) for _ in Horizon)


def _text(figures: dict[str, Any]) -> str:
    header = ("", "requests", "read units", "median ms", "p95 ms", "floor: ours is")
    return "\n".join(
        table(f"Scores, {size}", header, [_row(name, read) for name, read in reads.items()])
        for size, reads in figures.items()
    )


def _row(name: str, read: dict[str, float]) -> tuple[object, ...]:
    if "floor" not in read:
        return (name, read.get("requests", ""), "", milliseconds(read["median"]), "", "")
    return (
        name,
        read["requests"],
        f"{read['read units']:.1f}",
        milliseconds(read["median"]),
        milliseconds(read["p95"]),
        f"{read['median'] / read['floor']:.2f} x",
    )
