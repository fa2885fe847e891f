"""The maths of a track record, without any table."""

from typing import Any

import pytest

from functions.record.models.records import Stock, Video
from functions.record.stocks.track_record import newest_first, summarise, timeline
from tests.builders import a_video, finished


def said(video: Video, *tickers: str, **changes: Any) -> Video:
    return finished(video, "run", tickers, **changes)


def test_the_first_mention_is_the_earliest_by_day_then_video() -> None:
    days = {"v1": "2024-01-01", "v2": "2024-02-01", "v3": "2024-01-01"}
    early, late, same_day = (said(a_video("c", name, published_at=day), "AAPL") for name, day in days.items())
    other = said(a_video("c", "v4", published_at="2024-02-02"), "MSFT")

    firsts = {stock.ticker: stock.first_mention_video_id for stock in summarise([late, early, same_day, other], {})}

    assert firsts == {"AAPL": min(early.id, same_day.id), "MSFT": other.id}


def test_a_stock_is_summarised_with_every_field() -> None:
    early = said(a_video("c", "v1", published_at="2024-01-01"), "AAPL", sentiment="buy", price_at_mention=120.0)
    late = said(a_video("c", "v2", published_at="2024-02-01"), "AAPL", sentiment="sell", price_at_mention=180.0)
    stocks = {"AAPL": Stock("AAPL", name="Apple Inc.", last_price=150.0)}

    (summary,) = summarise([late, early], stocks)

    assert summary.ticker == "AAPL"
    assert summary.name == "Apple Inc."
    assert summary.first_mention_date == "2024-01-01"
    assert summary.first_mention_video_id == early.id
    assert summary.first_mention_video_title == early.title
    assert summary.price_at_first_mention == 120.0
    assert summary.current_price == 150.0
    assert summary.price_change_percent == 25.0
    counts = (summary.buy_count, summary.hold_count, summary.sell_count, summary.mentioned_count)
    assert counts == (1, 0, 1, 0)
    assert summary.total_mentions == 2
    assert summary.yahoo_finance_url == "https://finance.yahoo.com/quote/AAPL"


@pytest.mark.parametrize(
    ("stock", "price", "reason"),
    [
        (Stock("AAPL", last_price=1.0, price_as_of="2024-02-29"), 100.0, None),
        (Stock("AAPL"), None, "not_fetched"),
        (Stock("AAPL", last_price=1.0, price_as_of="2024-02-29"), None, "awaiting_close"),
        (Stock("AAPL", last_price=1.0, price_as_of="2024-03-01"), None, "no_trading"),
        (Stock("AAPL", last_price=1.0, price_as_of="2024-03-01", price_problem="blocked"), 100.0, "blocked"),
    ],
)
def test_a_price_that_is_missing_or_old_comes_with_the_reason(
    stock: Stock, price: float | None, reason: str | None
) -> None:
    (summary,) = summarise([said(a_video("c"), "AAPL", price_at_mention=price)], {"AAPL": stock})

    assert (summary.price_as_of, summary.price_problem) == (stock.price_as_of, reason)


def test_the_link_to_yahoo_uses_yahoos_spelling() -> None:
    (summary,) = summarise([said(a_video("c"), "BRK.B")], {})

    assert summary.ticker == "BRK.B"
    assert summary.yahoo_finance_url == "https://finance.yahoo.com/quote/BRK-B"


def test_what_is_not_known_of_a_stock_is_none() -> None:
    (summary,) = summarise([said(a_video("c"), "AAPL", price_at_mention=None)], {})

    assert summary.name is None
    assert summary.price_at_first_mention is None
    assert summary.current_price is None
    assert summary.price_change_percent is None


def test_each_sentiment_is_counted() -> None:
    sentiments = ["buy"] * 4 + ["hold"] * 3 + ["sell"] * 2 + ["mentioned"]
    videos = [said(a_video("c", f"v{number}"), "AAPL", sentiment=each) for number, each in enumerate(sentiments)]

    (summary,) = summarise(videos, {})

    counts = (summary.buy_count, summary.hold_count, summary.sell_count, summary.mentioned_count)
    assert counts == (4, 3, 2, 1)
    assert summary.total_mentions == 10


def test_stocks_come_by_number_of_mentions_then_ticker() -> None:
    videos = [said(a_video("c", "v1"), "MSFT", "AAPL", "XOM"), said(a_video("c", "v2"), "XOM")]

    assert [stock.ticker for stock in summarise(videos, {})] == ["XOM", "AAPL", "MSFT"]


def test_nothing_said_is_no_stocks() -> None:
    assert summarise([a_video("c")], {}) == []


def test_the_timeline_keeps_the_order_of_videos_and_leaves_silent_ones_out() -> None:
    new, silent, old = said(a_video("c", "v3"), "MSFT"), a_video("c", "v2"), said(a_video("c", "v1"), "XOM", "AAPL")

    entries = timeline([new, silent, old])

    assert [entry.video for entry in entries] == [new, old]
    assert [[mention.ticker for mention in entry.mentions] for entry in entries] == [["MSFT"], ["AAPL", "XOM"]]


def test_the_newest_video_is_first_and_within_a_day_the_order_is_fixed() -> None:
    days = ["2024-01-01", "2024-03-01", "2024-02-01", "2024-03-01"]
    videos = [a_video("c", f"v{number}", published_at=day) for number, day in enumerate(days)]

    ordered = newest_first(videos)

    assert [video.published_at for video in ordered] == sorted(days, reverse=True)
    assert newest_first(reversed(videos)) == ordered
