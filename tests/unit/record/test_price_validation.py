"""A response of a price source that cannot be right is refused as a whole, and named."""

from dataclasses import replace
from datetime import date
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from functions.record.models.series import PriceProblem, Series, Split
from functions.record.prices.problems import problem_of
from functions.record.prices.validation import checked_series
from functions.record.sources.protocols import DailyClose, History
from functions.runtime.provider_errors import Nonsense

START, MONDAY, TUESDAY, END = date(2024, 1, 1), date(2024, 1, 8), date(2024, 1, 9), date(2024, 1, 31)


def a_history(*rows: tuple[Any, ...], splits: tuple[Split, ...] = ()) -> History:
    return History(
        tuple(DailyClose(*row, *row[1:]) if len(row) == 2 else DailyClose(*row) for row in rows), "X", splits
    )


def test_what_can_be_right_becomes_a_series() -> None:
    history = a_history((MONDAY, 10, 9.5), (TUESDAY, 11.123456789, 11.0), splits=(Split(TUESDAY, 0.1),))

    series = checked_series("AAPL", history, START, END)

    assert series == Series("AAPL", (MONDAY, TUESDAY), (10.0, 11.12346), (9.5, 11.0))
    assert checked_series("AAPL", a_history(), START, END) == Series("AAPL")


@pytest.mark.parametrize(
    ("history", "named"),
    [
        (a_history((MONDAY, -1.0)), "-1.0 as the close of 2024-01-08"),
        (a_history((MONDAY, 0)), "0 as the close of 2024-01-08"),
        (a_history((MONDAY, float("nan"))), "nan as the close"),
        (a_history((MONDAY, float("inf"))), "inf as the close"),
        (a_history((MONDAY, 10**400)), "10{39} as the close"),
        (a_history((MONDAY, 5e-324)), "5e-324 as the close"),
        (a_history((MONDAY, "10.5")), "'10.5' as the close"),
        (a_history((MONDAY, None)), "'nothing' as the close"),
        (a_history((MONDAY, True)), "True as the close"),
        (a_history((MONDAY, [1])), r"\[1\] as the close"),
        (a_history((MONDAY, 10.0, -1.0)), "-1.0 as the close"),
        (a_history((MONDAY, 10.0, "9")), "'9' as the close"),
        (a_history((MONDAY, "x" * 5000)), "'x{39} as the close"),
        (a_history((TUESDAY, 10.0), (MONDAY, 10.0)), "2024-01-08 after 2024-01-09"),
        (a_history((MONDAY, 10.0), (MONDAY, 10.0)), "2024-01-08 twice"),
        (a_history((date(2024, 2, 1), 10.0)), "2024-02-01, a day outside 2024-01-01 to 2024-01-31"),
        (a_history((date(1974, 2, 1), 10.0), (MONDAY, 10.0)), "1974-02-01, a day outside"),
        (replace(a_history((MONDAY, 10.0)), currency=cast(Any, ["USD"])), r"\['USD'\] as the currency"),
        (a_history((MONDAY, 10.0), splits=(Split(MONDAY, 0.0),)), "0.0 as a split's ratio"),
        (a_history((MONDAY, 10.0), splits=(Split(MONDAY, float("nan")),)), "nan as a split's ratio"),
    ],
)
def test_nonsense_is_refused_and_named(history: History, named: str) -> None:
    with pytest.raises(Nonsense, match=f"X sent {named}") as raised:
        checked_series("AAPL", history, START, END)

    assert problem_of(raised.value) == PriceProblem.NONSENSE
    assert "AAPL" in str(raised.value)


ANYTHING = st.one_of(
    st.none(), st.booleans(), st.integers(), st.just(10**400), st.floats(), st.text(max_size=5), st.just([])
)


@settings(deadline=None)
@given(st.lists(st.tuples(st.dates(START, date(2024, 2, 3)), ANYTHING, ANYTHING), max_size=5))
def test_whatever_comes_a_series_is_in_order_and_positive_or_there_is_none(rows: list[tuple[Any, ...]]) -> None:
    try:
        series = checked_series("AAPL", a_history(*rows), START, END)
    except Nonsense:
        return

    assert list(series.days) == sorted({row[0] for row in rows})
    assert all(START <= day <= END for day in series.days)
    assert all(0 < number < float("inf") for number in (*series.closes, *series.total_closes))
