"""A small run of the bench's coverage: intervals hold the truth, luck is seldom called skill, and skill is found."""

from collections.abc import Sequence
from functools import cache
from statistics import fmean

from bench.coverage import (
    FALSE,
    Channel,
    boards_with,
    channels_on,
    coverage_by_cell,
    market_without_alpha,
    skilled_channel,
    verdict_alone,
    verdicts_by_cell,
)
from functions.record.scoring.types import PRIMARY_HORIZON, Verdict
from tests.soak import times

MARKETS = times(short=4, long=100)
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


def test_skill_is_found() -> None:
    found = [verdict_alone(skilled_channel(number), PRIMARY_HORIZON) for number in range(SKILLED)]

    assert found.count(Verdict.BEATS_MARKET) >= 0.85 * SKILLED
