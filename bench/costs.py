"""What a call costs on AWS: capacity units as the engine counts them, and dollars per million calls."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from bench.measure import seeded, table
from bench.pipeline import Outside, process
from bench.reads import reads_of
from functions.store.connection import dynamodb

READ_DOLLARS, WRITE_DOLLARS = 0.125, 0.625
"""Per million request units on demand, us-east-1 (AWS price list, 2025)."""
VIDEOS, MENTIONS = 500, 10
PROCESSED = 50


@dataclass(slots=True)
class Units:
    read: float = 0.0
    write: float = 0.0

    @property
    def dollars_per_million(self) -> float:
        return self.read * READ_DOLLARS + self.write * WRITE_DOLLARS


def run() -> tuple[str, dict[str, Any]]:
    channel_id = seeded(VIDEOS, MENTIONS)
    figures: dict[str, Any] = {}
    for read in reads_of(channel_id):
        figures[read.name] = {"ours": _units(read.ours)}
        if read.per_video:
            figures[read.name]["per video"] = _units(read.per_video)
    video = _units(lambda: process(1, Outside(PROCESSED, seconds=0)))
    figures["processing, each video"] = {"ours": Units(video.read / PROCESSED, video.write / PROCESSED)}
    rows = [(name, *_cells(plans["ours"]), *_cells(plans.get("per video"))) for name, plans in figures.items()]
    title = f"Cost on AWS, {VIDEOS} videos x {MENTIONS} mentions"
    header = (
        "call",
        "read units",
        "write units",
        "$ per million",
        "per video: read units",
        "write units",
        "$ per million",
    )
    kept = {
        name: {plan: {"read": units.read, "write": units.write} for plan, units in plans.items()}
        for name, plans in figures.items()
    }
    return table(title, header, rows), kept


def _cells(units: Units | None) -> tuple[str, str, str]:
    if units is None:
        return ("", "", "")
    return (f"{units.read:.1f}", f"{units.write:.1f}", f"{units.dollars_per_million:.2f}")


def _units(work: Callable[[], object]) -> Units:
    with _counted_units() as units:
        work()
    return units


@contextmanager
def _counted_units() -> Iterator[Units]:
    units = Units()
    writes = {"PutItem", "UpdateItem", "DeleteItem", "BatchWriteItem", "TransactWriteItems"}

    def ask(params: dict[str, Any], model: Any, **_: object) -> None:
        if "ReturnConsumedCapacity" in model.input_shape.members:
            params["ReturnConsumedCapacity"] = "TOTAL"

    def count(parsed: dict[str, Any], model: Any, **_: object) -> None:
        consumed = parsed.get("ConsumedCapacity", [])
        total = sum(each["CapacityUnits"] for each in (consumed if isinstance(consumed, list) else [consumed]))
        if model.name in writes:
            units.write += total
        else:
            units.read += total

    events = dynamodb().meta.events
    events.register("provide-client-params.dynamodb", ask)
    events.register("after-call.dynamodb", count)
    try:
        yield units
    finally:
        events.unregister("provide-client-params.dynamodb", ask)
        events.unregister("after-call.dynamodb", count)
