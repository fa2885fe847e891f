"""Measuring tools of the benchmarks: repeated calls, counted DynamoDB requests, and tables of the results."""

import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import Any

from functions.runtime.dispatch import Job
from functions.runtime.dynamodb.connection import dynamodb
from local.seed import seed


@dataclass(frozen=True, slots=True)
class Timing:
    median: float
    p95: float

    @classmethod
    def of(cls, seconds: Sequence[float]) -> "Timing":
        ordered = sorted(seconds)
        return cls(statistics.median(ordered), ordered[min(len(ordered) - 1, int(len(ordered) * 0.95))])


@cache
def seeded(videos: int, mentions: int) -> str:
    """The id of a synthetic channel of that size, written once per bench."""
    return seed(f"bench {videos}x{mentions}", videos, mentions, report=lambda _: None)


def timed(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def side_by_side(plans: dict[str, Callable[[], object]], rounds: int) -> dict[str, Timing]:
    """Times the plans in turns, so that other load affects all of them alike."""
    for work in plans.values():
        work()
    seconds: dict[str, list[float]] = {name: [] for name in plans}
    for _ in range(rounds):
        for name, work in plans.items():
            seconds[name].append(timed(work))
    return {name: Timing.of(taken) for name, taken in seconds.items()}


_other_clients: list[Any] = []


def observe(client: Any) -> None:
    """Counts the requests of this client as well as our own."""
    _other_clients.append(client)


@contextmanager
def watched(**handlers: Callable[..., None]) -> Iterator[None]:
    """Calls the handlers at these events of every DynamoDB client, with `_` for the dashes in their names."""
    named = [(f"{event.replace('_', '-')}.dynamodb", handler) for event, handler in handlers.items()]
    emitters = [client.meta.events for client in (dynamodb(), *_other_clients)]
    for emitter, (event, handler) in product(emitters, named):
        emitter.register(event, handler)
    try:
        yield
    finally:
        for emitter, (event, handler) in product(emitters, named):
            emitter.unregister(event, handler)


def requests_of(work: Callable[[], object]) -> int:
    """Counts the DynamoDB requests of the work."""
    made: list[str] = []
    with watched(before_call=lambda model, **_: made.append(model.name)):
        work()
    return len(made)


class IdleDispatcher:
    """Drops all work, so that only the measured call is timed."""

    def start_run(self, channel_id: str, run_id: str) -> None: ...

    def stop_run(self, channel_id: str, run_id: str) -> None: ...

    def send(self, job: Job, delay_seconds: float = 0) -> None: ...


def table(title: str, header: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    texts = [[str(cell) for cell in row] for row in [header, *rows]]
    widths = [max(len(row[column]) for row in texts) for column in range(len(header))]
    lines = [
        "  ".join(
            cell.ljust(width) if column == 0 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in texts
    ]
    return "\n".join(["", title, "-" * len(title), *lines])


def milliseconds(seconds: float) -> str:
    return f"{seconds * 1000:.1f}"
