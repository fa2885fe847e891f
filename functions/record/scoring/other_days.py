"""Results of the same stocks and sides on other days: the base rates, and the placebo test."""

from collections import Counter
from collections.abc import Callable, Sequence
from operator import add, itemgetter, sub
from statistics import fmean
from typing import NamedTuple, TypeVar

from functions.record.scoring.returns import Market, ScoredCall, Stock
from functions.record.scoring.types import Horizon

MAX_SHIFTS = 200
MIN_SHIFTS = 20
ROUNDING = 1e-12
"""Two means that differ by less are equal."""

Number = TypeVar("Number", int, float)


class Days(NamedTuple):
    """A stock's result from each day of the window: 0 on days without a close."""

    changes: list[float]
    excesses: list[float]
    priced: list[int]
    """1 on days with a result, otherwise 0."""
    always_priced: bool


class OtherDays:
    """The window is from the first to the last entry of the scored calls, both inclusive; days count from its first."""

    def __init__(self, scored: Sequence[ScoredCall], horizon: Horizon, market: Market) -> None:
        self._scored = scored
        self._first = min((one.entry for one in scored), default=0)
        self._length = max((one.entry for one in scored), default=-1) - self._first + 1
        self._calls = Counter((one.call.ticker, one.call.side) for one in scored)
        tickers = {ticker for ticker, _ in self._calls}
        self._days = {ticker: self._days_of(market.known_stock(ticker), horizon, market) for ticker in tickers}

    def base_hit_rate(self) -> float | None:
        return self._base_rate(lambda days: days.changes)

    def base_beat_rate(self) -> float | None:
        return self._base_rate(lambda days: days.excesses)

    def base_excess(self) -> float | None:
        """Returns the mean over the calls of their stock's and side's mean excess, on days with a close."""
        if not self._scored:
            return None
        total = 0.0
        for (ticker, side), calls in self._calls.items():
            days = self._days[ticker]
            total += calls * side * sum(days.excesses) / sum(days.priced)
        return total / len(self._scored)

    def placebo_p_value(self) -> float | None:
        """Returns how often the same calls, all shifted by as many days, do as well (or badly) as the real ones."""
        count = min(self._length - 1, MAX_SHIFTS)
        if count < MIN_SHIFTS:
            return None
        shifts = [number * self._length // (count + 1) for number in range(1, count + 1)]
        real = fmean(one.excess for one in self._scored)
        means = self._means_after(shifts)
        if real < 0:
            real, means = -real, [None if mean is None else -mean for mean in means]
        as_good = sum(mean is None or mean >= real - ROUNDING for mean in means)
        return (1 + as_good) / (count + 1)

    def _days_of(self, stock: Stock, horizon: Horizon, market: Market) -> Days:
        """Equivalent to a position on each day, but computed in bulk."""
        sessions, has_ended = horizon.sessions, market.has_ended(stock)
        entries = range(self._first, self._first + self._length)
        exits = [min(entry + sessions, stock.last) for entry in entries]
        priced = [stock.traded[entry] and (has_ended or entry + sessions <= stock.last) for entry in entries]
        days = list(zip(entries, exits, priced, strict=True))
        totals, benchmark = stock.totals, market.benchmark.totals
        changes = [totals[end] / totals[start] - 1 if priced else 0.0 for start, end, priced in days]
        excesses = [
            change - (benchmark[end] / benchmark[start] - 1) if priced else 0.0
            for change, (start, end, priced) in zip(changes, days, strict=True)
        ]
        return Days(changes, excesses, list(map(int, priced)), all(priced))

    def _base_rate(self, values: Callable[[Days], list[float]]) -> float | None:
        """Returns the mean over the calls of how often their stock and side won, on days with a close."""
        if not self._scored:
            return None
        total = 0.0
        for (ticker, side), calls in self._calls.items():
            days = self._days[ticker]
            wins = sum(side * value > 0 for value in values(days))
            total += calls * wins / sum(days.priced)
        return total / len(self._scored)

    def _means_after(self, shifts: Sequence[int]) -> list[float | None]:
        """Returns the mean excess after each shift, over calls that fall on a day with a close; None without any."""
        pick = itemgetter(*shifts)
        sums, counts, ones = [0.0] * len(shifts), [0] * len(shifts), [1] * len(shifts)
        for one in self._scored:
            entry, days = one.entry - self._first, self._days[one.call.ticker]
            sums = list(map(add if one.call.side > 0 else sub, sums, pick(_from(entry, days.excesses))))
            counts = list(map(add, counts, ones if days.always_priced else pick(_from(entry, days.priced))))
        return [total / count if count else None for total, count in zip(sums, counts, strict=True)]


def _from(day: int, values: list[Number]) -> list[Number]:
    """Rotates the values to start at a day."""
    return values[day:] + values[:day]
