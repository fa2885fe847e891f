"""Properties of the score of every channel."""

import random
from collections.abc import Callable
from dataclasses import asdict, replace
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from functions.record.models.series import Series
from functions.record.scoring.backtest import backtest
from functions.record.scoring.returns import Market, result_of
from functions.record.scoring.scorecard import score_channel
from functions.record.scoring.types import Call, CallStatus, Horizon, HorizonScore, Strategy
from tests.soak import SOAKING, times
from tests.unit.record.scoring.markets import BENCHMARK, a_random_market, a_random_rate, random_calls

Channel = tuple[list[Call], dict[str, Series], Series, Series]
"""Calls, stocks, benchmark and risk-free rate."""
randomised = settings(
    max_examples=times(short=10, long=300),
    deadline=None,
    derandomize=not SOAKING,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
)


@st.composite
def channels(draw: Callable[[st.SearchStrategy[int]], int]) -> Channel:
    dice = random.Random(draw(st.integers(0, 2**32)))
    tickers = draw(st.integers(1, 5))
    series, benchmark = a_random_market(dice, draw(st.integers(60, 330)), tickers)
    calls = random_calls(dice, draw(st.integers(1, 40)), benchmark, tickers)
    return calls, series, benchmark, a_random_rate(dice, benchmark)


def numbers(value: Any) -> Any:
    """The same with numbers that may differ by rounding."""
    if isinstance(value, dict):
        return {key: numbers(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [numbers(inner) for inner in value]
    return pytest.approx(value, rel=1e-7, abs=1e-9) if isinstance(value, float) else value


def as_dicts(scores: list[HorizonScore]) -> list[dict[str, Any]]:
    return [asdict(score) for score in scores]


@randomised
@given(channels(), st.randoms(use_true_random=False))
def test_a_split_changes_nothing(channel: Channel, dice: random.Random) -> None:
    calls, series, benchmark, rate = channel
    before = as_dicts(score_channel(calls, Market(series, benchmark, rate)))
    in_other_shares = {}
    for ticker, one in series.items():
        ratio = dice.choice((0.1, 2.0, 3.0, 20.0))
        closes = tuple(close / ratio for close in one.closes)
        in_other_shares[ticker] = replace(one, closes=closes, total_closes=tuple(5 * close for close in closes))

    after = as_dicts(score_channel(calls, Market(in_other_shares, benchmark, rate)))

    assert after == numbers(before)


@randomised
@given(channels(), st.sampled_from(Horizon))
def test_calls_on_the_benchmark_have_no_excess(channel: Channel, horizon: Horizon) -> None:
    calls, _, benchmark, rate = channel
    on_benchmark = [replace(call, ticker=BENCHMARK) for call in calls]

    for score in score_channel(on_benchmark, Market({BENCHMARK: benchmark}, benchmark, rate)):
        assert score.beat_rate in (0.0, None)
        assert score.mean_excess_percent in (0.0, None)
        assert score.placebo_p_value in (1.0, None)
        assert score.run_up_percent in (0.0, None)


@randomised
@given(channels())
def test_a_channel_that_buys_the_benchmark_has_neither_alpha_nor_a_verdict(channel: Channel) -> None:
    calls, _, benchmark, rate = channel
    buys = [replace(call, ticker=BENCHMARK, side=1) for call in calls]

    for score in score_channel(buys, Market({BENCHMARK: benchmark}, benchmark, rate), cost_bps=0):
        if score.alpha_percent is not None:
            assert (score.alpha_percent, score.beta) == pytest.approx((0.0, 1.0), abs=1e-9)
        assert score.alpha_t is None and score.p_value is None


@randomised
@given(channels())
def test_turning_every_side_mirrors_the_result_but_for_costs(channel: Channel) -> None:
    calls, series, benchmark, rate = channel
    turned = [replace(call, side=-call.side) for call in calls]
    mirrored = {
        "mean_return_percent", "mean_excess_percent", "median_excess_percent", "base_excess_percent", "alpha_percent",
        "alpha_t", "beta", "expected_alpha_percent", "timing_alpha_percent", "timing_t",
    }  # fmt: skip
    same = {
        "calls", "pending", "unpriced", "ended", "departed", "p_value", "placebo_p_value", "timing_p_value",
        "days_invested", "calls_needed", "independent_calls", "flips_to_turn", "run_up_percent",
    }  # fmt: skip

    market = Market(series, benchmark, rate)

    both = zip(score_channel(calls, market, cost_bps=0), score_channel(turned, market, cost_bps=0), strict=True)

    for score, other in both:
        for name in mirrored:
            value = getattr(score, name)
            assert getattr(other, name) == numbers(None if value is None else -value), name
        for name in same:
            assert getattr(other, name) == numbers(getattr(score, name)), name
        assert (other.excess_low_percent is None) == (score.excess_high_percent is None)
        assert other.excess_low_percent == numbers(score.excess_high_percent and -score.excess_high_percent)
        assert asdict(other.by_kind.buy)["calls"] == score.by_kind.sell.calls


@randomised
@given(channels(), st.randoms(use_true_random=False))
def test_the_order_of_the_calls_does_not_matter(channel: Channel, dice: random.Random) -> None:
    calls, series, benchmark, rate = channel
    shuffled = dice.sample(calls, len(calls))

    assert score_channel(shuffled, Market(series, benchmark, rate)) == score_channel(
        calls, Market(series, benchmark, rate)
    )
    assert backtest(shuffled, Market(series, benchmark, rate), Strategy.FOLLOW, Horizon.MONTH, 10) == backtest(
        calls, Market(series, benchmark, rate), Strategy.FOLLOW, Horizon.MONTH, 10
    )


@randomised
@given(channels(), st.sampled_from(Horizon), st.integers(0, 400))
def test_a_call_after_the_last_session_is_pending(channel: Channel, horizon: Horizon, days_later: int) -> None:
    _, _, benchmark, _ = channel
    day = benchmark.days[-1] + timedelta(days=days_later)
    call = Call("v", BENCHMARK, 1, day.isoformat())

    result = result_of(call, horizon, Market({BENCHMARK: benchmark}, benchmark))

    assert result.status is CallStatus.PENDING
    assert result.entry_date is None and result.excess_percent is None
    assert result.matures_on is not None and result.matures_on > day.isoformat()


@randomised
@given(channels(), st.sampled_from(Horizon))
def test_results_add_up_to_the_score(channel: Channel, horizon: Horizon) -> None:
    calls, series, benchmark, rate = channel
    market = Market(series, benchmark, rate)
    results = [result_of(call, horizon, market) for call in calls]
    score = next(one for one in score_channel(calls, Market(series, benchmark, rate)) if one.horizon is horizon)

    excesses = [result.excess_percent for result in results if result.excess_percent is not None]

    assert score.calls + score.pending + score.unpriced == len(calls)
    assert score.calls == len(excesses)
    assert score.ended == sum(result.status is CallStatus.ENDED for result in results)
    if excesses:
        assert score.mean_excess_percent == pytest.approx(sum(excesses) / len(excesses))


@randomised
@given(channels(), st.sampled_from(Horizon))
def test_what_happens_after_the_exit_does_not_change_a_result(channel: Channel, horizon: Horizon) -> None:
    calls, series, benchmark, rate = channel
    market = Market(series, benchmark, rate)

    for call in calls:
        result = result_of(call, horizon, market)
        if result.status is CallStatus.SCORED:
            last = next(day for day in benchmark.days if day.isoformat() == result.exit_date)
            known_then = {ticker: one.between(benchmark.days[0], last) for ticker, one in series.items()}
            then = result_of(call, horizon, Market(known_then, benchmark.between(benchmark.days[0], last)))

            assert then in (result, replace(then, status=CallStatus.PENDING))
