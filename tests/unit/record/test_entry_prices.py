"""The price of a call by its time: evenings, sessions, weekends, holidays, and what cannot be priced yet."""

from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from functions.record.models.records import StockMention
from functions.record.models.series import PriceProblem, Series, SeriesHeader
from functions.record.prices.entry import new_price, price_at, why_unpriced
from tests.builders import a_mention, a_video

DAYS = (date(2024, 3, 7), date(2024, 3, 8), date(2024, 3, 11), date(2024, 3, 12))
"""Thursday, Friday, Monday and Tuesday; daylight saving time began on the Sunday between."""
SERIES = Series("AAPL", DAYS, (169.0, 170.73, 172.75, 173.23), (168.0, 169.7, 171.7, 172.2))
HEADER = SeriesHeader(
    "AAPL",
    wanted_from="2024-01-01",
    fetched_from="2024-01-01",
    first_day="2024-03-07",
    last_day="2024-03-12",
    as_of="2024-03-12T20:31:00.000Z",
)


def said(day: str, published_time: str | None = None, **changes: Any) -> StockMention:
    mention = a_mention(a_video("c", published_at=day), price_at_mention=None)
    return replace(mention, published_time=published_time, **changes)


@pytest.mark.parametrize(
    ("published_time", "price"),
    [
        ("2024-03-11T20:00:00.000Z", 172.75),  # Monday, as the session closes
        ("2024-03-11T19:59:59.000Z", 170.73),  # a second before
        ("2024-03-12T01:30:00.000Z", 172.75),  # Monday evening, Tuesday in Europe
        ("2024-03-11T13:00:00.000Z", 170.73),  # Monday before the session
        ("2024-03-09T15:00:00.000Z", 170.73),  # Saturday
        ("2024-03-08T21:00:00.000Z", 170.73),  # Friday's close, still in standard time
        ("2024-03-08T20:30:00.000Z", 169.0),  # half an hour before it
    ],
)
def test_it_is_the_last_close_at_or_before_the_time_of_the_call(published_time: str, price: float) -> None:
    assert price_at(said("2024-03-11", published_time), HEADER, SERIES) == price


@pytest.mark.parametrize(("day", "price"), [("2024-03-11", 172.75), ("2024-03-10", 170.73), ("2024-03-08", 170.73)])
def test_where_only_the_day_is_known_it_is_the_close_of_that_day(day: str, price: float) -> None:
    assert price_at(said(day), HEADER, SERIES) == price


def test_what_is_said_after_a_close_that_the_source_lacks_waits_for_it() -> None:
    evening = said("2024-03-13", "2024-03-13T20:05:00.000Z")

    assert price_at(evening, HEADER, SERIES) == PriceProblem.AWAITING_CLOSE


def test_a_day_whose_session_runs_waits_for_its_close() -> None:
    assert price_at(said("2024-03-13"), HEADER, SERIES) == PriceProblem.AWAITING_CLOSE


@pytest.mark.parametrize(
    ("as_of", "found"),
    [
        ("2024-03-13T23:00:00.000Z", PriceProblem.AWAITING_CLOSE),
        ("2024-03-14T00:01:00.000Z", 173.23),
    ],
)
def test_a_holiday_is_known_once_the_source_has_no_close_in_the_evening(
    as_of: str, found: float | PriceProblem
) -> None:
    assert price_at(said("2024-03-13"), replace(HEADER, as_of=as_of), SERIES) == found


def test_a_weekend_waits_for_nothing() -> None:
    friday = replace(HEADER, last_day="2024-03-08", as_of="2024-03-08T21:31:00.000Z")

    assert price_at(said("2024-03-09"), friday, SERIES.between(date(2024, 3, 1), date(2024, 3, 8))) == 170.73


def test_a_close_older_than_a_week_is_no_price() -> None:
    halted = replace(HEADER, as_of="2024-04-01T21:00:00.000Z")

    assert price_at(said("2024-03-19"), halted, SERIES) == 173.23
    assert price_at(said("2024-03-20"), halted, SERIES) == PriceProblem.NO_TRADING


def test_before_the_first_close_there_was_no_trading() -> None:
    assert price_at(said("2024-03-06"), HEADER, SERIES) == PriceProblem.NO_TRADING


def test_a_series_that_does_not_go_back_far_enough_is_still_to_be_fetched() -> None:
    short = replace(HEADER, fetched_from="2024-03-01")

    assert price_at(said("2024-03-07"), short, SERIES) == 169.0
    assert price_at(said("2024-03-06"), short, SERIES) == PriceProblem.NOT_FETCHED


@pytest.mark.parametrize(
    ("header", "problem"),
    [
        (None, PriceProblem.NOT_FETCHED),
        (SeriesHeader("AAPL", wanted_from="2024-01-01"), PriceProblem.NOT_FETCHED),
        (SeriesHeader("AAPL", wanted_from="2024-01-01", problem=PriceProblem.BLOCKED), PriceProblem.BLOCKED),
        (replace(HEADER, problem=PriceProblem.QUOTA_USED_UP), PriceProblem.QUOTA_USED_UP),
        (replace(HEADER, problem=PriceProblem.DELISTED), PriceProblem.DELISTED),
    ],
)
def test_the_reason_is_that_of_the_last_check(header: SeriesHeader | None, problem: PriceProblem) -> None:
    call = said("2024-03-13")

    assert why_unpriced(call, header) == problem
    assert price_at(call, header, SERIES if header and header.as_of else Series("AAPL")) == problem


def test_a_delisted_share_keeps_the_prices_of_its_days() -> None:
    gone = replace(HEADER, problem=PriceProblem.DELISTED)

    assert price_at(said("2024-03-11"), gone, SERIES) == 172.75


class TestThePriceACallShouldHave:
    def test_is_what_the_series_says(self) -> None:
        assert new_price(said("2024-03-11", price_at_mention=3455.0), HEADER, SERIES) == 172.75

    def test_is_the_known_one_while_the_series_says_nothing(self) -> None:
        blocked = SeriesHeader("AAPL", wanted_from="2024-01-01", problem=PriceProblem.BLOCKED)

        assert new_price(said("2024-03-11", price_at_mention=172.0), blocked, Series("AAPL")) == 172.0

    def test_is_none_while_its_close_is_still_to_come(self) -> None:
        assert new_price(said("2024-03-13"), HEADER, SERIES) is None

    def test_is_none_where_there_was_no_trading(self) -> None:
        assert new_price(said("2024-03-06", price_at_mention=172.0), HEADER, SERIES) is None
