"""The calendar-time portfolio: the holdings on each day of someone who follows every call."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from functions.record.scoring.returns import Market, Stock
from functions.record.scoring.statistics import regress
from functions.record.scoring.types import Call, Horizon

DAYS_NEEDED = 20
SESSIONS_A_YEAR = 252
PRIOR_ALPHA = 0.05
"""The prior standard deviation of a channel's annual alpha, around zero."""


class Holding(NamedTuple):
    """A stock held on a side over the days from first to last, both inclusive."""

    stock: Stock
    ticker: str
    side: int
    first: int
    last: int


class PortfolioDay(NamedTuple):
    session: int
    change: float
    benchmark_change: float


@dataclass(frozen=True, slots=True)
class Alpha:
    """The portfolio's annual alpha over the market, as a fraction. None with too few days."""

    alpha: float | None = None
    t: float | None = None
    p_value: float | None = None
    beta: float | None = None
    expected: float | None = None
    """Alpha shrunk towards zero in proportion to its uncertainty."""


def holdings(oldest_first: Iterable[Call], horizon: Horizon, market: Market) -> Iterator[Holding]:
    """By ticker, in order. A later call on a stock replaces the previous one; a stock leaves at its last close."""
    for ticker, entries in _entries(oldest_first, market).items():
        stock = market.known_stock(ticker)
        replaced_at = [*list(entries)[1:], market.last]
        for (entry, side), replaced in zip(entries.items(), replaced_at, strict=True):
            last = min(entry + horizon.sessions, replaced, stock.last)
            if last > entry:
                yield Holding(stock, ticker, side, entry + 1, last)


def days_invested(oldest_first: Iterable[Call], horizon: Horizon, market: Market) -> list[PortfolioDay]:
    """Returns the days with holdings, each with the unweighted mean of their returns."""
    sums: dict[int, float] = defaultdict(float)
    held: dict[int, int] = defaultdict(int)
    for holding in holdings(oldest_first, horizon, market):
        changes = holding.stock.daily_changes
        for day in range(holding.first, holding.last + 1):
            sums[day] += holding.side * changes[day]
            held[day] += 1
    return [PortfolioDay(day, sums[day] / held[day], market.benchmark.daily_changes[day]) for day in sorted(held)]


def alpha_of(days: Sequence[PortfolioDay]) -> Alpha:
    regression = regress([day.change for day in days], [day.benchmark_change for day in days])
    if len(days) < DAYS_NEEDED or regression is None:
        return Alpha()
    alpha, error = regression.alpha * SESSIONS_A_YEAR, regression.alpha_error * SESSIONS_A_YEAR
    return Alpha(
        alpha,
        t=regression.alpha_t,
        p_value=regression.p_value,
        beta=regression.beta,
        expected=alpha * PRIOR_ALPHA**2 / (PRIOR_ALPHA**2 + error**2),
    )


def _entries(oldest_first: Iterable[Call], market: Market) -> dict[str, dict[int, int]]:
    """Returns by ticker the sessions at which it was entered, in order, each with the side of the latest call there."""
    sides: dict[str, dict[int, int]] = defaultdict(dict)
    for call in oldest_first:
        stock, entry = market.stock(call.ticker), market.entry_after(call)
        if stock and stock.traded_at(entry):
            sides[call.ticker][entry] = call.side
    return sides
