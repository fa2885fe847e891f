"""Closes and quotes as Yahoo's chart endpoint gives them."""

from datetime import UTC, date, datetime
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from functions.record.models.series import PriceProblem, Split
from functions.record.prices.problems import problem_of
from functions.record.prices.validation import checked_series
from functions.record.sources.prices.yahoo import YahooPrices
from functions.record.sources.protocols import DailyClose, History, Quote
from functions.runtime.provider_errors import (
    Blocked,
    Nonsense,
    NotFound,
    ProviderError,
    Refused,
    Throttled,
    Unavailable,
)
from tests.live_responses import (
    IMPATIENT,
    at_new_york,
    chart,
    chart_error,
    noon_utc,
)
from tests.stub import Response, Stub, html_response, json_response

MONDAY, TUESDAY, WEDNESDAY = date(2025, 3, 10), date(2025, 3, 11), date(2025, 3, 12)


def prices(stub: Stub, now: datetime = datetime(2025, 6, 1, tzinfo=UTC)) -> YahooPrices:
    return YahooPrices(stub.url, limits=IMPATIENT, clock=lambda: now)


def closes(source: YahooPrices, ticker: str, start: date, end: date) -> list[tuple[date, float]]:
    return [(close.day, close.close) for close in source.history(ticker, start, end).closes]


def test_closes_are_split_adjusted_and_not_dividend_adjusted(stub: Stub) -> None:
    stub.on("/AAPL", chart({MONDAY: 227.5, TUESDAY: 220.8}))

    found = closes(prices(stub), "AAPL", MONDAY, TUESDAY)

    assert found == [(MONDAY, 227.5), (TUESDAY, 220.8)]


def test_the_window_is_whole_days_in_new_york(stub: Stub) -> None:
    stub.on("/AAPL", chart({}))

    closes(prices(stub), "AAPL", MONDAY, TUESDAY)

    query = stub.requests[0].query
    assert query["period1"] == str(at_new_york(MONDAY, 0, 0))
    assert query["period2"] == str(at_new_york(WEDNESDAY, 0, 0))
    assert (query["interval"], query["events"]) == ("1d", "split,div")


def test_a_day_without_a_price_is_passed_over(stub: Stub) -> None:
    stub.on("/AAPL", chart({MONDAY: None, TUESDAY: 220.8, WEDNESDAY: None}))

    assert closes(prices(stub), "AAPL", MONDAY, WEDNESDAY) == [(TUESDAY, 220.8)]


def test_the_day_is_the_exchange_s_own(stub: Stub) -> None:
    stub.on("/AAPL", chart({MONDAY: 1.0}, zone="Asia/Tokyo"))

    assert closes(prices(stub), "AAPL", MONDAY, WEDNESDAY) == [(MONDAY, 1.0)]


def test_a_session_under_way_has_no_close_yet(stub: Stub) -> None:
    session = {"regular": {"start": at_new_york(TUESDAY), "end": at_new_york(TUESDAY, 16, 0)}}
    stub.on("/AAPL", chart({MONDAY: 227.5, TUESDAY: 221.0}, currentTradingPeriod=session))

    during = closes(prices(stub, now=noon_utc(TUESDAY)), "AAPL", MONDAY, TUESDAY)
    after = closes(prices(stub, now=noon_utc(WEDNESDAY)), "AAPL", MONDAY, TUESDAY)

    assert during == [(MONDAY, 227.5)]
    assert after == [(MONDAY, 227.5), (TUESDAY, 221.0)]


def test_class_shares_are_spelled_the_way_yahoo_does(stub: Stub) -> None:
    stub.on("/BRK-B", chart({MONDAY: 495.6}))

    assert closes(prices(stub), "BRK.B", MONDAY, MONDAY) == [(MONDAY, 495.6)]
    assert "StockTrackRecord" in stub.requests[0].headers["user-agent"]


def test_a_ticker_stays_one_part_of_the_address(stub: Stub) -> None:
    with pytest.raises(NotFound):
        prices(stub).history("A/../B", MONDAY, MONDAY)

    assert stub.requests[0].path == "/A/--/B"


@pytest.mark.parametrize(
    "response",
    [
        chart_error(400, "Bad Request", "Data doesn't exist for startDate = 1, endDate = 2"),
        json_response(
            {"chart": {"result": [{"meta": {"exchangeTimezoneName": "UTC"}, "indicators": {"quote": [{}]}}]}}
        ),
    ],
)
def test_days_without_trading_are_an_empty_history(stub: Stub, response: Response) -> None:
    stub.on("/AAPL", response)

    history = prices(stub).history("AAPL", MONDAY, TUESDAY)

    assert (history.closes, history.source) == ((), "Yahoo")


def test_the_quote_is_the_last_trade(stub: Stub) -> None:
    stub.on("/AAPL", chart({}, regularMarketPrice=221.3, regularMarketTime=at_new_york(TUESDAY, 15, 59)))

    assert prices(stub).quote("AAPL") == Quote(221.3, TUESDAY)


@pytest.mark.parametrize("response", [chart_error(404, "Not Found", "No data found"), chart({})])
def test_a_ticker_without_a_trade_has_no_quote(stub: Stub, response: Response) -> None:
    stub.on("/ZZZZ", response)

    with pytest.raises(NotFound):
        prices(stub).quote("ZZZZ")


@pytest.mark.parametrize(
    ("response", "error"),
    [
        (html_response(), Unavailable),
        (html_response(429), Unavailable),
        (html_response(403), Refused),
        (chart_error(400, "Bad Request", "Invalid input"), Refused),
        (json_response({"finance": {}}), Unavailable),
        (json_response({"chart": {"result": [{"meta": {}}], "error": None}}), Unavailable),
        (chart({MONDAY: 1.0}, zone="Mars/Olympus"), Unavailable),
    ],
)
def test_other_responses_are_told_apart(stub: Stub, response: Response, error: type[Exception]) -> None:
    stub.on("/AAPL", response)

    with pytest.raises(error):
        closes(prices(stub), "AAPL", MONDAY, TUESDAY)


def test_today_is_the_day_in_new_york(stub: Stub) -> None:
    early_in_london = datetime(2025, 3, 12, 2, 0, tzinfo=UTC)

    assert prices(stub, now=early_in_london).today() == TUESDAY


def test_a_history_has_closes_with_and_without_dividends_and_the_splits(stub: Stub) -> None:
    rows: dict[date, float | None] = {MONDAY: 10.0, TUESDAY: 11.0}
    stub.on("/AAPL", chart(rows, splits={TUESDAY: (1, 10)}, adjusted=[9.8, 11.0]))

    history = prices(stub).history("AAPL", MONDAY, TUESDAY)

    assert history == History(
        (DailyClose(MONDAY, 10.0, 9.8), DailyClose(TUESDAY, 11.0, 11.0)), "Yahoo", (Split(TUESDAY, 0.1),), "USD"
    )
    assert stub.requests[0].query["events"] == "split,div"


def test_a_source_that_gives_no_adjusted_closes_knows_no_dividends(stub: Stub) -> None:
    result = {
        "meta": {"exchangeTimezoneName": "America/New_York"},
        "timestamp": [at_new_york(MONDAY)],
        "indicators": {"quote": [{"close": [10.0]}]},
    }
    stub.on("/AAPL", json_response({"chart": {"result": [result], "error": None}}))

    assert prices(stub).history("AAPL", MONDAY, MONDAY).closes == (DailyClose(MONDAY, 10.0, 10.0),)


def test_the_last_day_may_come_twice_and_a_later_day_may_follow(stub: Stub) -> None:
    result = {
        "meta": {"exchangeTimezoneName": "America/New_York"},
        "timestamp": [at_new_york(MONDAY), at_new_york(TUESDAY), at_new_york(TUESDAY, 16, 0)],
        "indicators": {"quote": [{"close": [1.0, 2.0, 3.0]}]},
    }
    stub.on("/AAPL", json_response({"chart": {"result": [result], "error": None}}))

    assert prices(stub).history("AAPL", MONDAY, TUESDAY).closes[-1] == DailyClose(TUESDAY, 3.0, 3.0)
    assert [close.day for close in prices(stub).history("AAPL", MONDAY, MONDAY).closes] == [MONDAY]


def test_nulls_are_days_without_trading_and_what_cannot_be_right_is_left_to_the_check(stub: Stub) -> None:
    stub.on("/AAPL", chart({TUESDAY: -1.0, MONDAY: 0.0, WEDNESDAY: None}))

    closes = prices(stub).history("AAPL", MONDAY, WEDNESDAY).closes

    assert [(close.day, close.close) for close in closes] == [(TUESDAY, -1.0), (MONDAY, 0.0)]


@pytest.mark.parametrize(
    ("response", "error", "problem"),
    [
        (html_response(401), Blocked, PriceProblem.BLOCKED),
        (json_response({"finance": {"error": {"code": "Unauthorized"}}}, 401), Blocked, PriceProblem.BLOCKED),
        (html_response(999), Blocked, PriceProblem.BLOCKED),
        (html_response(429), Throttled, PriceProblem.BLOCKED),
        (html_response(503), Unavailable, PriceProblem.UNAVAILABLE),
        (html_response(200), Nonsense, PriceProblem.NONSENSE),
        (json_response({"chart": {"result": [{"meta": {}}]}}), Nonsense, PriceProblem.NONSENSE),
        (chart_error(404, "Not Found", "No data found"), NotFound, PriceProblem.NOT_AT_SOURCE),
        (json_response({"chart": {"result": None, "error": None}}), NotFound, PriceProblem.NOT_AT_SOURCE),
    ],
)
def test_each_failure_has_its_reason(
    stub: Stub, response: Response, error: type[Exception], problem: PriceProblem
) -> None:
    stub.on("/AAPL", response)

    with pytest.raises(error) as raised:
        prices(stub).history("AAPL", MONDAY, TUESDAY)

    assert type(raised.value) is error
    assert problem_of(raised.value) == problem  # type: ignore[arg-type]


def test_a_refusal_does_not_speak_of_a_key(stub: Stub) -> None:
    stub.on("/AAPL", html_response(401))

    with pytest.raises(Blocked, match=r"refuses requests from this address \(HTTP 401\)\. It needs no key"):
        prices(stub).quote("AAPL")


ODDITIES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from(["", "12.5", "America", "../etc/passwd", "Mars/Olympus", [], {}, [None], 10**400, -(10**18)]),
)


@settings(deadline=None, max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    where=st.sampled_from(
        [
            ("meta",),
            ("meta", "exchangeTimezoneName"),
            ("meta", "currency"),
            ("meta", "currentTradingPeriod"),
            ("timestamp",),
            ("timestamp", 1),
            ("events",),
            ("events", "splits"),
            ("events", "splits", "1"),
            ("events", "splits", "1", "date"),
            ("events", "splits", "1", "numerator"),
            ("events", "splits", "1", "denominator"),
            ("indicators",),
            ("indicators", "quote", 0),
            ("indicators", "quote", 0, "close"),
            ("indicators", "quote", 0, "close", 1),
            ("indicators", "adjclose", 0, "adjclose", 0),
        ]
    ),
    oddity=ODDITIES,
)
def test_whatever_is_odd_in_a_chart_it_is_a_series_or_an_error_of_ours(
    stub: Stub, where: tuple[str | int, ...], oddity: object
) -> None:
    result: Any = {
        "meta": {"exchangeTimezoneName": "America/New_York", "currency": "USD"},
        "timestamp": [at_new_york(MONDAY), at_new_york(TUESDAY)],
        "events": {"splits": {"1": {"date": at_new_york(MONDAY), "numerator": 2, "denominator": 1}}},
        "indicators": {"quote": [{"close": [1.0, 2.0]}], "adjclose": [{"adjclose": [1.0, 2.0]}]},
    }
    inner = result
    for step in where[:-1]:
        inner = inner[step]
    inner[where[-1]] = oddity
    stub.on("/AAPL", json_response({"chart": {"result": [result], "error": None}}))

    try:
        series = checked_series("AAPL", prices(stub).history("AAPL", MONDAY, TUESDAY), MONDAY, TUESDAY)
    except ProviderError:
        return

    assert set(series.days) <= {MONDAY, TUESDAY}
    assert all(number > 0 for number in (*series.closes, *series.total_closes))
