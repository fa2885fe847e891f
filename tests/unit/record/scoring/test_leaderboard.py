"""Who is judged, what the verdict is, and in which order channels stand."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from functions.record.scoring.leaderboard import leaderboard, standing_of
from functions.record.scoring.scorecard import score_channel
from functions.record.scoring.types import Call, Horizon, Standing, Verdict
from tests.unit.record.scoring.markets import demo_calls, demo_market, read_calls

SKILLED = Standing(
    channel_id="skilled",
    calls=50,
    pending=3,
    mean_excess_percent=6.0,
    excess_low_percent=2.0,
    excess_high_percent=10.0,
    beat_rate=0.7,
    base_beat_rate=0.5,
    alpha_percent=20.0,
    alpha_t=3.0,
    expected_alpha_percent=4.0,
    p_value=0.0027,
    placebo_p_value=0.02,
)
UNSKILLED = replace(
    SKILLED,
    channel_id="unskilled",
    mean_excess_percent=-6.0,
    alpha_percent=-20.0,
    alpha_t=-3.0,
    expected_alpha_percent=-4.0,
)


def verdict(standing: Standing) -> Verdict:
    return leaderboard([standing])[0].verdict


@pytest.mark.parametrize(
    ("standing", "expected"),
    [
        (SKILLED, Verdict.BEATS_MARKET),
        (UNSKILLED, Verdict.LAGS_MARKET),
        (replace(SKILLED, p_value=0.1, placebo_p_value=0.1), Verdict.BEATS_MARKET),
        (replace(SKILLED, p_value=0.101), Verdict.NOT_PROVEN),
        (replace(SKILLED, placebo_p_value=0.101), Verdict.LIKE_ITS_STOCKS),
        (replace(SKILLED, mean_excess_percent=-0.1), Verdict.LIKE_ITS_STOCKS),
        (replace(SKILLED, mean_excess_percent=0.0), Verdict.LIKE_ITS_STOCKS),
        (replace(SKILLED, placebo_p_value=None), Verdict.NOT_PROVEN),
        (replace(SKILLED, calls=19), Verdict.TOO_FEW_CALLS),
        (replace(SKILLED, calls=20), Verdict.BEATS_MARKET),
        (replace(SKILLED, p_value=None), Verdict.TOO_FEW_CALLS),
    ],
)
def test_the_verdict(standing: Standing, expected: Verdict) -> None:
    assert verdict(standing) is expected


def test_judged_channels_are_ranked_by_expected_alpha_and_the_others_stand_below() -> None:
    few = replace(SKILLED, channel_id="few", calls=5, expected_alpha_percent=99.0)
    none = replace(few, channel_id="none", calls=0, expected_alpha_percent=None, p_value=None)

    entries = leaderboard([none, UNSKILLED, few, SKILLED])

    assert [(entry.rank, entry.channel_id) for entry in entries] == [
        (1, "skilled"),
        (2, "unskilled"),
        (None, "few"),
        (None, "none"),
    ]
    assert [entry.q_value for entry in entries[2:]] == [None, None]


def test_a_channel_is_less_sure_among_many_than_alone() -> None:
    others = [replace(SKILLED, channel_id=f"c{number}", p_value=0.5) for number in range(50)]

    assert verdict(SKILLED) is Verdict.BEATS_MARKET
    among_many = next(entry for entry in leaderboard([SKILLED, *others]) if entry.channel_id == "skilled")
    assert among_many.q_value == pytest.approx(0.0027 * 51)
    assert among_many.verdict is Verdict.NOT_PROVEN


def test_channels_that_are_not_judged_do_not_count_for_the_correction() -> None:
    others = [replace(SKILLED, channel_id=f"c{number}", p_value=0.5, calls=19) for number in range(50)]

    assert leaderboard([SKILLED, *others])[0].q_value == pytest.approx(0.0027)


def verdicts(calls: Mapping[str, Sequence[Call]], horizon: Horizon) -> dict[str, Verdict]:
    standings = []
    for handle, of_channel in calls.items():
        scores = {score.horizon: score for score in score_channel(of_channel, *demo_market())}
        standings.append(standing_of(handle, scores[horizon]))
    return {entry.channel_id: entry.verdict for entry in leaderboard(standings)}


EXPECTED = {
    "DemoValueInvestor": Verdict.BEATS_MARKET,
    "DemoMomentumTrader": Verdict.LAGS_MARKET,
    "DemoMarketTalk": Verdict.TOO_FEW_CALLS,
}


def test_the_demo_gives_three_verdicts() -> None:
    assert verdicts(demo_calls(), Horizon.QUARTER) == EXPECTED


def test_the_demo_gives_the_same_verdicts_as_the_analyst_reads_it() -> None:
    calls = {handle: read_calls(handle) for handle in EXPECTED}

    assert verdicts(calls, Horizon.QUARTER) == EXPECTED
