"""A small run of the bench's coverage: intervals hold the truth, luck is seldom called skill, and skill is found."""

from collections.abc import Mapping, Sequence
from functools import cache
from statistics import fmean

from bench.coverage import (
    FALSE,
    SIZES,
    Channel,
    boards_with,
    channels_on,
    coverage_by_cell,
    judged_alone,
    market_without_alpha,
    rates_of,
    skilled_channel,
    verdict_alone,
    verdicts_by_cell,
)
from functions.record.scoring.types import PRIMARY_HORIZON, Verdict
from tests.soak import times

MARKETS = times(short=4, long=100)
MARKETS_ALONE = times(short=10, long=300)
SKILLED = times(short=2, long=40)


@cache
def boards() -> Sequence[Sequence[Channel]]:
    return [channels_on(market_without_alpha, (60,), number) for number in range(MARKETS)]


def everyone() -> list[Channel]:
    return [channel for board in boards() for channel in board]


def test_intervals_hold_the_truth_whatever_the_habit() -> None:
    assert 0.88 <= fmean(coverage_by_cell(everyone()).values()) <= 0.99


def test_intervals_of_channels_that_repeat_themselves_are_wide_enough() -> None:
    """If every call counted as independent, an interval would be narrower by the root of what the calls are worth."""
    repeating = [each for each in everyone() if each.habit in ("one stock", "the same five", "young with favourites")]
    held = {True: 0, False: 0}
    for channel in repeating:
        standing = channel.standings[PRIMARY_HORIZON]
        low, high = channel.intervals[PRIMARY_HORIZON] or (0.0, 0.0)
        assert standing.independent_calls is not None
        narrow = (high - low) / 2 * (standing.independent_calls / standing.calls) ** 0.5
        held[True] += low <= 0 <= high
        held[False] += abs(low + high) / 2 <= narrow

    assert held[True] >= 0.8 * len(repeating)
    assert held[False] < held[True]


def test_luck_is_seldom_called_skill() -> None:
    assert fmean(verdicts_by_cell(everyone(), FALSE).values()) <= 0.06
    assert boards_with(boards(), Verdict.BEATS_MARKET)[PRIMARY_HORIZON] <= 0.05


@cache
def rates_alone() -> Mapping[str, float]:
    """The mean over all habits and sizes."""
    alone = [each for number in range(MARKETS_ALONE) for each in judged_alone(SIZES, number)]
    cells = rates_of(alone).values()
    return {name: fmean(cell[name] for cell in cells) for name in next(iter(cells))}


def test_a_channel_judged_alone_is_seldom_called_better_or_worse() -> None:
    """Each error stays below the tenth that a q-value of 0.10 allows, and below half of it where it flatters."""
    rates = rates_alone()

    assert rates["beats"] <= 0.03
    assert rates["either"] <= 0.07


def test_the_test_against_the_market_rejects_as_often_as_it_says() -> None:
    assert 0.07 <= rates_alone()["p <= 0.1, no costs"] <= 0.13


def test_costs_move_false_verdicts_to_the_worse() -> None:
    rates = rates_alone()

    assert rates["beats"] < rates["beats, no costs"]
    assert rates["lags"] > rates["lags, no costs"]


def test_skill_is_found() -> None:
    found = [verdict_alone(skilled_channel(number), PRIMARY_HORIZON) for number in range(SKILLED)]

    assert found.count(Verdict.BEATS_MARKET) >= 0.85 * SKILLED
