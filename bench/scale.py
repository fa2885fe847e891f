"""Counts what scheduled jobs and pages read at two sizes, and computes what they would read with more channels."""

import json
import os
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import product
from typing import Any
from uuid import uuid4

from bench.checks import check_of
from bench.costs import units_of
from bench.measure import IdleDispatcher, requests_of, table, watched
from bench.pipeline import Outside, process
from functions.alerts.delivery_store import count_failing_deliveries
from functions.record.channels.channels import list_channels
from functions.record.channels.dead_runs import resume_dead_runs
from functions.record.channels.search import search
from functions.record.models.alerts import Delivery, Way
from functions.record.models.records import Channel, ChannelStatus, CheckEvery
from functions.record.models.runs import Check
from functions.record.models.scores import StandingItem
from functions.record.models.watchlists import Watchlist
from functions.record.pipeline.keep_score import request_due_scores
from functions.record.runs.checks import begin_due_checks
from functions.record.scores.kept import leaderboard_page, scored_as, version
from functions.record.scoring.leaderboard import FIGURES
from functions.record.scoring.types import DEFAULT_HORIZON, Horizon
from functions.record.store.channels import ensure_channel_counter, newest_channels
from functions.record.store.waiting_runs import waiting_runs
from functions.runtime.clock import now, seconds_from_now
from functions.runtime.dispatch import dispatch_with
from functions.runtime.dynamodb.connection import dynamodb
from functions.runtime.ids import new_channel_id
from functions.runtime.settings import settings
from local.entities import put_entities
from local.tables import create_tables

SIZES = (500, 1_500)
COMPUTED = (1_000, 10_000, 100_000, 1_000_000)
USERS_PER_CHANNEL = 0.1
DAY_SECONDS = 24 * 3600
VIDEOS = 20

Work = Callable[[], object]


def run() -> tuple[str, dict[str, Any]]:
    measured = {size: _measured(size) for size in SIZES}
    figures = {name: _line(*(measured[size][name] for size in SIZES)) for name in measured[SIZES[0]]}
    rows = [(name, *(f"{_at(line, size):,.1f}" for size in COMPUTED)) for name, line in figures.items()]
    title = f"Read units of a call, computed from {SIZES[0]:,} and {SIZES[1]:,} channels"
    header = ("call", *(f"{size:,}" for size in COMPUTED))
    writes = _writes_of_a_check()
    per_second = [
        (key, number, *(f"{number * size / DAY_SECONDS:.2f}" for size in COMPUTED)) for key, number in writes.items()
    ]
    text = (
        table(title, header, rows)
        + "\n"
        + table(
            "Writes of a check by index key, and a second if every channel is checked daily",
            ("key", "writes", *header[1:]),
            per_second,
        )
    )
    return text, {"read units": {name: list(line) for name, line in figures.items()}, "writes": dict(writes)}


def _calls() -> Iterator[tuple[str, Work]]:
    """The scheduled jobs with nothing due, and the pages that list channels."""
    start = IdleDispatcher().start_run
    yield "resume dead runs", lambda: resume_dead_runs(start)
    yield "start waiting runs", lambda: list(waiting_runs())
    yield "begin checks", lambda: begin_due_checks(start)
    yield "count failing deliveries", count_failing_deliveries
    yield "request due scores", request_due_scores
    yield "leaderboard, a page", lambda: leaderboard_page(DEFAULT_HORIZON, None, 50)
    yield "search, no match", lambda: search("zzzz")
    yield "channel list, first page", lambda: list_channels(1, 20)


def _measured(size: int) -> dict[str, tuple[int, float, int]]:
    """The read units and requests of each call, beside the number of channels."""
    _fill(size)
    return {name: (size, units_of(work).read, requests_of(work)) for name, work in _calls()}


def _line(small: tuple[int, float, int], large: tuple[int, float, int]) -> tuple[float, float]:
    """Returns the fixed read units and those for each channel."""
    slope = max(0.0, (large[1] - small[1]) / (large[0] - small[0]))
    return small[1] - slope * small[0], slope


def _at(line: tuple[float, float], size: int) -> float:
    return line[0] + line[1] * size


def _fill(size: int) -> None:
    """Writes that many settled channels into tables of their own, each with a score, a check and a delivery."""
    os.environ["DYNAMODB_TABLE_PREFIX"] = f"Bench-scale-{size}-{uuid4().hex[:6]}"
    settings.cache_clear()
    create_tables(dynamodb(), settings().table_prefix)
    dispatch_with(IdleDispatcher())
    channels = [_channel(number) for number in range(size)]
    figures = json.dumps([100 if name in ("calls", "days_invested") else 0.123456789012 for name in FIGURES])
    put_entities(channels)
    put_entities(Check(channel.id, seconds_from_now(DAY_SECONDS)) for channel in channels)
    put_entities(
        StandingItem(channel.id, version(), "\n".join([figures] * len(Horizon)), "2026-01-02") for channel in channels
    )
    put_entities(
        Delivery(f"user{number}", channel.id, Way.WEBHOOK, channel.id, now(), seconds_from_now(DAY_SECONDS))
        for number, channel in enumerate(channels)
    )
    put_entities(
        Watchlist(f"user{number}", 1, channel_ids=(channels[number].id,))
        for number in range(int(size * USERS_PER_CHANNEL))
    )
    ensure_channel_counter()


def _channel(number: int) -> Channel:
    channel = Channel(
        id=new_channel_id(),
        youtube_channel_id=f"UC{number:022}",
        name=f"A channel about stocks, number {number}",
        url=f"https://www.youtube.com/@channel{number}",
        created_at=seconds_from_now(-number),
        updated_at=now(),
        time_range_months=12,
        status=ChannelStatus.COMPLETED,
        check_every=CheckEvery.DAILY,
        next_check_at=seconds_from_now(DAY_SECONDS),
        guards=(f"@channel{number}", f"UC{number:022}"),
    )
    return replace(channel, scored=scored_as(channel))


def _writes_of_a_check() -> Counter[str]:
    """Counts the writes of a check without news by the index key or single item that all channels share."""
    os.environ["DYNAMODB_TABLE_PREFIX"] = f"Bench-scale-check-{uuid4().hex[:6]}"
    settings.cache_clear()
    create_tables(dynamodb(), settings().table_prefix)
    process(1, Outside(VIDEOS, seconds=0))
    dispatch_with(IdleDispatcher())
    check = check_of(newest_channels(1).items[0].id)
    check()
    writes: Counter[str] = Counter()

    def count(params: dict[str, Any], model: Any, **_: object) -> None:
        if model.name == "UpdateItem":
            writes.update(_shared_keys(params["Key"]))
        for action, (kind, name) in product(params.get("TransactItems", ()), _KEYS_OF):
            if kind in action:
                writes.update(_shared_keys(action[kind][name]))

    with watched(provide_client_params=count):
        check()
    return writes


_KEYS_OF = (("Update", "Key"), ("Put", "Item"), ("Delete", "Key"))
_SHARED = {"CHANNEL": "CHANNELS", "RUN": "RUNS", "CHECK": "CHECKS", "WAITING": "WAITING", "PLACES": "the slots"}


def _shared_keys(key: dict[str, Any]) -> list[str]:
    kind = str(key["SK"]["S"]).partition("#")[0]
    return [_SHARED[kind]] if kind in _SHARED else []
