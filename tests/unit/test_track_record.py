"""The maths of a track record, without any table."""

import pytest

from functions.core.models import Stock
from functions.logic.track_record import change_percent, first_mentions, summarise, timeline
from tests.builders import a_mention, a_video


@pytest.mark.parametrize(
    ("first", "current", "expected"),
    [
        (100.0, 150.0, 50.0),
        (100.0, 50.0, -50.0),
        (100.0, 100.0, 0.0),
        (3.0, 4.0, (4.0 - 3.0) / 3.0 * 100),
        (None, 100.0, None),
        (100.0, None, None),
        (None, None, None),
        (0.0, 100.0, None),
        (100.0, 0.0, None),
        (0.1, 0.30000000000000004, (0.30000000000000004 - 0.1) / 0.1 * 100),
    ],
)
def test_change_is_exact_and_unknown_without_two_prices(
    first: float | None, current: float | None, expected: float | None
) -> None:
    assert change_percent(first, current) == expected


def test_the_first_mention_is_the_earliest_by_day_then_video() -> None:
    early, late = a_video("c", "v1", published_at="2024-01-01"), a_video("c", "v2", published_at="2024-02-01")
    same_day = a_video("c", "v3", published_at="2024-01-01")
    mentions = [a_mention(late), a_mention(early), a_mention(same_day), a_mention(late, "MSFT")]

    firsts = first_mentions(mentions)

    assert firsts["AAPL"].video_id == min(early.id, same_day.id)
    assert firsts["MSFT"].video_id == late.id
    assert first_mentions(reversed(mentions)) == firsts


def test_a_stock_is_summarised_with_every_field() -> None:
    early, late = a_video("c", "v1", published_at="2024-01-01"), a_video("c", "v2", published_at="2024-02-01")
    mentions = [
        a_mention(late, sentiment="sell", price_at_mention=180.0),
        a_mention(early, sentiment="buy", price_at_mention=120.0),
    ]
    stocks = {"AAPL": Stock("AAPL", name="Apple Inc.", last_price=150.0)}

    (summary,) = summarise(mentions, stocks, {early.id: early, late.id: late})

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


def test_what_is_not_known_of_a_stock_is_none() -> None:
    video = a_video("c")

    (summary,) = summarise([a_mention(video, price_at_mention=None)], {}, {})

    assert summary.name is None
    assert summary.price_at_first_mention is None
    assert summary.current_price is None
    assert summary.price_change_percent is None
    assert summary.first_mention_video_title == ""


def test_each_sentiment_is_counted() -> None:
    videos = [a_video("c", f"v{number}") for number in range(10)]
    sentiments = ["buy"] * 4 + ["hold"] * 3 + ["sell"] * 2 + ["mentioned"]
    mentions = [a_mention(video, sentiment=each) for video, each in zip(videos, sentiments, strict=True)]

    (summary,) = summarise(mentions, {}, {})

    counts = (summary.buy_count, summary.hold_count, summary.sell_count, summary.mentioned_count)
    assert counts == (4, 3, 2, 1)
    assert summary.total_mentions == 10


def test_stocks_come_by_number_of_mentions_then_ticker() -> None:
    one, two = a_video("c", "v1"), a_video("c", "v2")
    mentions = [a_mention(one, ticker) for ticker in ("MSFT", "AAPL", "XOM")] + [a_mention(two, "XOM")]

    assert [stock.ticker for stock in summarise(mentions, {}, {})] == ["XOM", "AAPL", "MSFT"]


def test_nothing_said_is_no_stocks() -> None:
    assert summarise([], {}, {}) == []


def test_the_timeline_keeps_the_order_of_videos_and_leaves_silent_ones_out() -> None:
    new, silent, old = (a_video("c", name) for name in ("v3", "v2", "v1"))
    mentions = [a_mention(old, "XOM"), a_mention(new, "MSFT"), a_mention(old, "AAPL")]

    entries = timeline([new, silent, old], mentions)

    assert [entry.video for entry in entries] == [new, old]
    assert [[mention.ticker for mention in entry.mentions] for entry in entries] == [["MSFT"], ["AAPL", "XOM"]]
