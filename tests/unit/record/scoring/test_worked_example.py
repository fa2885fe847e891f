"""The worked example of docs/scoring.md has the digits that the demo gives."""

import re
from collections.abc import Iterable
from datetime import date

import pytest

from functions.reading.statements import Speaker
from functions.record.scoring.leaderboard import leaderboard, standing_of
from functions.record.scoring.returns import chronological, result_of
from functions.record.scoring.scorecard import score_channel
from functions.record.scoring.types import DEFAULT_HORIZON, Call, HorizonScore
from local.engine import ROOT
from tests.unit.record.scoring.markets import demo_market, demo_series, read_calls

HOSTS_CALLS = read_calls("DemoMarketTalk", speakers=frozenset({Speaker.HOST}))
TEXT = re.sub(r"\s+", " ", (ROOT / "docs" / "scoring.md").read_text())


def score_of(calls: Iterable[Call]) -> HorizonScore:
    return next(score for score in score_channel(calls, demo_market()) if score.horizon is DEFAULT_HORIZON)


def long_day(text: str) -> str:
    day = date.fromisoformat(text)
    return f"{day.day} {day:%b %Y}"


@pytest.mark.parametrize("call", chronological(HOSTS_CALLS), ids=lambda call: call.ticker)
def test_each_call(call: Call) -> None:
    _, benchmark, _ = demo_series()
    market = demo_market()
    result = result_of(call, DEFAULT_HORIZON, market)
    assert result.entry_date and result.exit_date and result.excess_percent is not None
    start, end = (benchmark.days.index(date.fromisoformat(day)) for day in (result.entry_date, result.exit_date))

    assert f"{long_day(result.entry_date)}, {result.entry_price}" in TEXT
    assert f"{long_day(result.exit_date)}, {result.exit_price}" in TEXT
    change, market_change = call.side * (result.return_percent or 0), call.side * (result.benchmark_percent or 0)
    assert f"{result.exit_price} / {result.entry_price} - 1 = {change:+.2f} %" in TEXT
    assert f"{benchmark.closes[end]} / {benchmark.closes[start]} - 1 = {market_change:+.2f} %" in TEXT
    assert f"**{result.excess_percent:+.2f} %**" in TEXT


def test_the_figures_of_a_few_calls() -> None:
    score = score_of(HOSTS_CALLS)
    assert score.without_best_ticker is not None

    assert f"/ {score.calls} = **{score.mean_excess_percent:.2f} %**" in TEXT
    assert f"**{score.mean_excess_net_percent:.2f} %** is left" in TEXT
    assert f"from {score.beat_rate_low:.0%} to {score.beat_rate_high:.0%}".replace("%", " %") in TEXT
    assert f"**{score.excess_low_percent:.2f} %**" in TEXT
    assert f"**{score.excess_high_percent:+.2f} %**" in TEXT
    assert f"worth **{score.independent_calls:.1f}** independent" in TEXT
    assert f"**{score.calls_needed}** independent calls" in TEXT
    assert f"/ {score.calls - 1} = {score.without_best_ticker.mean_excess_percent:.2f} %" in TEXT


def test_the_verdict_of_a_channel_with_enough_calls() -> None:
    handles = ("DemoValueInvestor", "DemoMomentumTrader", "DemoMarketTalk")
    first = leaderboard({DEFAULT_HORIZON: standing_of(handle, score_of(read_calls(handle)))} for handle in handles)[0]
    assert first.alpha_percent and first.alpha_t

    assert f"{first.calls} scored calls at three months" in TEXT
    assert (
        f"worth {first.independent_calls:.1f} independent ones, mean excess {first.mean_excess_percent:+.2f} %" in TEXT
    )
    assert f"between {first.excess_low_percent:.2f} % and {first.excess_high_percent:.2f} %" in TEXT
    assert f"alpha of {first.alpha_percent:.2f} % a year with t = {first.alpha_t:.3f}" in TEXT
    assert f"= {first.alpha_percent / first.alpha_t:.2f} %" in TEXT
    assert f"**{first.expected_alpha_percent:.2f} %** a year" in TEXT
    assert f"p = {first.p_value:.5f}" in TEXT
    assert f"an alpha of {first.timing_alpha_percent:.2f} % over them, with p = {first.timing_p_value:.5f}" in TEXT
    assert f"q = {first.joint_p_value:.5f} x 3 / 2 = {first.q_value:.5f}, under 0.10" in TEXT
    assert f"**{first.flips_to_turn}** calls are enough" in TEXT
    assert first.verdict == "beats_market"
