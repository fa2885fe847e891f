"""The simulated value of a portfolio that follows a channel, compared with buying and holding the benchmark."""

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import accumulate, pairwise
from statistics import fmean, stdev
from typing import NamedTuple

from functions.record.scoring.portfolio import Holding, holdings
from functions.record.scoring.returns import Market, chronological
from functions.record.scoring.risk_free import SESSIONS_A_YEAR
from functions.record.scoring.types import Backtest, BacktestPoint, BacktestStats, Call, Horizon, Strategy

START_VALUE = 100.0
MAX_POINTS = 600
NO_STATS = BacktestStats(None, None, None, None, None, None)


class Day(NamedTuple):
    change: float
    turnover: float
    """The sum of the weight changes at the previous close."""
    is_invested: bool


def backtest(calls: Iterable[Call], market: Market, strategy: Strategy, horizon: Horizon, cost_bps: float) -> Backtest:
    held = list(_followed(holdings(chronological(calls), horizon, market), strategy))
    if not held:
        return Backtest(strategy, horizon, cost_bps, None, None, NO_STATS, NO_STATS, NO_STATS, [])
    start = min(holding.first for holding in held) - 1
    days = _days(held, start, market)
    same_days = _index_on_same_days(days, start, market)
    values, same_days_values = _after_costs(days, cost_bps), _after_costs(same_days, cost_bps)
    benchmark_values = _curve(market.benchmark.daily_changes[start + 1 :])
    return Backtest(
        strategy,
        horizon,
        cost_bps,
        start=market.sessions[start].isoformat(),
        end=market.sessions[-1].isoformat(),
        stats=_stats(values, sum(day.turnover for day in days)),
        benchmark_stats=_stats(benchmark_values, 0.0),
        same_days_stats=_stats(same_days_values, sum(day.turnover for day in same_days)),
        points=[
            BacktestPoint(
                market.sessions[start + day].isoformat(), values[day], benchmark_values[day], same_days_values[day]
            )
            for day in _evenly(len(values))
        ],
    )


def _followed(held: Iterable[Holding], strategy: Strategy) -> Iterable[Holding]:
    if strategy is Strategy.FOLLOW:
        return (holding for holding in held if holding.side > 0)
    if strategy is Strategy.INVERSE:
        return (holding._replace(side=-holding.side) for holding in held)
    return held


def _days(held: Iterable[Holding], start: int, market: Market) -> list[Day]:
    """The days after the start, up to the last session."""
    sums, numbers = [0.0] * (market.last + 2), [0] * (market.last + 2)
    moves = _Moves()
    for holding in held:
        moves.add(holding)
        changes, side = holding.stock.daily_changes, holding.side
        for session in range(holding.first, holding.last + 1):
            sums[session] += side * changes[session]
            numbers[session] += 1
    return [
        Day(
            sums[session] / numbers[session] if numbers[session] else 0.0,
            moves.turnover(session, numbers[session - 1], numbers[session]),
            is_invested=numbers[session] > 0,
        )
        for session in range(start + 1, market.last + 1)
    ]


def _index_on_same_days(days: Sequence[Day], start: int, market: Market) -> list[Day]:
    """Returns the days of someone who holds the index while the channel holds something, else cash with interest."""
    held_before = [False, *(day.is_invested for day in days[:-1])]
    return [
        Day(
            (market.benchmark.daily_changes if day.is_invested else market.risk_free)[session],
            float(day.is_invested != before),
            day.is_invested,
        )
        for session, (before, day) in enumerate(zip(held_before, days, strict=True), start=start + 1)
    ]


class _Moves:
    """Counts the stocks bought, sold or switched to the other side on each day."""

    def __init__(self) -> None:
        self._entered: defaultdict[int, int] = defaultdict(int)
        self._turned: defaultdict[int, int] = defaultdict(int)
        self._left: defaultdict[int, int] = defaultdict(int)
        self._newest: dict[str, Holding] = {}

    def add(self, holding: Holding) -> None:
        """The holdings of a stock must be in order."""
        before = self._newest.get(holding.ticker)
        if before is None or before.last + 1 < holding.first:
            self._entered[holding.first] += 1
        else:
            self._left[holding.first] -= 1
            self._turned[holding.first] += before.side != holding.side
        self._left[holding.last + 1] += 1
        self._newest[holding.ticker] = holding

    def turnover(self, session: int, held_before: int, held: int) -> float:
        """Returns the sum of weight changes: all stocks are weighted equally, with the sign of their side."""
        before, after = 1 / held_before if held_before else 0.0, 1 / held if held else 0.0
        entered, turned = self._entered[session], self._turned[session]
        stayed = held - entered - turned
        changed = stayed * abs(after - before) + turned * (before + after)
        return changed + entered * after + self._left[session] * before


def _after_costs(days: Iterable[Day], cost_bps: float) -> list[float]:
    return _curve(day.change - cost_bps / 10_000 * day.turnover for day in days)


def _curve(changes: Iterable[float]) -> list[float]:
    """Returns the value after each day. Losses are capped at the whole value."""
    return list(accumulate(changes, lambda value, change: value * max(0.0, 1 + change), initial=START_VALUE))


def _stats(values: Sequence[float], turnover: float) -> BacktestStats:
    changes = [after / before - 1 if before else 0.0 for before, after in pairwise(values)]
    years = len(changes) / SESSIONS_A_YEAR
    deviation = stdev(changes) if len(changes) > 1 else None
    return BacktestStats(
        cagr_percent=100 * ((values[-1] / START_VALUE) ** (1 / years) - 1),
        volatility_percent=None if deviation is None else 100 * deviation * math.sqrt(SESSIONS_A_YEAR),
        sharpe=fmean(changes) / deviation * math.sqrt(SESSIONS_A_YEAR) if deviation else None,
        max_drawdown_percent=100 * _max_drawdown(values),
        turnover_per_year=turnover / years,
        final_value=values[-1],
    )


def _max_drawdown(values: Sequence[float]) -> float:
    """Returns the largest drawdown from a previous high, as a negative fraction."""
    return min(value / peak - 1 for value, peak in zip(values, accumulate(values, max), strict=True))


def _evenly(count: int) -> list[int]:
    """Returns the indices below the count, thinned to as many as a chart needs, including the first and the last."""
    if count <= MAX_POINTS:
        return list(range(count))
    return [number * (count - 1) // (MAX_POINTS - 1) for number in range(MAX_POINTS)]
