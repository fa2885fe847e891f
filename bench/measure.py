"""How the bench measures: repeated calls, counted DynamoDB requests, a table to read and a file to keep."""

import statistics
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from functions.store.connection import dynamodb
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
    """The id of a synthetic channel of that size, written once in a bench."""
    return seed(f"bench {videos}x{mentions}", videos, mentions, tell=lambda _: None)


def timed(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def side_by_side(plans: dict[str, Callable[[], object]], rounds: int) -> dict[str, Timing]:
    """Times the plans in turns, so that whatever slows the machine down slows all of them."""
    for work in plans.values():
        work()
    seconds: dict[str, list[float]] = {name: [] for name in plans}
    for _ in range(rounds):
        for name, work in plans.items():
            seconds[name].append(timed(work))
    return {name: Timing.of(taken) for name, taken in seconds.items()}


_made: Counter[str] = Counter()


def count_requests_of(client: Any) -> None:
    client.meta.events.register("before-call.dynamodb", _count, unique_id="counted")


def _count(model: Any, **_: object) -> None:
    _made[model.name] += 1


def requests_of(work: Callable[[], object]) -> int:
    """The DynamoDB requests that the work makes, by our own client and those that were named above."""
    count_requests_of(dynamodb())
    before = _made.total()
    work()
    return _made.total() - before


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
