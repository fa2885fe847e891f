"""Measures a page of the channel list with few and with many channels: requests, time, and requests a second."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

from urllib3 import PoolManager

from bench.measure import milliseconds, requests_of, side_by_side, table
from bench.server import load, running_server
from functions.record.channels import channels
from functions.record.models.records import Channel, ChannelStatus
from functions.record.store.channels import ensure_channel_counter
from functions.runtime.clock import timestamp
from functions.runtime.dynamodb.connection import dynamodb
from functions.runtime.settings import settings
from local.entities import put_entities
from local.tables import create_tables, delete_tables

SIZES = (10, 1_000, 10_000)
PER_PAGE = 20
ROUNDS = 50
CLIENTS = 8


def run() -> tuple[str, dict[str, Any]]:
    figures = {str(size): _measured(size) for size in SIZES}
    rows = [
        (f"{int(size):,}", f["requests"], milliseconds(f["median"]), milliseconds(f["p95"]), f"{f['per_second']:.0f}")
        for size, f in figures.items()
    ]
    header = ("channels", "DynamoDB requests", "median ms", "p95 ms", f"pages/s, {CLIENTS} clients")
    ratio = figures[str(SIZES[-1])]["median"] / figures[str(SIZES[0])]["median"]
    text = table(f"A page of {PER_PAGE} of the channel list", header, rows)
    return f"{text}\nWith {SIZES[-1]:,} channels a page takes {ratio:.2f} times as long as with {SIZES[0]}.", figures


def _measured(size: int) -> dict[str, float]:
    page = partial(channels.list_channels, 1, PER_PAGE)
    with _tables_with(size):
        timing = side_by_side({"page": page}, ROUNDS)["page"]
        with running_server() as address:
            path = f"/api/channels?per_page={PER_PAGE}"
            http = PoolManager(maxsize=CLIENTS)
            # The first load starts the processes that serve it.
            _, served = (load(http, address, (path,), CLIENTS) for _ in range(2))
        return {
            "requests": requests_of(page),
            "median": timing.median,
            "p95": timing.p95,
            "per_second": served["per_second"],
        }


@contextmanager
def _tables_with(size: int) -> Iterator[None]:
    """Creates separate tables with this many channels and nothing else."""
    before = settings().table_prefix
    _use_tables(f"{before}-{size}-channels")
    create_tables(dynamodb(), settings().table_prefix)
    try:
        put_entities([_channel(number) for number in range(size)])
        ensure_channel_counter()
        yield
    finally:
        delete_tables(dynamodb(), settings().table_prefix)
        _use_tables(before)


def _use_tables(prefix: str) -> None:
    os.environ["DYNAMODB_TABLE_PREFIX"] = prefix
    settings.cache_clear()


def _channel(number: int) -> Channel:
    created = timestamp(datetime(2025, 1, 1, tzinfo=UTC) + timedelta(seconds=number))
    return Channel(
        id=f"00000000-0000-4000-8000-{number:012d}",
        youtube_channel_id=f"UCbench{number:012d}",
        name=f"Channel {number}",
        url=f"https://www.youtube.com/channel/UCbench{number:012d}",
        created_at=created,
        updated_at=created,
        time_range_months=12,
        status=ChannelStatus.COMPLETED,
    )
