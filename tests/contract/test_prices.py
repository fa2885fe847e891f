"""Prices of a stock, now and over time, and those of a channel."""

import httpx
import pytest

from tests.contract.conftest import Create
from tests.contract.shapes import day, number, timestamp
from tests.contract.steps import Channel, finished

STRANGE = ["ZZZZZ", "%00", "%ff", "%F0%9F%98%80", "a%20b", "%27%22", "A" * 3000, "..%20", "123"]


@pytest.mark.parametrize("ticker", ["AAPL", "aapl", "aApL"])
def test_a_price_is_told(api: httpx.Client, ticker: str) -> None:
    response = api.get(f"/api/stocks/{ticker}/price")

    body = response.json()
    assert response.status_code == 200
    assert body.keys() == {"ticker", "price", "updated_at", "as_of", "error"}
    assert body["ticker"] == "AAPL"
    assert number(body["price"])
    assert timestamp(body["updated_at"])
    assert body["as_of"] is None or day(body["as_of"])
    assert body["error"] is None


@pytest.mark.parametrize("ticker", STRANGE)
def test_a_price_that_cannot_be_had_is_told_in_a_sentence(api: httpx.Client, ticker: str) -> None:
    response = api.get(f"/api/stocks/{ticker}/price")

    body = response.json()
    assert response.status_code == 200
    assert body.keys() == {"ticker", "price", "updated_at", "as_of", "error"}
    assert (body["price"], body["updated_at"], body["as_of"]) == (None, None, None)
    assert " " in body["error"]


def test_history_is_oldest_first(api: httpx.Client) -> None:
    response = api.get("/api/stocks/aapl/history", params={"start": "2022-01-01", "end": "2022-02-01"})

    body = response.json()
    assert response.status_code == 200
    assert body.keys() == {"ticker", "prices"}
    assert body["ticker"] == "AAPL"
    assert body["prices"]
    for close in body["prices"]:
        assert close.keys() == {"date", "close"}
        assert day(close["date"])
        assert number(close["close"])
    days = [close["date"] for close in body["prices"]]
    assert days == sorted(set(days))
    assert "2022-01-01" <= days[0] <= days[-1] <= "2022-02-01"


@pytest.mark.parametrize("ticker", STRANGE)
def test_a_ticker_without_data_has_an_empty_history(api: httpx.Client, ticker: str) -> None:
    response = api.get(f"/api/stocks/{ticker}/history", params={"start": "2022-01-01", "end": "2022-02-01"})

    assert response.status_code == 200
    assert response.json()["prices"] == []


def test_history_goes_up_to_ten_years(api: httpx.Client) -> None:
    assert api.get("/api/stocks/AAPL/history?start=2012-06-01&end=2022-06-01").status_code == 200


@pytest.mark.parametrize(
    ("query", "parameter"),
    [
        ("", "start"),
        ("start=2022-01-01", "end"),
        ("start=x&end=2022-01-01", "start"),
        ("start=2022-01-01&end=2022-02-30", "end"),
        ("start=2022-02-01&end=2022-01-01", "end"),
        ("start=2012-05-31&end=2022-06-01", "start"),
    ],
)
def test_a_period_that_cannot_be_had_is_refused(api: httpx.Client, query: str, parameter: str) -> None:
    response = api.get(f"/api/stocks/AAPL/history?{query}")

    assert response.status_code == 422
    assert response.json()["detail"][0]["loc"] == ["query", parameter]


def test_refreshing_gives_the_prices_of_a_channels_stocks(api: httpx.Client, demo: Channel) -> None:
    response = api.post(f"/api/channels/{demo['id']}/refresh-prices")

    body = response.json()
    tickers = {stock["ticker"] for stock in api.get(f"/api/channels/{demo['id']}/stocks").json()["stocks"]}
    assert response.status_code == 200
    assert body.keys() == {"prices", "updated_at"}
    assert timestamp(body["updated_at"])
    assert body["prices"]
    assert body["prices"].keys() <= tickers
    assert all(number(price) for price in body["prices"].values())


def test_backfilling_tells_what_is_missing(api: httpx.Client, demo: Channel) -> None:
    response = api.post(f"/api/channels/{demo['id']}/backfill-prices")

    body = response.json()
    timeline = api.get(f"/api/channels/{demo['id']}/timeline").json()["timeline"]
    unpriced = sum(mention["price_at_mention"] is None for entry in timeline for mention in entry["mentions"])
    assert response.status_code == 200
    assert body == {"status": "started" if unpriced else "complete", "missing": unpriced}


def test_backfilling_a_channel_without_videos(api: httpx.Client, a_new_channel: Create) -> None:
    channel = finished(api, a_new_channel())

    response = api.post(f"/api/channels/{channel['id']}/backfill-prices")

    assert (response.status_code, response.json()) == (200, {"status": "no_videos"})
