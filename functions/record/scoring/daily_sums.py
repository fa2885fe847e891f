"""The error of the mean excess, from what all open calls did together on each day.

Calls overlap, repeat the same stocks and share one market, so they are not independent; days nearly are.
"""

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from statistics import fmean, stdev

from functions.record.scoring.returns import Market, ScoredCall
from functions.record.scoring.statistics import SMALLEST_ERROR, Z_95


@dataclass(frozen=True, slots=True)
class MeanExcess:
    """The mean excess of the scored calls, as a fraction, with its error. None without calls or with one alone."""

    mean: float | None = None
    error: float | None = None
    independent_calls: float | None = None

    @property
    def low(self) -> float | None:
        return None if self.mean is None or self.error is None else self.mean - Z_95 * self.error

    @property
    def high(self) -> float | None:
        return None if self.mean is None or self.error is None else self.mean + Z_95 * self.error


def mean_excess(scored: Sequence[ScoredCall], market: Market) -> MeanExcess:
    if not scored:
        return MeanExcess()
    excesses = [one.excess for one in scored]
    mean, error = fmean(excesses), _error(scored, market)
    if error is None or error <= SMALLEST_ERROR:
        return MeanExcess(mean, error)
    return MeanExcess(mean, error, min(float(len(scored)), (stdev(excesses) / error) ** 2))


def flips_to_turn(scored: Sequence[ScoredCall], mean: MeanExcess) -> int | None:
    """Returns how many calls, turned to the other side, leave an interval of the mean excess that reaches zero.

    The calls that add most in the direction of the mean are turned first, and the error stays as it is.
    """
    if mean.mean is None or mean.error is None:
        return None
    sign = -1 if mean.mean < 0 else 1
    to_lose = (sign * mean.mean - Z_95 * mean.error) * len(scored) / 2
    largest_first = sorted((sign * one.excess for one in scored), reverse=True)
    lost = accumulate(largest_first, initial=0.0)
    return next((flips for flips, total in enumerate(lost) if total >= to_lose), None)


def _error(scored: Sequence[ScoredCall], market: Market) -> float | None:
    """None below two calls, and if none of them was open on any day."""
    sums, numbers = _daily_sums(scored, market)
    open_days = sum(numbers)
    if len(scored) < 2 or not open_days:
        return None
    daily_mean = math.fsum(sums) / open_days
    squares = math.fsum((total - number * daily_mean) ** 2 for total, number in zip(sums, numbers, strict=True))
    return math.sqrt(squares) / len(scored)


def _daily_sums(scored: Sequence[ScoredCall], market: Market) -> tuple[list[float], list[int]]:
    """Returns the sum of the open calls' excesses on each session, and their number."""
    length = len(market.sessions)
    # Changes of the sum of sides by ticker, which make the work independent of the number of calls and their horizon.
    sides: dict[str, list[int]] = defaultdict(lambda: [0] * (length + 1))
    numbers = [0] * (length + 1)
    for one in scored:
        of_ticker = sides[one.call.ticker]
        of_ticker[one.entry + 1] += one.call.side
        of_ticker[one.exit + 1] -= one.call.side
        numbers[one.entry + 1] += 1
        numbers[one.exit + 1] -= 1
    sums = [0.0] * length
    benchmark = market.benchmark.daily_changes
    for ticker, changes_of_side in sides.items():
        changes = market.known_stock(ticker).daily_changes
        for session, side in enumerate(accumulate(changes_of_side[:length])):
            if side:
                sums[session] += side * (changes[session] - benchmark[session])
    return sums, list(accumulate(numbers[:length]))
