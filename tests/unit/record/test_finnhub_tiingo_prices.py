"""Finnhub's quotes, Tiingo's closes, and the two put together."""

from datetime import UTC, date, datetime

import pytest

from functions.record.models.series import PriceProblem, Split
from functions.record.prices.problems import problem_of
from functions.record.sources.prices.combined import PriceSources
from functions.record.sources.prices.finnhub import FinnhubQuotes
from functions.record.sources.prices.tiingo import TiingoPrices
from functions.record.sources.protocols import DailyClose, History, Quote
from functions.runtime.provider_errors import NotFound, QuotaUsedUp, Refused, Unavailable
from tests.live_responses import IMPATIENT, at_new_york, tiingo_row
from tests.stub import Response, Stub, json_response

FRIDAY, MONDAY, TUESDAY = date(2020, 8, 28), date(2020, 8, 31), date(2020, 9, 1)
NOW = datetime(2020, 9, 2, 12, 0, tzinfo=UTC)


def finnhub(stub: Stub) -> FinnhubQuotes:
    return FinnhubQuotes("key", stub.url, limits=IMPATIENT)


def tiingo(stub: Stub) -> TiingoPrices:
    return TiingoPrices("key", stub.url, limits=IMPATIENT, clock=lambda: NOW)


def closes(source: TiingoPrices | PriceSources, ticker: str, start: date, end: date) -> list[tuple[date, float]]:
    return [(close.day, close.close) for close in source.history(ticker, start, end).closes]


def test_finnhub_quotes_the_current_price(stub: Stub) -> None:
    stub.on(
        "/quote",
        json_response(
            {"c": 134.2, "d": 1.1, "dp": 0.8, "h": 1, "l": 1, "o": 1, "pc": 1, "t": at_new_york(TUESDAY, 16, 0)}
        ),
    )

    quote = finnhub(stub).quote("BRK.B")

    assert quote == Quote(134.2, TUESDAY)
    assert stub.requests[0].query == {"symbol": "BRK.B"}
    assert stub.requests[0].headers["x-finnhub-token"] == "key"


def test_finnhub_s_zeros_mean_that_it_does_not_know_the_ticker(stub: Stub) -> None:
    stub.on("/quote", json_response({"c": 0, "d": None, "dp": None, "h": 0, "l": 0, "o": 0, "pc": 0, "t": 0}))

    with pytest.raises(NotFound, match="ZZZZ"):
        finnhub(stub).quote("ZZZZ")


@pytest.mark.parametrize(
    ("response", "error"),
    [
        (json_response({"error": "Invalid API key"}, 401), Refused),
        (json_response({"error": "API limit reached."}, 429), Unavailable),
        (json_response({}), Unavailable),
        (json_response([]), Unavailable),
        (json_response({"c": "high", "t": 1}), Unavailable),
        (json_response({"c": "134.2", "t": 1_700_000_000}), Unavailable),
        (json_response({"c": True, "t": 1_700_000_000}), Unavailable),
        (json_response({"c": 134.2, "t": 0}), Unavailable),
    ],
)
def test_finnhub_s_other_responses_are_told_apart(stub: Stub, response: Response, error: type[Exception]) -> None:
    stub.on("/quote", response)

    with pytest.raises(error):
        finnhub(stub).quote("AAPL")


def test_a_split_is_counted_into_the_closes_before_it(stub: Stub) -> None:
    rows = [tiingo_row("2020-08-28", 499.23), tiingo_row("2020-08-31", 129.04, split=4.0)]
    stub.on("/AAPL/prices", json_response(rows))

    found = closes(tiingo(stub), "AAPL", FRIDAY, MONDAY)

    assert found == [(FRIDAY, 499.23 / 4), (MONDAY, 129.04)]
    assert stub.requests[0].headers["authorization"] == "Token key"


def test_a_split_after_the_window_counts_too(stub: Stub) -> None:
    rows = [tiingo_row("2020-08-28", 400.0), tiingo_row("2020-08-31", 100.0, split=4.0)]
    stub.on("/AAPL/prices", json_response(rows))

    found = closes(tiingo(stub), "AAPL", FRIDAY, FRIDAY)

    assert found == [(FRIDAY, 100.0)]
    assert stub.requests[0].query == {"startDate": "2020-08-28", "endDate": "2020-09-02"}


def test_a_reverse_split_raises_the_closes_before_it(stub: Stub) -> None:
    rows = [tiingo_row("2020-08-28", 1.0), tiingo_row("2020-08-31", 10.0, split=0.1)]
    stub.on("/AAPL/prices", json_response(rows))

    assert closes(tiingo(stub), "AAPL", FRIDAY, FRIDAY) == [(FRIDAY, 10.0)]


def test_tiingo_s_missing_closes_are_passed_over(stub: Stub) -> None:
    stub.on("/BRK-B/prices", json_response([tiingo_row("2020-08-28", None), tiingo_row("2020-08-31", 218.0)]))  # type: ignore[arg-type]

    assert closes(tiingo(stub), "BRK.B", FRIDAY, MONDAY) == [(MONDAY, 218.0)]


def test_tiingo_quotes_its_last_close(stub: Stub) -> None:
    stub.on("/AAPL/prices", json_response([tiingo_row("2020-09-01", 134.18)]))

    assert tiingo(stub).quote("AAPL") == Quote(134.18, TUESDAY)
    assert stub.requests[0].query == {}


@pytest.mark.parametrize("response", [json_response({"detail": "Not found."}, 404), json_response([])])
def test_tiingo_has_no_quote_for_what_it_does_not_know(stub: Stub, response: Response) -> None:
    stub.on("/ZZZZ/prices", response)

    with pytest.raises(NotFound):
        tiingo(stub).quote("ZZZZ")


@pytest.mark.parametrize(
    ("response", "error"),
    [
        (json_response({"detail": "Invalid token."}, 401), Refused),
        (Response(200, b"Error: You have run over your hourly request allocation."), QuotaUsedUp),
        (Response(200, b"Error: something else"), Unavailable),
        (json_response({"detail": "Please supply a token"}), Unavailable),
        (json_response([{"date": "2020-08-28"}]), Unavailable),
        (json_response([tiingo_row("2020-08-28", 1.0), tiingo_row("2020-08-31", 1.0, split=0.0)]), Unavailable),
    ],
)
def test_tiingo_s_other_responses_are_told_apart(stub: Stub, response: Response, error: type[Exception]) -> None:
    stub.on("/AAPL/prices", response)

    with pytest.raises(error):
        closes(tiingo(stub), "AAPL", FRIDAY, MONDAY)


def test_two_sources_make_one(stub: Stub) -> None:
    stub.on("/AAPL/prices", json_response([tiingo_row("2020-08-31", 129.04)]))
    stub.on("/quote", json_response({"c": 134.2, "t": at_new_york(TUESDAY, 16, 0)}))
    prices = PriceSources(history=tiingo(stub), quote=finnhub(stub), clock=lambda: NOW)

    assert closes(prices, "AAPL", MONDAY, MONDAY) == [(MONDAY, 129.04)]
    assert prices.quote("AAPL") == Quote(134.2, TUESDAY)
    assert prices.today() == date(2020, 9, 2)


def test_tiingo_s_history_is_in_today_s_shares_and_has_the_splits(stub: Stub) -> None:
    rows = [tiingo_row("2020-08-28", 499.24, adjusted=121.5), tiingo_row("2020-08-31", 129.04, 4.0, adjusted=126.2)]
    stub.on("/AAPL/prices", json_response(rows))

    history = tiingo(stub).history("AAPL", FRIDAY, FRIDAY)

    assert history == History((DailyClose(FRIDAY, 124.81, 121.5),), "Tiingo", (Split(MONDAY, 4.0),), "USD")


def test_tiingo_s_days_without_trading_are_an_empty_history(stub: Stub) -> None:
    stub.on("/AAPL/prices", json_response([]))

    assert tiingo(stub).history("AAPL", FRIDAY, FRIDAY) == History((), "Tiingo", (), "USD")


@pytest.mark.parametrize(
    "text",
    [
        "Error: You have run over your hourly request allocation. Please upgrade.",
        "Error: You have run over your 500 symbol look up for this month. Please upgrade.",
    ],
)
def test_tiingo_s_caps_are_named_as_what_they_are(stub: Stub, text: str) -> None:
    stub.on("/AAPL/prices", Response(200, text.encode(), {"Content-Type": "text/plain"}))

    with pytest.raises(QuotaUsedUp, match="quota of the Tiingo key is used up") as raised:
        tiingo(stub).quote("AAPL")

    assert problem_of(raised.value) == PriceProblem.QUOTA_USED_UP
