"""Calls by the speaker's own terms: a target in dollars, and whether a close reached it."""

from collections.abc import Sequence
from datetime import date

import pytest

from functions.record.models.series import Split
from functions.record.scoring.returns import Market
from functions.record.scoring.targets import OwnTarget, own_target
from functions.record.scoring.types import Call
from tests.unit.record.scoring.markets import a_series, weekdays

DAYS = weekdays(300, date(2024, 1, 1))
RISING = [100.0 + number for number in range(300)]
FALLING = [400.0 - number for number in range(300)]


def market(closes: Sequence[float | None], sessions: int = 300) -> Market:
    days = DAYS[:sessions]
    benchmark = a_series("SPY", [100.0] * sessions, days)
    return Market({"AAA": a_series("AAA", closes[:sessions], days)}, benchmark)


def a_call(side: int = 1) -> Call:
    return Call("v", "AAA", side, "2024-01-01", None)


def test_a_buy_reaches_its_target_at_the_first_close_at_or_above_it() -> None:
    assert own_target(a_call(), 104.0, (), market(RISING)) == OwnTarget(104.0, True, "2024-01-05")
    assert own_target(a_call(), 103.5, (), market(RISING)) == OwnTarget(103.5, True, "2024-01-05")


def test_a_sell_reaches_its_target_at_the_first_close_at_or_below_it() -> None:
    assert own_target(a_call(-1), 396.0, (), market(FALLING)) == OwnTarget(396.0, True, "2024-01-05")


@pytest.mark.parametrize(("sessions", "reached"), [(253, None), (254, False), (300, False)])
def test_a_target_is_open_for_a_year_after_the_entry(sessions: int, reached: bool | None) -> None:
    """The close that would reach it comes a session after the year."""
    assert own_target(a_call(), 354.0, (), market(RISING, sessions)) == OwnTarget(354.0, reached, None)


def test_a_target_of_a_stock_that_is_gone_is_no_longer_open() -> None:
    assert own_target(a_call(), 200.0, (), market([*RISING[:50], *[None] * 250])) == OwnTarget(200.0, False, None)


@pytest.mark.parametrize(("side", "closes", "target"), [(1, RISING, 101.0), (1, RISING, 50.0), (-1, FALLING, 500.0)])
def test_a_target_that_the_entry_had_passed_says_nothing(side: int, closes: list[float], target: float) -> None:
    assert own_target(a_call(side), target, (), market(closes)) == OwnTarget(target, None, None)


@pytest.mark.parametrize("call", [Call("v", "AAA", 1, "2025-12-01", None), Call("v", "BBB", 1, "2024-01-01", None)])
def test_a_call_without_an_entry_has_its_target_alone(call: Call) -> None:
    assert own_target(call, 104.0, (), market(RISING)) == OwnTarget(104.0, None, None)


def test_a_target_is_restated_by_the_splits_after_its_day() -> None:
    splits = [Split(date(2023, 12, 29), 7.0), Split(date(2024, 1, 1), 5.0), Split(date(2024, 1, 2), 4.0)]

    assert own_target(a_call(), 416.0, [*splits, Split(date(2025, 1, 2), 0.5)], market(RISING)).price == 208.0
    assert own_target(a_call(), 416.0, splits, market(RISING)) == OwnTarget(104.0, True, "2024-01-05")
