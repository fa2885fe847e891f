"""The details of a scorecard: the distribution of excess returns, and the best and worst calls."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, TypeVar

from functions.record.scores.calls import ScoredCall
from functions.record.scoring.types import HorizonScore
from functions.runtime.json_schema import JsonSchema

Scored = TypeVar("Scored")

CALLS_SHOWN = 5
"""Maximum number of best, and of worst, calls."""
BAR_WIDTHS = (1, 2, 5, 10, 20, 50, 100)
MAX_BARS = 16
OUTLIERS = 40
"""One in this many values at each end may lie outside the bars, and is counted in the outermost."""


@dataclass(frozen=True, slots=True)
class Bar:
    """How many calls have an excess return between two bounds."""

    from_percent: Annotated[int, JsonSchema(description="The first bar also holds what lies below it")]
    to_percent: Annotated[int, JsonSchema(description="The last bar also holds what lies above it")]
    calls: int


@dataclass(frozen=True, slots=True)
class DetailedScore(HorizonScore):
    distribution: Annotated[
        list[Bar], JsonSchema(description="The excess returns in bars of equal width, with zero on an edge")
    ]
    best: Annotated[list[ScoredCall], JsonSchema(description="The calls with the largest excess, best first")]
    worst: Annotated[
        list[ScoredCall], JsonSchema(description="The calls with the smallest excess, worst first; none is in both")
    ]


def distribution(excesses: Sequence[float]) -> list[Bar]:
    """Uses the narrowest bar width at which 16 bars cover everything but the outliers."""
    if not excesses:
        return []
    ordered = sorted(excesses)
    cut = len(ordered) // OUTLIERS
    width, first, last = _bars(ordered[cut], ordered[-1 - cut])
    counts = [0] * (last - first)
    for excess in ordered:
        place = math.floor(excess / width) - first
        counts[max(0, min(len(counts) - 1, place))] += 1
    return [Bar((first + place) * width, (first + place + 1) * width, count) for place, count in enumerate(counts)]


def best_and_worst(by_excess: Sequence[Scored]) -> tuple[list[Scored], list[Scored]]:
    """Expects calls sorted by excess, largest first. No call is in both lists."""
    best = by_excess[: min(CALLS_SHOWN, math.ceil(len(by_excess) / 2))]
    worst = by_excess[len(best) :][-CALLS_SHOWN:]
    return list(best), list(reversed(worst))


def _bars(low: float, high: float) -> tuple[int, int, int]:
    """Returns the width of the bars, and the first and last edge as multiples of it."""
    for width in BAR_WIDTHS:
        first, last = min(math.floor(low / width), -1), max(math.ceil(high / width), 1)
        if last - first <= MAX_BARS:
            return width, first, last
    return width, max(first, -MAX_BARS // 2), min(last, MAX_BARS // 2)
