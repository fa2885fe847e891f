"""When a series is checked: after the close in New York in summer and winter, over weekends and holidays."""

from datetime import UTC, date, datetime, timedelta

import pytest

from functions.record.models.series import PriceProblem
from functions.record.prices.schedule import DAILY_CHECKS, LONGEST_PAUSE, is_current, last_session_day, next_check


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("now", "last_day", "expected"),
    [
        ("2024-03-06T22:00", "2024-03-06", "2024-03-07T21:30"),  # winter: 16:30 is 21:30 UTC
        ("2024-03-08T22:00", "2024-03-08", "2024-03-11T20:30"),  # over the weekend on which summer time begins
        ("2024-10-31T21:00", "2024-10-31", "2024-11-01T20:30"),
        ("2024-11-01T21:00", "2024-11-01", "2024-11-04T21:30"),  # over the weekend on which it ends
        ("2024-03-11T15:00", "2024-03-08", "2024-03-11T20:30"),  # fetched during a session
        ("2024-03-09T15:00", "2024-03-08", "2024-03-11T20:30"),  # fetched on a Saturday
    ],
)
def test_a_current_series_is_checked_after_the_next_close(now: str, last_day: str, expected: str) -> None:
    assert next_check(at(now), date.fromisoformat(last_day), 0) == at(expected)


def test_a_holiday_is_asked_again_with_growing_pauses_and_after_the_next_session() -> None:
    last_day = date(2024, 11, 27)
    now = at("2024-11-28T21:30")
    checks = []
    for misses in range(1, 7):
        now = next_check(now, last_day, misses)
        checks.append(now.isoformat(timespec="minutes")[:16])

    assert checks == [
        "2024-11-28T22:00",
        "2024-11-28T23:00",
        "2024-11-29T01:00",
        "2024-11-29T05:00",
        "2024-11-29T13:00",
        "2024-11-29T21:30",
    ]


def test_a_share_that_trades_no_more_is_asked_once_a_week_in_the_end() -> None:
    now = at("2024-11-28T21:30")

    assert next_check(now, date(2024, 7, 1), DAILY_CHECKS + 1) == now + LONGEST_PAUSE
    assert next_check(now, date(2024, 7, 1), 10_000) == now + LONGEST_PAUSE


@pytest.mark.parametrize("problem", [PriceProblem.BLOCKED, PriceProblem.UNAVAILABLE, PriceProblem.QUOTA_USED_UP])
def test_a_source_that_may_respond_again_is_asked_after_each_session(problem: PriceProblem) -> None:
    now = at("2024-11-25T21:31")

    assert next_check(now, date(2024, 11, 1), 500, problem) == at("2024-11-26T21:30")
    assert next_check(now, None, 1, problem) == now + timedelta(minutes=1)


@pytest.mark.parametrize("problem", [PriceProblem.UNKNOWN_TICKER, PriceProblem.NOT_AT_SOURCE, PriceProblem.DEPARTED])
def test_what_time_does_not_solve_is_asked_ever_more_rarely(problem: PriceProblem) -> None:
    now = at("2024-11-25T21:31")

    pauses = [next_check(now, None, misses, problem) - now for misses in range(12)]

    assert pauses == sorted(pauses)
    assert pauses[-1] == LONGEST_PAUSE


def test_a_series_that_lacks_a_close_is_not_current() -> None:
    assert is_current(date(2024, 3, 8), at("2024-03-11T20:29"))
    assert not is_current(date(2024, 3, 8), at("2024-03-11T20:30"))
    assert not is_current(None, at("2024-03-11T20:30"))


def test_a_session_counts_from_its_close_on() -> None:
    assert last_session_day(at("2024-03-11T20:00")) == date(2024, 3, 11)
    assert last_session_day(at("2024-03-11T19:59")) == date(2024, 3, 10)
