"""Every figure of the score equals that of pandas, scipy, statsmodels and empyrical."""

import importlib
import math
import random
from collections.abc import Iterator
from dataclasses import asdict
from types import ModuleType
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from functions.record.models.series import Series
from functions.record.scoring.backtest import backtest
from functions.record.scoring.scorecard import score_channel
from functions.record.scoring.statistics import benjamini_hochberg
from functions.record.scoring.types import Backtest, Call, Horizon, Strategy
from tests.soak import SOAKING, times
from tests.unit.record.scoring.markets import a_random_market, demo_calls, demo_market, random_calls

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


def assert_scores_equal(calls: list[Call], series: dict[str, Series], benchmark: Series) -> None:
    for score in score_channel(calls, series, benchmark):
        expected = oracle().score(calls, score.horizon.value, series, benchmark)

        assert asdict(score).keys() - expected.keys() == {"horizon", "sessions", "follows_news_rate"}
        assert_equal(asdict(score), expected)


def assert_backtest_equal(ours: Backtest, calls: list[Call], series: dict[str, Series], benchmark: Series) -> None:
    returns, market, turnover = oracle().curve(
        calls, ours.strategy.value, ours.horizon.value, ours.cost_bps, series, benchmark
    )

    assert (ours.start is None) == returns.empty
    if len(returns) > 1:
        assert_equal(asdict(ours.stats), oracle().backtest_stats(returns, turnover))
        assert_equal(asdict(ours.benchmark_stats), oracle().backtest_stats(market, 0.0))


@randomised
@given(seed=seeds, sessions=st.integers(30, 330), tickers=st.integers(1, 6), calls=st.integers(0, 40))
def test_the_score_of_a_random_channel(seed: int, sessions: int, tickers: int, calls: int) -> None:
    dice = random.Random(seed)
    series, benchmark = a_random_market(dice, sessions, tickers)

    assert_scores_equal(random_calls(dice, calls, benchmark, tickers), series, benchmark)


@pytest.mark.parametrize("handle", demo_calls())
def test_the_score_of_a_demo_channel(handle: str) -> None:
    assert_scores_equal(demo_calls()[handle], *demo_market())


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
    series, benchmark = a_random_market(dice, sessions, tickers)
    channel = random_calls(dice, calls, benchmark, tickers)

    ours = backtest(channel, series, benchmark, strategy, horizon, cost_bps)

    assert_backtest_equal(ours, channel, series, benchmark)


@pytest.mark.parametrize("strategy", Strategy)
@pytest.mark.parametrize("handle", demo_calls())
def test_the_backtest_of_a_demo_channel(handle: str, strategy: Strategy) -> None:
    series, benchmark = demo_market()
    calls = demo_calls()[handle]

    ours = backtest(calls, series, benchmark, strategy, Horizon.QUARTER, cost_bps=10)

    assert_backtest_equal(ours, calls, series, benchmark)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=40))
def test_the_false_discovery_rate(p_values: list[float]) -> None:
    assert benjamini_hochberg(p_values) == pytest.approx(oracle().q_values(p_values), rel=1e-9, abs=1e-12)
