"""The routes of prices: of a stock, over time, refreshed, and filled in."""

import io
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, timedelta
from typing import Any

import pytest

from functions.record.models.series import Series, SeriesHeader, series_of_rows
from functions.record.prices.current import _recent_price
from functions.record.sources import selection
from functions.record.sources.protocols import DailyClose, History, Quote
from functions.record.store.price_series import save_series
from functions.record.store.stocks import set_stock_price, stock_by_ticker
from functions.runtime.clock import now
from functions.runtime.dispatch import BackfillPrices, RefreshPrices, ScoreMentions
from functions.runtime.http import tokens as access
from functions.runtime.provider_errors import NotFound, Unavailable
from functions.runtime.secrets import Keys
from functions.runtime.settings import settings
from tests.builders import a_channel, commit, in_a_run
from tests.events import call
from tests.fakes import RecordingDispatcher
from tests.seeds import a_finished_channel

LONG_AGO = "2020-01-01T00:00:00.000Z"


class FakePrices:
    """Knows AAPL; cannot be reached for KO; knows nothing of others. Counts its requests."""

    def __init__(self) -> None:
        self.requests = 0
        self.more: tuple[DailyClose, ...] = ()

    def history(self, ticker: str, start: date, end: date) -> History:
        self.requests += 1
        if ticker == "KO":
            raise Unavailable("The source does not respond.")
        if ticker != "AAPL":
            raise NotFound(f"There are no prices of {ticker}.")
        first = (DailyClose(start, 150.0, 140.0),) if start < end else ()
        return History((*first, *self.more, DailyClose(end, 151.5, 151.5)), "fake")

    def quote(self, ticker: str) -> Quote:
        self.requests += 1
        if ticker == "KO":
            raise Unavailable("The source does not respond.")
        if ticker != "AAPL":
            raise NotFound(f"There is no price of {ticker}.")
        return Quote(151.5, date(2024, 3, 1))

    def today(self) -> date:
        return date(2024, 3, 1)


@pytest.fixture(autouse=True)
def source(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakePrices]:
    fake = FakePrices()
    monkeypatch.setattr(selection, "prices", lambda: fake)
    monkeypatch.setattr("functions.record.prices.current.prices", lambda: fake)
    _recent_price.cache_clear()
    yield fake
    _recent_price.cache_clear()


@pytest.mark.parametrize("ticker", ["AAPL", "aapl"])
def test_a_price_that_is_not_known_is_fetched_and_not_written(requests_made: Counter[str], ticker: str) -> None:
    body = call("GET", f"/api/stocks/{ticker}/price").json()

    assert list(body) == ["ticker", "price", "updated_at", "as_of", "error"]
    assert (body["ticker"], body["price"], body["as_of"], body["error"]) == ("AAPL", 151.5, "2024-03-01", None)
    assert body["updated_at"].endswith("Z")
    assert requests_made == {"GetItem": 1}


def test_a_fresh_price_is_returned_as_stored(tables: str) -> None:
    fetched_at = now()
    set_stock_price("XOM", 99.5, fetched_at, as_of=date(2022, 12, 28))

    body = call("GET", "/api/stocks/XOM/price").json()

    assert body == {"ticker": "XOM", "price": 99.5, "updated_at": fetched_at, "as_of": "2022-12-28", "error": None}


@pytest.mark.parametrize("ticker", ["KO", "ZZZZ", "é", "a b", "\x00", "A" * 5000, "..AAPL", "%", "1"])
def test_a_price_that_cannot_be_had_is_told_in_a_sentence(tables: str, ticker: str) -> None:
    response = call("GET", f"/api/stocks/{ticker}/price")

    body = response.json()
    assert response.status == 200
    assert (body["price"], body["updated_at"], body["as_of"]) == (None, None, None)
    assert " " in body["error"]


def test_history_is_oldest_first(tables: str) -> None:
    body = call("GET", "/api/stocks/aapl/history", query="start=2024-01-01&end=2024-02-01").json()

    assert body == {
        "ticker": "AAPL",
        "prices": [{"date": "2024-01-01", "close": 150.0}, {"date": "2024-02-01", "close": 151.5}],
    }


@pytest.mark.parametrize("ticker", ["ZZZZ", "é", "a b", "A" * 5000])
def test_a_ticker_without_data_has_an_empty_history(tables: str, ticker: str) -> None:
    response = call("GET", f"/api/stocks/{ticker}/history", query="start=2024-01-01&end=2024-02-01")

    assert response.status == 200
    assert response.json()["prices"] == []


def test_a_source_that_does_not_respond_is_reported_in_the_response(tables: str) -> None:
    response = call("GET", "/api/stocks/KO/history", query="start=2024-01-01&end=2024-02-01")

    assert response.status == 503
    assert response.json() == {"detail": "Prices cannot be fetched at the moment; try again later"}


def test_a_source_that_sends_nonsense_is_reported_and_named_in_the_log(
    tables: str, source: FakePrices, written_log: io.StringIO
) -> None:
    source.more = (DailyClose(date(2024, 1, 15), -1.0, 1.0),)

    response = call("GET", "/api/stocks/AAPL/history", query=PERIOD)

    assert response.status == 503
    assert "fake sent -1.0 as the close of 2024-01-15" in written_log.getvalue()


def store_closes(start: date, end: date, **changes: Any) -> None:
    """A series of AAPL that costs as much as the day of the month."""
    days = [start + timedelta(number) for number in range((end - start).days + 1)]
    header = SeriesHeader("AAPL", start.isoformat(), next_check_at=LONG_AGO, fetched_from=start.isoformat())
    series = series_of_rows("AAPL", [(day, day.day, day.day) for day in days])
    save_series(replace(header, **changes), series, Series("AAPL"))


def test_a_stored_history_is_one_query_and_no_request_to_the_source(
    source: FakePrices, requests_made: Counter[str]
) -> None:
    store_closes(date(2023, 1, 1), date(2024, 1, 20))
    requests_made.clear()

    body = call("GET", "/api/stocks/aapl/history", query=PERIOD).json()

    assert requests_made == {"Query": 1}
    assert source.requests == 0
    assert body["prices"] == [{"date": f"2024-01-{day:02d}", "close": float(day)} for day in range(1, 21)]


@pytest.mark.parametrize(
    ("start", "end", "changes"),
    [
        (date(2024, 1, 2), date(2024, 2, 1), {}),
        (date(2023, 1, 1), date(2024, 1, 20), {"next_check_at": None}),
        (date(2023, 1, 1), date(2024, 2, 1), {"fetched_from": None}),
    ],
    ids=["begins later", "is not kept up to date", "is not fetched yet"],
)
def test_what_is_not_stored_is_fetched(
    tables: str, source: FakePrices, start: date, end: date, changes: dict[str, Any]
) -> None:
    store_closes(start, end, **changes)

    body = call("GET", "/api/stocks/AAPL/history", query=PERIOD).json()

    assert source.requests == 1
    assert [close["close"] for close in body["prices"]] == [150.0, 151.5]


def test_a_series_that_is_not_kept_up_serves_the_days_it_has(tables: str, source: FakePrices) -> None:
    store_closes(date(2023, 1, 1), date(2024, 2, 1), next_check_at=None)

    assert len(call("GET", "/api/stocks/AAPL/history", query=PERIOD).json()["prices"]) == 32
    assert source.requests == 0


def test_days_to_come_are_not_requested(tables: str, source: FakePrices) -> None:
    body = call("GET", "/api/stocks/AAPL/history", query="start=2024-02-01&end=2024-12-31").json()

    assert [close["date"] for close in body["prices"]] == ["2024-02-01", "2024-03-01"]
    later = call("GET", "/api/stocks/AAPL/history", query="start=2024-03-02&end=2024-12-31").json()
    assert (later["prices"], source.requests) == ([], 1)


@pytest.fixture
def metered(tables: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A deployment with a metered source of prices, whose reads are open and whose token is `right`."""
    monkeypatch.setenv("PRICES_PROVIDER", "tiingo")
    monkeypatch.setenv("METERED_READS", "token")
    monkeypatch.setenv("API_TOKEN_SECRET_ID", "the-secret")
    monkeypatch.setattr(Keys, "_fetched", lambda keys: '{"token": "right"}')
    settings.cache_clear()
    access._token.cache_clear()
    yield
    access._token.cache_clear()


ANONYMOUS: list[dict[str, str]] = [{}, {"authorization": "Bearer wrong"}, {"authorization": "right"}]
PERIOD = "start=2024-01-01&end=2024-02-01"


@pytest.mark.parametrize("headers", ANONYMOUS)
def test_an_anonymous_reader_of_a_metered_price_gets_the_stored_one(
    metered: None, source: FakePrices, headers: dict[str, str]
) -> None:
    set_stock_price("AAPL", 99.5, LONG_AGO, as_of=date(2020, 1, 2))

    body = call("GET", "/api/stocks/AAPL/price", headers=headers).json()

    assert body == {"ticker": "AAPL", "price": 99.5, "updated_at": LONG_AGO, "as_of": "2020-01-02", "error": None}
    assert source.requests == 0


@pytest.mark.parametrize("headers", ANONYMOUS)
def test_an_anonymous_reader_of_a_price_that_is_not_stored_is_told_so(
    metered: None, source: FakePrices, headers: dict[str, str]
) -> None:
    body = call("GET", "/api/stocks/AAPL/price", headers=headers).json()

    assert body == {
        "ticker": "AAPL",
        "price": None,
        "updated_at": None,
        "as_of": None,
        "error": "No price of AAPL is stored. A request with the API's token fetches one.",
    }
    assert source.requests == 0


@pytest.mark.parametrize("headers", ANONYMOUS)
def test_an_anonymous_reader_of_a_metered_history_gets_what_is_stored(
    metered: None, source: FakePrices, headers: dict[str, str]
) -> None:
    store_closes(date(2024, 1, 10), date(2024, 1, 20))

    response = call("GET", "/api/stocks/AAPL/history", query=PERIOD, headers=headers)

    assert (response.status, len(response.json()["prices"]), source.requests) == (200, 11, 0)


@pytest.mark.parametrize("headers", ANONYMOUS)
def test_an_anonymous_reader_of_a_metered_history_that_is_not_stored_gets_none(
    metered: None, source: FakePrices, headers: dict[str, str]
) -> None:
    response = call("GET", "/api/stocks/AAPL/history", query=PERIOD, headers=headers)

    assert (response.status, response.json()) == (200, {"ticker": "AAPL", "prices": []})
    assert source.requests == 0


def test_a_bearer_of_the_token_is_served_from_the_metered_source(metered: None, source: FakePrices) -> None:
    bearer = {"authorization": "Bearer right"}
    set_stock_price("AAPL", 99.5, LONG_AGO, as_of=date(2020, 1, 2))

    price = call("GET", "/api/stocks/AAPL/price", headers=bearer).json()
    history = call("GET", "/api/stocks/AAPL/history", query=PERIOD, headers=bearer).json()

    assert price["price"] == 151.5
    assert len(history["prices"]) == 2
    assert source.requests == 2


def test_a_token_that_cannot_be_read_makes_everyone_anonymous(
    metered: None, source: FakePrices, monkeypatch: pytest.MonkeyPatch, written_log: io.StringIO
) -> None:
    monkeypatch.setattr(Keys, "_fetched", lambda keys: "{}")

    response = call("GET", "/api/stocks/AAPL/history", query=PERIOD, headers={"authorization": "Bearer right"})

    assert (response.status, response.json()["prices"], source.requests) == (200, [], 0)
    assert "The API's token cannot be read" in written_log.getvalue()


@pytest.mark.parametrize(
    ("who", "provider", "requests"), [("nobody", "tiingo", 0), ("nobody", "demo", 1), ("everyone", "yahoo", 1)]
)
def test_a_free_source_is_called_for_everyone_and_a_metered_one_as_the_deployment_says(
    metered: None, source: FakePrices, monkeypatch: pytest.MonkeyPatch, who: str, provider: str, requests: int
) -> None:
    monkeypatch.setenv("METERED_READS", who)
    monkeypatch.setenv("PRICES_PROVIDER", provider)
    settings.cache_clear()

    call("GET", "/api/stocks/AAPL/history", query=PERIOD, headers={"authorization": "Bearer right"})

    assert source.requests == requests


@pytest.mark.parametrize("query", ["start=2014-01-01&end=2024-01-01", "start=2024-02-29&end=2024-02-29"])
def test_history_goes_up_to_ten_years(tables: str, query: str) -> None:
    assert call("GET", "/api/stocks/AAPL/history", query=query).status == 200


@pytest.mark.parametrize(
    ("query", "parameter"),
    [
        ("", "start"),
        ("start=2024-01-01", "end"),
        ("end=2024-01-01", "start"),
        ("start=x&end=2024-01-01", "start"),
        ("start=2024-1-1&end=2024-01-01", "start"),
        ("start=20240101&end=2024-01-01", "start"),
        ("start=2024-02-30&end=2024-03-01", "start"),
        ("start=2024-01-01&end=", "end"),
        ("start=2024-01-01T00:00&end=2024-01-02", "start"),
        ("start=2024-02-01&end=2024-01-01", "end"),
        ("start=2013-12-31&end=2024-01-01", "start"),
        ("start=0001-01-01&end=9999-12-31", "start"),
        ("start=２024-01-01&end=2024-01-01", "start"),  # noqa: RUF001
    ],
)
def test_a_period_that_cannot_be_read_is_refused(tables: str, query: str, parameter: str) -> None:
    response = call("GET", "/api/stocks/AAPL/history", query=query)

    assert response.status == 422
    assert response.json()["detail"][0]["loc"] == ["query", parameter]


def test_refreshing_fetches_stale_prices_and_queues_what_is_late(tables: str, dispatched: RecordingDispatcher) -> None:
    channel = a_finished_channel([("2024-03-01", ("AAPL", "KO", "XOM", "ZZZZ"))])
    set_stock_price("AAPL", 1.0, LONG_AGO, as_of=date(2020, 1, 2))
    set_stock_price("KO", 2.0, LONG_AGO)
    set_stock_price("XOM", 99.5, now())

    response = call("POST", f"/api/channels/{channel.id}/refresh-prices")

    body = response.json()
    refreshed = stock_by_ticker("AAPL")
    assert response.status == 200
    assert list(body) == ["prices", "updated_at"]
    assert body["prices"] == {"AAPL": 151.5, "KO": 2.0, "XOM": 99.5}
    assert body["updated_at"].endswith("Z")
    assert refreshed
    assert refreshed.last_price == 151.5
    assert dispatched.jobs == [RefreshPrices(("KO",)), ScoreMentions(("AAPL",))]


def test_backfilling_a_channel_without_videos(tables: str, dispatched: RecordingDispatcher) -> None:
    channel = a_finished_channel([])

    response = call("POST", f"/api/channels/{channel.id}/backfill-prices")

    assert (response.status, response.json()) == (200, {"status": "no_videos"})
    assert not dispatched.jobs


def test_backfilling_a_channel_that_lacks_nothing(tables: str, dispatched: RecordingDispatcher) -> None:
    channel = a_finished_channel()

    response = call("POST", f"/api/channels/{channel.id}/backfill-prices")

    assert (response.status, response.json()) == (200, {"status": "complete", "missing": 0})
    assert not dispatched.jobs


def test_backfilling_begins_for_what_is_missing(tables: str, dispatched: RecordingDispatcher) -> None:
    channel = a_channel()
    run_id, videos = in_a_run(channel, videos=1)
    commit(run_id, videos[0], "AAPL", "XOM", price_at_mention=None)

    response = call("POST", f"/api/channels/{channel.id}/backfill-prices")

    assert (response.status, response.json()) == (200, {"status": "started", "missing": 2})
    assert dispatched.jobs == [BackfillPrices(channel.id)]
