"""Compares the portfolio of a channel's calls with the stocks it talks about, held all the time."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Sequence

from functions.record.scoring.portfolio import Alpha, Holding, PortfolioDay, alpha_of
from functions.record.scoring.returns import Market

ROUNDING = 1e-12
"""Returns that differ by less are equal."""


def timing_of(held: Sequence[Holding], days: Sequence[PortfolioDay], market: Market) -> Alpha:
    """Returns the alpha of the portfolio less its own stocks. If they never differ, no timing is seen: p is 1."""
    own = own_stocks(held, [day.session for day in days], market)
    differences = [day.excess - of_stocks for day, of_stocks in zip(days, own, strict=True)]
    timing = alpha_of(differences, [day.benchmark_excess for day in days])
    if timing.alpha is None or any(abs(difference) > ROUNDING for difference in differences):
        return timing
    return Alpha(timing.alpha, t=None, p_value=1.0)


def own_stocks(held: Sequence[Holding], days: Sequence[int], market: Market) -> list[float]:
    """Returns the daily return beyond the risk-free rate of all stocks ever held, each weighted by its calls.

    The days must be in order. On a day without a return of some stocks, the others take their weight.
    """
    weights: dict[str, float] = defaultdict(float)
    for holding in held:
        weights[holding.ticker] += holding.side / len(held)
    of_all = sum(map(abs, weights.values()))
    length, free = len(market.sessions), market.risk_free
    sums, present = [0.0] * length, [0.0] * length
    for ticker, weight in weights.items():
        stock = market.known_stock(ticker)
        changes, size = stock.daily_changes, abs(weight)
        for day in days[bisect_right(days, stock.first) : bisect_right(days, stock.last)]:
            sums[day] += weight * (changes[day] - free[day])
            present[day] += size
    return [sums[day] * of_all / present[day] if present[day] else 0.0 for day in days]
