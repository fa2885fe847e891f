"""Changes of known closes are told apart: splits of any kind, and corrections."""

from datetime import date, timedelta

import pytest

from functions.record.models.series import Series, Split
from functions.record.prices.restatement import CHECKED, CORRECTED, split_text, what_changed

FIRST = date(2024, 6, 3)


def a_series(*closes: float) -> Series:
    days = tuple(FIRST + timedelta(days=number) for number in range(len(closes)))
    return Series("NVDA", days, closes, closes)


KNOWN = a_series(1150.0, 1164.37, 1224.4, 1209.98)


def divided(ratio: float, *newer: float) -> Series:
    """The known closes as the source has them after a split, rounded as sources round."""
    return a_series(*(round(close / ratio, 2) for close in KNOWN.closes), *newer)


@pytest.mark.parametrize(
    ("ratio", "words"),
    [(10.0, "split 10:1"), (0.1, "split 1:10"), (1.5, "split 3:2"), (20.0, "split 20:1"), (1 / 30, "split 1:30")],
)
def test_a_split_has_its_ratio_whether_the_source_names_it_or_not(ratio: float, words: str) -> None:
    event = Split(FIRST + timedelta(days=4), ratio)

    assert what_changed(KNOWN, divided(ratio, 120.0), [], [event]) == words
    assert what_changed(KNOWN, divided(ratio, 120.0), [], []) == words


def test_two_splits_since_the_last_check_are_both_named() -> None:
    events = [Split(FIRST + timedelta(days=4), 10.0), Split(FIRST + timedelta(days=5), 2.0)]

    assert what_changed(KNOWN, divided(20.0, 60.0, 61.0), [], events) == "split 10:1 and 2:1"


def test_a_split_that_was_known_is_not_named_again() -> None:
    old, new = Split(date(2021, 7, 20), 4.0), Split(FIRST + timedelta(days=4), 10.0)

    assert what_changed(KNOWN, divided(10.0), [old], [old, new]) == "split 10:1"


def test_a_spin_off_is_no_split() -> None:
    assert what_changed(KNOWN, divided(1.083), [], []) == CORRECTED


def test_a_spin_off_that_the_source_calls_a_split_is_named_as_it_says() -> None:
    event = Split(FIRST + timedelta(days=4), 1.281)

    assert what_changed(KNOWN, divided(1.281), [], [event]) == "split 1281:1000"


def test_one_corrected_close_is_no_split() -> None:
    assert what_changed(KNOWN, a_series(1150.0, 582.19, 1224.4, 1209.98), [], []) == CORRECTED


def test_closes_that_are_the_same_but_for_rounding_did_not_change() -> None:
    assert what_changed(KNOWN, a_series(1150.0, 1164.37, 1224.4001, 1209.98, 1208.88), [], []) == CHECKED


def test_without_known_closes_nothing_changed() -> None:
    assert what_changed(Series("NVDA"), KNOWN, [], []) == CHECKED


@pytest.mark.parametrize(("ratio", "text"), [(20.0, "20:1"), (0.1, "1:10"), (1.5, "3:2"), (0.05, "1:20"), (3, "3:1")])
def test_a_ratio_is_written_as_people_write_it(ratio: float, text: str) -> None:
    assert split_text(ratio) == text
