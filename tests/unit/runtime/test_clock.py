"""Timestamps as text."""

import re
from datetime import UTC, datetime, timedelta, timezone

import pytest

from functions.runtime import clock


def test_a_timestamp_is_in_utc_with_milliseconds_and_z() -> None:
    assert clock.timestamp(datetime(2025, 1, 15, 8, 30, tzinfo=UTC)) == "2025-01-15T08:30:00.000Z"
    assert clock.timestamp(datetime(2025, 1, 15, 8, 30, 1, 234567, tzinfo=UTC)) == "2025-01-15T08:30:01.234Z"


def test_a_time_of_another_zone_has_the_same_timestamp() -> None:
    tokyo = timezone(timedelta(hours=9))

    assert clock.timestamp(datetime(2025, 1, 1, 8, 0, tzinfo=tokyo)) == "2024-12-31T23:00:00.000Z"


def test_now_is_of_that_shape() -> None:
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", clock.now())


def test_timestamps_sort_as_they_happen() -> None:
    assert clock.seconds_from_now(-60) < clock.now() < clock.seconds_from_now(60)


@pytest.mark.parametrize("milliseconds", [0, 1, 999, 1000, 1_700_000_000_001, 1_700_000_000_999, 4_398_046_511_103])
def test_milliseconds_become_a_timestamp_and_come_back_exactly(milliseconds: int) -> None:
    assert clock.to_milliseconds(clock.from_milliseconds(milliseconds)) == milliseconds


def test_milliseconds_are_those_since_1970() -> None:
    assert clock.from_milliseconds(0) == "1970-01-01T00:00:00.000Z"
    assert clock.to_milliseconds("1970-01-02T00:00:00.001Z") == 86_400_001
