"""The return of following a channel, on markets small enough to compute by hand."""

from collections.abc import Mapping, Sequence
from datetime import date

import pytest

from functions.record.models.series import Series
from functions.record.scoring.backtest import MAX_POINTS, NO_STATS, backtest
from functions.record.scoring.returns import Market
from functions.record.scoring.types import Backtest, Call, Horizon, Strategy
from tests.unit.record.scoring.markets import a_series, weekdays

DAYS = weekdays(10, date(2024, 1, 1))
FLAT = a_series("SPY", [100.0] * 10, DAYS)


def curve(result: Backtest) -> list[float]:
    return [point.value for point in result.points]


def run(
    calls: list[Call],
    closes: Mapping[str, Sequence[float | None]],
    strategy: Strategy = Strategy.FOLLOW,
    cost_bps: float = 0,
) -> Backtest:
    series = {ticker: a_series(ticker, values, DAYS) for ticker, values in closes.items()}
    return backtest(calls, Market(series, FLAT), strategy, Horizon.WEEK, cost_bps)


BUY = Call("v1", "AAA", 1, "2024-01-01")
SELL = Call("v2", "AAA", -1, "2024-01-03")
DOUBLES = {"AAA": [100.0, 100.0, 110.0, 110.0, 110.0, 121.0, 121.0, 121.0, 242.0, 242.0]}


def test_the_curve_starts_at_100_at_the_first_entry_and_ends_at_the_last_session() -> None:
    result = run([BUY], DOUBLES)

    assert (result.start, result.end) == ("2024-01-02", "2024-01-12")
    assert curve(result) == pytest.approx([100, 110, 110, 110, 121, 121, 121, 121, 121])
    assert [point.benchmark for point in result.points] == [100.0] * 9
    assert result.stats.final_value == pytest.approx(121)
    assert result.stats.max_drawdown_percent == 0.0
    assert result.stats.cagr_percent == pytest.approx(100 * (1.21 ** (252 / 8) - 1))


def test_a_sell_call_ends_what_is_followed() -> None:
    assert curve(run([BUY, SELL], DOUBLES)) == pytest.approx([100, 110, 110, *[110] * 6])


def test_long_short_turns_at_the_sell_call_and_inverse_is_its_mirror() -> None:
    long_short = run([BUY, SELL], DOUBLES, Strategy.LONG_SHORT)
    inverse = run([BUY, SELL], DOUBLES, Strategy.INVERSE)

    assert curve(long_short) == pytest.approx([100, 110, 110, 110, 99, 99, 99, 0, 0])
    assert curve(inverse) == pytest.approx([100, 90, 90, 90, 99, 99, 99, 198, 198])


def test_a_portfolio_that_lost_everything_stays_at_nothing() -> None:
    result = run([SELL], {"AAA": [100.0] * 5 + [250.0, 100.0, 100.0, 100.0, 100.0]}, Strategy.LONG_SHORT)

    assert curve(result)[-1] == 0.0
    assert result.stats.cagr_percent == -100.0
    assert result.stats.max_drawdown_percent == -100.0


def test_costs_are_paid_for_every_change_of_weight() -> None:
    flat = {"AAA": [100.0] * 10, "BBB": [50.0] * 10}
    calls = [BUY, Call("v2", "BBB", 1, "2024-01-02")]

    result = run(calls, flat, cost_bps=100)

    # In: 1. Then half of it into the other: 1/2 + 1/2. Out of the first: 1/2, into the second: 1/2. Out: 1.
    assert curve(result) == pytest.approx([100, 99, *[99 * 0.99] * 4, 99 * 0.99**2, *[99 * 0.99**3] * 2])
    assert result.stats.turnover_per_year == pytest.approx(4 / (8 / 252))
    assert result.benchmark_stats.turnover_per_year == 0.0


def test_without_a_call_that_can_be_followed_there_is_no_curve() -> None:
    expected = Backtest(Strategy.FOLLOW, Horizon.WEEK, 0, None, None, NO_STATS, NO_STATS, NO_STATS, [])

    assert run([SELL], DOUBLES) == expected
    assert run([], DOUBLES) == expected
    assert backtest([BUY], Market({}, Series("SPY")), Strategy.FOLLOW, Horizon.WEEK, 0) == expected


def test_a_long_curve_is_thinned_to_what_a_chart_needs() -> None:
    days = weekdays(2000)
    closes = [float(number) for number in range(1, 2001)]
    series = {"AAA": a_series("AAA", closes, days)}

    result = backtest(
        [Call("v", "AAA", 1, days[0].isoformat())],
        Market(series, a_series("SPY", closes, days)),
        Strategy.FOLLOW,
        Horizon.YEAR,
        0,
    )

    assert len(result.points) == MAX_POINTS
    assert (result.points[0].date, result.points[-1].date) == (result.start, result.end)
    assert result.points[-1].benchmark == result.benchmark_stats.final_value
    assert sorted(point.date for point in result.points) == [point.date for point in result.points]
