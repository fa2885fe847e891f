"""The stocks of a channel, its timeline, and what it said of one stock."""

from typing import Any

import httpx
import pytest

from tests.contract.shapes import CHANNEL_STOCK, MENTION, VIDEO, has_shape
from tests.contract.steps import Channel


@pytest.fixture
def timeline(api: httpx.Client, demo: Channel) -> list[dict[str, Any]]:
    return list(api.get(f"/api/channels/{demo['id']}/timeline").json()["timeline"])


def test_stocks_come_by_mentions_then_ticker(api: httpx.Client, demo: Channel) -> None:
    response = api.get(f"/api/channels/{demo['id']}/stocks")

    body = response.json()
    assert response.status_code == 200
    assert body.keys() == {"channel_id", "stocks", "coverage", "summary"}
    assert body["channel_id"] == demo["id"]
    for stock in body["stocks"]:
        has_shape(stock, CHANNEL_STOCK)
    order = [(-stock["total_mentions"], stock["ticker"]) for stock in body["stocks"]]
    assert order == sorted(order)
    assert len({stock["ticker"] for stock in body["stocks"]}) == len(body["stocks"]) > 1


def test_the_numbers_of_a_stock_add_up(api: httpx.Client, demo: Channel) -> None:
    for stock in api.get(f"/api/channels/{demo['id']}/stocks").json()["stocks"]:
        counts = (stock[f"{sentiment}_count"] for sentiment in ("buy", "hold", "sell", "mentioned"))
        first, current = stock["price_at_first_mention"], stock["current_price"]

        assert sum(counts) == stock["total_mentions"]
        assert stock["price_change_percent"] == ((current - first) / first * 100 if first and current else None)
        assert stock["yahoo_finance_url"] == f"https://finance.yahoo.com/quote/{stock['ticker'].replace('.', '-')}"


def test_the_timeline_is_newest_first_without_silent_videos(demo: Channel, timeline: list[dict[str, Any]]) -> None:
    assert timeline
    for entry in timeline:
        assert entry.keys() == {"video", "mentions"}
        has_shape(entry["video"], VIDEO)
        assert entry["video"]["channel_id"] == demo["id"]
        assert entry["mentions"]
        for mention in entry["mentions"]:
            has_shape(mention, MENTION)
            assert mention["video"] is None
            assert mention["video_id"] == entry["video"]["id"]
    days = [entry["video"]["published_at"] for entry in timeline]
    assert days == sorted(days, reverse=True)


def test_a_ticker_counts_once_per_video(timeline: list[dict[str, Any]]) -> None:
    for entry in timeline:
        tickers = [mention["ticker"] for mention in entry["mentions"]]
        assert len(tickers) == len(set(tickers))


def test_stocks_and_timeline_tell_the_same(api: httpx.Client, demo: Channel, timeline: list[dict[str, Any]]) -> None:
    for stock in api.get(f"/api/channels/{demo['id']}/stocks").json()["stocks"]:
        said = [
            (entry["video"], mention)
            for entry in timeline
            for mention in entry["mentions"]
            if mention["ticker"] == stock["ticker"]
        ]
        first_video, first_mention = said[-1]

        assert len(said) == stock["total_mentions"]
        assert stock["first_mention_date"] == first_video["published_at"]
        assert stock["first_mention_video_id"] == first_video["id"]
        assert stock["first_mention_video_title"] == first_video["title"]
        assert stock["price_at_first_mention"] == first_mention["price_at_mention"]


@pytest.mark.parametrize("spelling", [str.upper, str.lower, str.capitalize])
def test_what_was_said_of_a_stock_comes_newest_first_with_its_videos(
    api: httpx.Client, demo: Channel, timeline: list[dict[str, Any]], spelling: Any
) -> None:
    ticker = timeline[0]["mentions"][0]["ticker"]

    response = api.get(f"/api/channels/{demo['id']}/stocks/{spelling(ticker)}")

    body = response.json()
    assert response.status_code == 200
    assert body.keys() == {"ticker", "channel_id", "mentions"}
    assert (body["ticker"], body["channel_id"]) == (ticker, demo["id"])
    for mention in body["mentions"]:
        has_shape(mention, MENTION)
        has_shape(mention["video"], VIDEO)
        assert mention["ticker"] == ticker
        assert mention["video"]["id"] == mention["video_id"]
    days = [mention["video"]["published_at"] for mention in body["mentions"]]
    assert days == sorted(days, reverse=True)
    assert len(days) == sum(mention["ticker"] == ticker for entry in timeline for mention in entry["mentions"])


@pytest.mark.parametrize("ticker", ["ZZZZZ", "%00", "%ff", "%F0%9F%98%80", "a%20b", "%27%22", "A" * 3000])
def test_an_unknown_ticker_has_no_mentions(api: httpx.Client, demo: Channel, ticker: str) -> None:
    response = api.get(f"/api/channels/{demo['id']}/stocks/{ticker}")

    assert response.status_code == 200
    assert response.json()["mentions"] == []
