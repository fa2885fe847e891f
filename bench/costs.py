"""Estimates the cost of a request on AWS: capacity units as the engine counts them, and dollars per million calls."""

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

from bench.measure import IdleDispatcher, seeded, table, watched
from bench.pipeline import Outside, process
from bench.reads import reads_of
from functions.record.channels import channels
from functions.record.models.records import Channel
from functions.record.prices import current as prices
from functions.record.prices import refresh as price_keeping
from functions.runtime.dispatch import dispatch_with

READ_DOLLARS, WRITE_DOLLARS = 0.125, 0.625
"""Per million request units on demand, us-east-1 (AWS price list, 2025)."""
VIDEOS, MENTIONS = 500, 10
PROCESSED = 50
WRITES = {"PutItem", "UpdateItem", "DeleteItem", "BatchWriteItem", "TransactWriteItems"}


@dataclass(slots=True)
class Units:
    read: float = 0.0
    write: float = 0.0

    @property
    def dollars_per_million(self) -> float:
        return self.read * READ_DOLLARS + self.write * WRITE_DOLLARS


def run() -> tuple[str, dict[str, Any]]:
    # Refreshes stale prices once, so that no measured call does.
    price_keeping.refresh_prices(seeded(VIDEOS, MENTIONS))
    figures = {
        read.name: {"ours": units_of(read.ours)} | ({"per video": units_of(read.per_video)} if read.per_video else {})
        for read in reads_of(seeded(VIDEOS, MENTIONS))
    }
    figures |= {name: {"ours": units_of(work)} for name, work in _life_of_a_channel()}
    video = units_of(lambda: process(1, Outside(PROCESSED, seconds=0)))
    figures["processing, each video"] = {"ours": Units(video.read / PROCESSED, video.write / PROCESSED)}
    rows = [(name, *_cells(plans["ours"]), *_cells(plans.get("per video"))) for name, plans in figures.items()]
    title = f"Cost on AWS, {VIDEOS} videos x {MENTIONS} mentions"
    units = ("read units", "write units", "$ per million")
    kept = {name: {plan: asdict(counted) for plan, counted in plans.items()} for name, plans in figures.items()}
    return table(title, ("call", *units, f"per video: {units[0]}", *units[1:]), rows), kept


def _life_of_a_channel() -> Iterator[tuple[str, Callable[[], object]]]:
    """The mutating calls, in an order in which each is allowed, and the small reads."""
    dispatch_with(IdleDispatcher())
    made: list[Channel] = []
    yield "create", lambda: made.append(channels.create_channel("https://www.youtube.com/@BenchOfCosts", 12))
    channel_id = made[0].id
    yield "one channel", partial(channels.get_channel, channel_id)
    yield "cancel", partial(channels.cancel_channel, channel_id)
    yield "process", partial(channels.process_channel, channel_id)
    yield "delete, with nothing below", partial(channels.delete_channel, channel_id)
    yield "price of a stock", partial(prices.price_of, "AAPL", from_source=True)


def _cells(units: Units | None) -> tuple[str, str, str]:
    if units is None:
        return ("", "", "")
    return (f"{units.read:.1f}", f"{units.write:.1f}", f"{units.dollars_per_million:.2f}")


def units_of(work: Callable[[], object]) -> Units:
    units = Units()

    def request_capacity(params: dict[str, Any], model: Any, **_: object) -> None:
        if "ReturnConsumedCapacity" in model.input_shape.members:
            params["ReturnConsumedCapacity"] = "TOTAL"

    def count(parsed: dict[str, Any], model: Any, **_: object) -> None:
        consumed = parsed.get("ConsumedCapacity", [])
        total = sum(each["CapacityUnits"] for each in (consumed if isinstance(consumed, list) else [consumed]))
        if model.name in WRITES:
            units.write += total
        else:
            units.read += total

    with watched(before_parameter_build=request_capacity, after_call=count):
        work()
    return units
