"""The calendar-time portfolio: the holdings on each day of someone who follows every call."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from functions.record.scoring.returns import Market, Stock
from functions.record.scoring.risk_free import SESSIONS_A_YEAR
from functions.record.scoring.statistics import regress
from functions.record.scoring.types import Call, Horizon

DAYS_NEEDED = 20
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
    """A day with holdings. Returns are those beyond the risk-free rate, after costs."""

    session: int
    excess: float
    benchmark_excess: float


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


def days_invested(held: Sequence[Holding], market: Market, cost_bps: float) -> list[PortfolioDay]:
    """Returns the days with holdings, each with the unweighted mean of their returns."""
    length = len(market.sessions)
    sums, numbers = [0.0] * length, [0] * length
    free, benchmark = market.risk_free, market.benchmark.daily_changes
    for holding in held:
        changes, side = holding.stock.daily_changes, holding.side
        for day in range(holding.first, holding.last + 1):
            sums[day] += side * (changes[day] - free[day])
            numbers[day] += 1
    trades = _trades(held, market.last)
    return [
        PortfolioDay(day, (sums[day] - cost_bps / 10_000 * trades[day]) / numbers[day], benchmark[day] - free[day])
        for day in range(length)
        if numbers[day]
    ]


def alpha_of(excesses: Sequence[float], benchmark_excesses: Sequence[float]) -> Alpha:
    regression = regress(excesses, benchmark_excesses)
    if len(excesses) < DAYS_NEEDED or regression is None:
        return Alpha()
    alpha, error = regression.alpha * SESSIONS_A_YEAR, regression.alpha_error * SESSIONS_A_YEAR
    return Alpha(
        alpha,
        t=regression.alpha_t,
        p_value=regression.p_value,
        beta=regression.beta,
        expected=alpha * PRIOR_ALPHA**2 / (PRIOR_ALPHA**2 + error**2),
    )


def _trades(held: Iterable[Holding], last_session: int) -> dict[int, int]:
    """Returns how many positions are opened on each day, or closed at its end. What is still held at the last session
    is not closed, and a call that repeats the side of a stock that is held trades nothing."""
    trades: dict[int, int] = defaultdict(int)
    before: Holding | None = None
    for holding in held:
        goes_on = (
            before is not None
            and (before.ticker, before.side) == (holding.ticker, holding.side)
            and before.last + 1 == holding.first
        )
        if goes_on:
            trades[holding.first - 1] -= 1
        else:
            trades[holding.first] += 1
        trades[holding.last] += holding.last < last_session
        before = holding
    return trades


def _entries(oldest_first: Iterable[Call], market: Market) -> dict[str, dict[int, int]]:
    """Returns by ticker the sessions at which it was entered, in order, each with the side of the latest call there."""
    sides: dict[str, dict[int, int]] = defaultdict(dict)
    for call in oldest_first:
        stock, entry = market.stock(call.ticker), market.entry_after(call)
        if stock and stock.traded_at(entry):
            sides[call.ticker][entry] = call.side
    return sides
