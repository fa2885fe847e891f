"""Measures alerts: a feed of 1,000 calls, beside the raw requests for the same items, and the delivery of alerts."""

from collections.abc import Callable
from functools import partial
from typing import Any

from bench.measure import milliseconds, requests_of, side_by_side, table
from functions.alerts.atom_feeds import ENTRIES, feed_of_all, feed_of_channel
from functions.alerts.delivery import deliver_alerts
from functions.record.models.alerts import Alert, AlertKind
from functions.record.models.records import Channel
from functions.runtime import ids
from functions.runtime.clock import now
from functions.runtime.dynamodb import tables
from functions.runtime.dynamodb.attributes import encode
from functions.runtime.dynamodb.connection import dynamodb, main_table
from local.entities import put_entities

CALLS = 1000
CALLS_OF_A_VIDEO = 2
ROUNDS = 25
ADDRESS = "http://localhost/api/feed.atom"


def run() -> tuple[str, dict[str, Any]]:
    channel_id = _stored()
    plans: dict[str, dict[str, Callable[[], object]]] = {
        "feed of a channel": {
            "ours": partial(feed_of_channel, channel_id, ADDRESS),
            "floor": partial(_raw, channel_id, of_all=False),
        },
        "feed of all channels": {
            "ours": partial(feed_of_all, ADDRESS),
            "floor": partial(_raw, channel_id, of_all=True),
        },
        "the scheduled job, with nothing to deliver": {"ours": deliver_alerts, "floor": _idle_queries},
    }
    figures = {name: _measured(both) for name, both in plans.items()}
    header = ("", "requests", "median ms", "p95 ms", "floor ms", "ours is")
    return table(f"Alerts, {CALLS:,} calls", header, [_row(name, both) for name, both in figures.items()]), figures


def _stored() -> str:
    """A channel whose calls were all announced, two per video, with quotes of typical length."""
    created = now()
    channel = Channel(
        ids.new_channel_id(), "UCbenchalerts", "Bench", "https://www.youtube.com/@b", created, created, 12
    )
    put_entities([channel, *(_alert(channel.id, number) for number in range(CALLS // CALLS_OF_A_VIDEO))])
    return channel.id


def _alert(channel_id: str, number: int) -> Alert:
    url = f"https://www.youtube.com/watch?v=video{number:06d}&t=61s"
    details = tuple(
        {
            "ticker": ticker,
            "sentiment": "buy",
            "before": "sell",
            "is_reversal": True,
            "quote": "So at this price I am buying more of it, and I think that you should look at it, too. " * 2,
            "quote_url": url,
        }
        for ticker in ("AAPL", "MSFT")
    )
    return Alert(
        id=ids.new_alert_id(),
        channel_id=channel_id,
        kind=AlertKind.CALLS,
        occurred_at=f"20{10 + number // 360:02d}-{number // 30 % 12 + 1:02d}-{number % 28 + 1:02d}T00:00:00.000Z",
        created_at=now(),
        details=details,
        video_id=ids.video_id(channel_id, f"video{number:06d}"),
        video_title="Why I am buying more of these two stocks at this price",
    )


def _raw(channel_id: str, *, of_all: bool) -> None:
    """Baseline: the fewest requests that transfer the bytes, without processing the responses."""
    values = {":pk": tables.ALL_ALERTS} if of_all else {":pk": tables.channel_pk(channel_id), ":prefix": "ALERT#"}
    dynamodb().query(
        TableName=main_table(),
        **({"IndexName": tables.BY_TICKER_OR_LISTING.name} if of_all else {}),
        KeyConditionExpression="GSI1PK = :pk" if of_all else "PK = :pk AND begins_with(SK, :prefix)",
        ExpressionAttributeValues=encode(values),
        ScanIndexForward=False,
        Limit=ENTRIES,
    )
    dynamodb().get_item(TableName=main_table(), Key=encode(tables.channel_key(channel_id)))


def _idle_queries() -> None:
    index = tables.BY_TICKER_OR_LISTING, tables.BY_TICKER_OR_LISTING, tables.BY_YOUTUBE_CHANNEL_OR_CHANNEL
    for each, pk in zip(index, (tables.OPEN_DELIVERIES, tables.OPEN_DELIVERIES, tables.OUTBOX), strict=True):
        dynamodb().query(
            TableName=main_table(),
            IndexName=each.name,
            KeyConditionExpression=f"{each.partition} = :pk",
            ExpressionAttributeValues=encode({":pk": pk}),
        )


def _measured(plans: dict[str, Callable[[], object]]) -> dict[str, Any]:
    timings = side_by_side(plans, ROUNDS)
    return {
        name: {"median": timings[name].median, "p95": timings[name].p95, "requests": requests_of(work)}
        for name, work in plans.items()
    }


def _row(name: str, plans: dict[str, Any]) -> tuple[object, ...]:
    ours, floor = plans["ours"], plans["floor"]
    return (
        name,
        ours["requests"],
        milliseconds(ours["median"]),
        milliseconds(ours["p95"]),
        milliseconds(floor["median"]),
        f"{ours['median'] / floor['median']:.2f}",
    )
