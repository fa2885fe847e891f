"""Who is judged, what the verdict is, and in which order channels stand."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from functions.record.scoring.leaderboard import leaderboard, standing_of
from functions.record.scoring.scorecard import score_channel
from functions.record.scoring.types import PRIMARY_HORIZON, Call, Horizon, LeaderboardEntry, Standing, Verdict
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
    days_invested=400,
    independent_calls=25.0,
    flips_to_turn=3,
    timing_alpha_percent=15.0,
    timing_p_value=0.002,
    right_rate=None,
    right_low=None,
    right_source=None,
)
UNSKILLED = replace(
    SKILLED,
    channel_id="unskilled",
    mean_excess_percent=-6.0,
    alpha_percent=-20.0,
    alpha_t=-3.0,
    expected_alpha_percent=-4.0,
    timing_alpha_percent=-15.0,
)


def entries_of(*standings: Standing) -> list[LeaderboardEntry]:
    return leaderboard([{PRIMARY_HORIZON: standing} for standing in standings])


def verdict(standing: Standing) -> Verdict:
    return entries_of(standing)[0].verdict


@pytest.mark.parametrize(
    ("standing", "expected"),
    [
        (SKILLED, Verdict.BEATS_MARKET),
        (UNSKILLED, Verdict.LAGS_MARKET),
        (replace(SKILLED, p_value=0.1, timing_p_value=0.1), Verdict.BEATS_MARKET),
        (replace(SKILLED, p_value=0.101), Verdict.NOT_PROVEN),
        (replace(SKILLED, timing_p_value=0.101), Verdict.LIKE_ITS_STOCKS),
        (replace(SKILLED, timing_alpha_percent=-1.0), Verdict.LIKE_ITS_STOCKS),
        (replace(UNSKILLED, timing_p_value=0.101), Verdict.LIKE_ITS_STOCKS),
        (replace(SKILLED, mean_excess_percent=-0.1), Verdict.NOT_PROVEN),
        (replace(SKILLED, mean_excess_percent=0.0), Verdict.NOT_PROVEN),
        (replace(SKILLED, placebo_p_value=0.9), Verdict.BEATS_MARKET),
        (replace(SKILLED, calls=19), Verdict.TOO_FEW_CALLS),
        (replace(SKILLED, calls=20), Verdict.BEATS_MARKET),
        (replace(SKILLED, days_invested=59), Verdict.TOO_FEW_CALLS),
        (replace(SKILLED, days_invested=60), Verdict.BEATS_MARKET),
        (replace(SKILLED, p_value=None), Verdict.TOO_FEW_CALLS),
        (replace(SKILLED, timing_p_value=None), Verdict.TOO_FEW_CALLS),
        (replace(SKILLED, right_rate=0.9, right_low=0.6), Verdict.BEATS_MARKET),
        (replace(SKILLED, right_rate=0.9, right_low=0.59), Verdict.READ_TOO_POORLY),
        (replace(SKILLED, right_rate=0.4), Verdict.BEATS_MARKET),
        (replace(SKILLED, right_rate=0.39), Verdict.READ_TOO_POORLY),
        (replace(SKILLED, calls=19, right_rate=0.39), Verdict.TOO_FEW_CALLS),
    ],
)
def test_the_verdict(standing: Standing, expected: Verdict) -> None:
    assert verdict(standing) is expected


def test_both_tests_must_hold() -> None:
    entry = entries_of(replace(SKILLED, p_value=0.03, timing_p_value=0.05))[0]

    assert (entry.joint_p_value, entry.q_value, entry.alpha_q_value) == (0.05, 0.05, 0.03)


def test_judged_channels_are_ranked_by_verdict_then_expected_alpha_and_the_others_stand_below() -> None:
    channels = {
        "few": replace(SKILLED, calls=5, expected_alpha_percent=99.0),
        "poorly read": replace(SKILLED, right_rate=0.5, right_low=0.4, expected_alpha_percent=9.0),
        "lags": replace(UNSKILLED, expected_alpha_percent=-1.0),
        "unproven": replace(SKILLED, mean_excess_percent=-1.0, expected_alpha_percent=8.0),
        "its stocks": replace(SKILLED, timing_p_value=0.9, expected_alpha_percent=7.0),
        "beats": replace(SKILLED, expected_alpha_percent=2.0),
        "beats by more": replace(SKILLED, expected_alpha_percent=3.0),
        "none": replace(SKILLED, calls=0, expected_alpha_percent=None, p_value=None),
    }

    entries = entries_of(*(replace(standing, channel_id=name) for name, standing in channels.items()))

    assert [(entry.rank, entry.channel_id) for entry in entries] == [
        (1, "beats by more"),
        (2, "beats"),
        (3, "its stocks"),
        (4, "unproven"),
        (5, "lags"),
        (6, "poorly read"),
        (None, "few"),
        (None, "none"),
    ]
    assert [entry.q_value for entry in entries[-2:]] == [None, None]


def test_a_channel_is_less_sure_among_many_than_alone() -> None:
    others = [replace(SKILLED, channel_id=f"c{number}", p_value=0.5) for number in range(50)]

    assert verdict(SKILLED) is Verdict.BEATS_MARKET
    among_many = next(entry for entry in entries_of(SKILLED, *others) if entry.channel_id == "skilled")
    assert among_many.q_value == pytest.approx(0.0027 * 51)
    assert among_many.verdict is Verdict.NOT_PROVEN


def test_channels_that_are_not_judged_do_not_count_for_the_correction() -> None:
    others = [replace(SKILLED, channel_id=f"c{number}", p_value=0.5, calls=19) for number in range(50)]

    assert entries_of(SKILLED, *others)[0].q_value == pytest.approx(0.0027)


def test_trying_four_secondary_horizons_has_its_price() -> None:
    by_luck, no_skill = replace(SKILLED, p_value=0.03), replace(SKILLED, p_value=0.8, timing_p_value=0.8)
    standings = dict.fromkeys(Horizon, no_skill) | {Horizon.YEAR: by_luck}

    entry = leaderboard([standings], Horizon.YEAR)[0]

    assert (entry.q_value, entry.alpha_q_value) == pytest.approx((0.12, 0.12))
    assert entry.verdict is Verdict.NOT_PROVEN
    assert leaderboard([standings | {PRIMARY_HORIZON: by_luck}])[0].q_value == pytest.approx(0.03)


def test_a_horizon_at_which_a_channel_is_not_judged_is_not_a_test() -> None:
    standings = {horizon: replace(SKILLED, calls=3) for horizon in Horizon} | {Horizon.MONTH: SKILLED}

    assert leaderboard([standings], Horizon.MONTH)[0].q_value == pytest.approx(0.0027)


def verdicts(calls: Mapping[str, Sequence[Call]], horizon: Horizon) -> dict[str, Verdict]:
    standings = []
    for handle, of_channel in calls.items():
        scores = score_channel(of_channel, demo_market())
        standings.append({score.horizon: standing_of(handle, score) for score in scores})
    return {entry.channel_id: entry.verdict for entry in leaderboard(standings, horizon)}


EXPECTED = {
    "DemoValueInvestor": Verdict.BEATS_MARKET,
    "DemoMomentumTrader": Verdict.LAGS_MARKET,
    "DemoMarketTalk": Verdict.NOT_PROVEN,
}


def test_the_demo_gives_three_verdicts() -> None:
    assert verdicts(demo_calls(), Horizon.QUARTER) == EXPECTED


def test_the_demo_gives_the_same_verdicts_as_the_analyst_reads_it() -> None:
    calls = {handle: read_calls(handle) for handle in EXPECTED}

    assert verdicts(calls, Horizon.QUARTER) == EXPECTED
