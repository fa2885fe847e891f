"""Every figure of the score equals that of pandas, scipy, statsmodels and empyrical."""

import importlib
import math
import random
from collections.abc import Iterator
from dataclasses import asdict, replace
from types import ModuleType
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from functions.record.models.series import Series
from functions.record.scoring.backtest import backtest
from functions.record.scoring.reading import UNKNOWN_READING, ReadingFigures
from functions.record.scoring.returns import Market
from functions.record.scoring.scorecard import score_channel
from functions.record.scoring.statistics import benjamini_hochberg
from functions.record.scoring.types import Backtest, Call, Horizon, ReadingSource, Strategy
from tests.soak import SOAKING, times
from tests.unit.record.scoring.markets import (
    a_random_market,
    a_random_rate,
    demo_calls,
    demo_market,
    demo_series,
    random_calls,
)

seeds = st.integers(min_value=0, max_value=2**32)
randomised = settings(
    max_examples=times(short=6, long=500),
    deadline=None,
    derandomize=not SOAKING,
    # A seed has no simpler one.
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
)


def oracle() -> ModuleType:
    """Imported by the tests: each test process would load pandas and scipy otherwise, whichever tests it runs."""
    return importlib.import_module("tests.unit.record.scoring.oracle")


def a_random_prices(dice: random.Random, sessions: int, tickers: int) -> "Prices":
    series, benchmark = a_random_market(dice, sessions, tickers)
    return series, benchmark, a_random_rate(dice, benchmark)


def figures(value: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """The figures of a nested dictionary by their path; what is not a number counts as None."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from figures(inner, f"{name}.{key}" if name else key)
    else:
        yield name, None if isinstance(value, float) and math.isnan(value) else value


def assert_equal(ours: dict[str, Any], theirs: dict[str, Any]) -> None:
    expected = dict(figures(theirs))
    actual = {name: value for name, value in figures(ours) if name in expected}
    numbers = {name: value for name, value in expected.items() if isinstance(value, (int, float))}
    assert {**actual, **numbers} == expected
    assert {name: actual[name] for name in numbers} == pytest.approx(numbers, rel=1e-9, abs=1e-9)


Prices = tuple[dict[str, Series], Series, Series]
"""The stocks, the benchmark and the risk-free rate."""
READ = ReadingFigures(0.75, 0.68, 0.81, 0.4, ReadingSource.ANALYST)


def assert_scores_equal(
    calls: list[Call], prices: Prices, cost_bps: float = 10, reading: ReadingFigures = READ
) -> None:
    read = oracle().Reading(reading.right_rate, reading.low, reading.high, reading.found_rate)
    for score in score_channel(calls, Market(*prices), reading=reading, cost_bps=cost_bps):
        expected = oracle().score(calls, score.horizon.value, *prices, cost_bps, read)

        assert asdict(score).keys() - expected.keys() == {"horizon", "sessions", "follows_news_rate"}
        assert_equal(asdict(score), expected)


def assert_backtest_equal(ours: Backtest, calls: list[Call], prices: Prices) -> None:
    curves = oracle().curve(calls, ours.strategy.value, ours.horizon.value, ours.cost_bps, *prices)

    assert (ours.start is None) == (not curves)
    for name, (returns, turnover) in curves.items():
        if len(returns) > 1:
            assert_equal(asdict(getattr(ours, name)), oracle().backtest_stats(returns, turnover))


@randomised
@given(
    seed=seeds,
    sessions=st.integers(30, 330),
    tickers=st.integers(1, 6),
    calls=st.integers(0, 40),
    cost_bps=st.integers(0, 100),
    reading=st.sampled_from((READ, UNKNOWN_READING, replace(READ, low=None), replace(READ, found_rate=None))),
)
def test_the_score_of_a_random_channel(
    seed: int, sessions: int, tickers: int, calls: int, cost_bps: int, reading: ReadingFigures
) -> None:
    dice = random.Random(seed)
    prices = a_random_prices(dice, sessions, tickers)

    assert_scores_equal(random_calls(dice, calls, prices[1], tickers), prices, cost_bps, reading)


@pytest.mark.parametrize("handle", demo_calls())
def test_the_score_of_a_demo_channel(handle: str) -> None:
    assert_scores_equal(demo_calls()[handle], demo_series())


@randomised
@given(
    seed=seeds,
    sessions=st.integers(30, 330),
    tickers=st.integers(1, 6),
    calls=st.integers(0, 40),
    strategy=st.sampled_from(Strategy),
    horizon=st.sampled_from(Horizon),
    cost_bps=st.integers(0, 100),
)
def test_the_backtest_of_a_random_channel(
    seed: int, sessions: int, tickers: int, calls: int, strategy: Strategy, horizon: Horizon, cost_bps: int
) -> None:
    dice = random.Random(seed)
    prices = a_random_prices(dice, sessions, tickers)
    channel = random_calls(dice, calls, prices[1], tickers)

    ours = backtest(channel, Market(*prices), strategy, horizon, cost_bps)

    assert_backtest_equal(ours, channel, prices)


@pytest.mark.parametrize("strategy", Strategy)
@pytest.mark.parametrize("handle", demo_calls())
def test_the_backtest_of_a_demo_channel(handle: str, strategy: Strategy) -> None:
    calls = demo_calls()[handle]

    ours = backtest(calls, demo_market(), strategy, Horizon.QUARTER, cost_bps=10)

    assert_backtest_equal(ours, calls, demo_series())


@given(st.lists(st.floats(0, 1), min_size=1, max_size=40))
def test_the_false_discovery_rate(p_values: list[float]) -> None:
    assert benjamini_hochberg(p_values) == pytest.approx(oracle().q_values(p_values), rel=1e-9, abs=1e-12)
