"""When a channel is checked next: whole intervals in UTC, whatever the clocks and the calendar do."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest

from functions.record.models.check_intervals import FARTHEST, next_check, next_check_after_run
from functions.record.models.records import SLOWED_AFTER, CheckEvery
from functions.runtime.clock import timestamp

DAILY, WEEKLY, OFF = CheckEvery.DAILY, CheckEvery.WEEKLY, CheckEvery.OFF
LAST_CHECK = "2024-03-09T12:00:00.000Z"


@pytest.mark.parametrize(
    ("after", "check_every", "expected"),
    [
        ("2024-03-09T12:00:00.000Z", DAILY, "2024-03-10T12:00:00.000Z"),
        ("2024-03-10T06:30:00.000Z", DAILY, "2024-03-11T06:30:00.000Z"),
        ("2024-11-02T23:59:59.999Z", DAILY, "2024-11-03T23:59:59.999Z"),
        ("2024-03-30T01:30:00.000Z", WEEKLY, "2024-04-06T01:30:00.000Z"),
        ("2024-02-28T08:00:00.000Z", DAILY, "2024-02-29T08:00:00.000Z"),
        ("2023-02-28T08:00:00.000Z", DAILY, "2023-03-01T08:00:00.000Z"),
        ("2024-12-31T23:00:00.000Z", DAILY, "2025-01-01T23:00:00.000Z"),
        ("2024-01-31T08:00:00.000Z", WEEKLY, "2024-02-07T08:00:00.000Z"),
    ],
)
def test_neither_the_clocks_nor_the_end_of_a_month_move_it(after: str, check_every: CheckEvery, expected: str) -> None:
    assert next_check(after, check_every, failed_runs=0) == expected


@pytest.mark.parametrize("check_every", [OFF, None])
def test_a_channel_that_is_not_checked_has_none(check_every: CheckEvery | None) -> None:
    assert next_check(LAST_CHECK, check_every, failed_runs=0) is None
    assert next_check(LAST_CHECK, check_every, failed_runs=99) is None


def test_over_a_year_there_are_365_checks_a_day_apart() -> None:
    checks = [timestamp(datetime(2024, 10, 1, tzinfo=UTC))]
    while checks[-1] < "2025-10-01":
        checks.append(next_check(checks[-1], DAILY, 0) or "")

    gaps = {datetime.fromisoformat(after) - datetime.fromisoformat(before) for before, after in pairwise(checks)}
    assert (len(checks) - 1, gaps) == (365, {timedelta(days=1)})


@pytest.mark.parametrize(
    ("check_every", "failed", "days"),
    [(DAILY, SLOWED_AFTER - 1, 1), (DAILY, SLOWED_AFTER, 7), (WEEKLY, SLOWED_AFTER, 28), (WEEKLY, 99, 28)],
)
def test_a_channel_whose_runs_keep_failing_is_checked_less_often(
    check_every: CheckEvery, failed: int, days: int
) -> None:
    expected = timestamp(datetime.fromisoformat(LAST_CHECK) + timedelta(days=days))

    assert next_check(LAST_CHECK, check_every, failed) == expected


def test_no_interval_reaches_as_far_as_what_counts_as_lost() -> None:
    last_check = datetime.fromisoformat(LAST_CHECK)

    for check_every in (DAILY, WEEKLY):
        planned = next_check(LAST_CHECK, check_every, failed_runs=99)
        assert planned and datetime.fromisoformat(planned) - last_check < FARTHEST


def test_a_run_that_changes_nothing_leaves_what_its_start_planned() -> None:
    planned = "2024-03-10T11:00:00.000Z"

    assert next_check_after_run(LAST_CHECK, DAILY, planned, 0, 0) == planned
    assert next_check_after_run(LAST_CHECK, DAILY, planned, 2, 0) == planned
    assert next_check_after_run(LAST_CHECK, OFF, None, 0, 0) is None


def test_a_run_that_slows_its_channel_down_or_ends_that_counts_from_its_end() -> None:
    planned = "2024-03-10T11:00:00.000Z"

    assert next_check_after_run(LAST_CHECK, DAILY, planned, 4, 5) == "2024-03-16T12:00:00.000Z"
    assert next_check_after_run(LAST_CHECK, DAILY, planned, 5, 0) == "2024-03-10T12:00:00.000Z"
    assert next_check_after_run(LAST_CHECK, DAILY, None, 0, 0) == "2024-03-10T12:00:00.000Z"
