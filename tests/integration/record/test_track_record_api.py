"""The routes that show a channel's stocks, its timeline and what it said of one stock."""

from datetime import date

import pytest

from functions.reading.terms import Exchange
from functions.record.models.series import PriceProblem, SeriesHeader
from functions.record.store.stocks import describe_stock, set_price_problem, set_stock_price
from functions.runtime.dynamodb.connection import dynamodb, main_table
from tests.builders import a_channel, commit, in_a_run
from tests.events import call
from tests.seeds import a_finished_channel

STOCK = [
    "ticker",
    "name",
    "first_mention_date",
    "first_mention_video_id",
    "first_mention_video_title",
    "price_at_first_mention",
    "current_price",
    "price_change_percent",
    "buy_count",
    "hold_count",
    "sell_count",
    "mentioned_count",
    "total_mentions",
    "yahoo_finance_url",
    "price_as_of",
    "price_problem",
]
VIDEO = [
    "id",
    "channel_id",
    "youtube_video_id",
    "title",
    "url",
    "published_at",
    "published_time",
    "transcript_status",
    "analysis_status",
    "removed_at",
    "created_at",
]
MENTION = [
    "id",
    "video_id",
    "ticker",
    "sentiment",
    "price_at_mention",
    "confidence_score",
    "context_snippet",
    "possible_sentiment",
    "start_seconds",
    "quote_url",
    "analyst",
    "review",
    "read_as",
    "review_version",
    "statement",
    "reason",
    "explanation",
    "created_at",
    "price_problem",
    "video",
]
DAYS = [("2024-03-03", ("MSFT", "AAPL")), ("2024-03-01", ("AAPL",)), ("2024-03-02", ()), ("2024-03-04", ("AAPL",))]


@pytest.fixture
def path(tables: str) -> str:
    channel = a_finished_channel(DAYS)
    describe_stock("AAPL", "Apple Inc.", Exchange.NASDAQ)
    set_stock_price("AAPL", 202.5, "2025-01-01T00:00:00.000Z")
    return f"/api/channels/{channel.id}"


def test_stocks_come_by_mentions_with_every_field(path: str) -> None:
    response = call("GET", f"{path}/stocks")

    body = response.json()
    apple, microsoft = body["stocks"]
    assert response.status == 200
    assert list(body) == ["channel_id", "stocks", "coverage", "summary"]
    assert list(apple) == list(microsoft) == STOCK
    assert (apple["ticker"], apple["name"], apple["total_mentions"], apple["buy_count"]) == ("AAPL", "Apple Inc.", 3, 3)
    assert apple["first_mention_date"] == "2024-03-01"
    assert (apple["price_at_first_mention"], apple["current_price"]) == (101.25, 202.5)
    assert apple["price_change_percent"] == 100.0
    assert apple["yahoo_finance_url"] == "https://finance.yahoo.com/quote/AAPL"
    assert microsoft["ticker"] == "MSFT"
    assert (microsoft["name"], microsoft["current_price"], microsoft["price_change_percent"]) == (None, None, None)


def test_stocks_come_with_what_they_cover_and_the_figures_of_the_track_record(path: str) -> None:
    body = call("GET", f"{path}/stocks").json()

    assert body["coverage"] == {
        "videos": 4,
        "read": 4,
        "without_transcript": 0,
        "failed": 0,
        "with_mentions": 3,
        "unpriced": 1,
    }
    assert body["summary"] == {
        "first_mentions": {"AAPL": "buy", "MSFT": "buy"},
        "prices_as_of": "2025-01-01T00:00:00.000Z",
    }


@pytest.mark.parametrize(
    ("query", "days"),
    [
        ("before=2024-03-04", ["2024-03-03", "2024-03-01"]),
        ("before=2024-03-03", ["2024-03-01"]),
        ("before=2024-03-01", []),
        ("before=2999-12-31", ["2024-03-04", "2024-03-03", "2024-03-01"]),
        ("ticker=msft", ["2024-03-03"]),
        ("sentiment=buy", ["2024-03-04", "2024-03-03", "2024-03-01"]),
        ("sentiment=sell", []),
        ("ticker=AAPL&before=2024-03-04&sentiment=buy", ["2024-03-03", "2024-03-01"]),
    ],
)
def test_the_timeline_begins_before_a_day_and_is_filtered(path: str, query: str, days: list[str]) -> None:
    body = call("GET", f"{path}/timeline", query=query).json()

    assert [entry["video"]["published_at"] for entry in body["items"]] == days
    assert body["nextToken"] is None


def test_a_filtered_entry_holds_the_matching_mentions_only(path: str) -> None:
    (entry,) = call("GET", f"{path}/timeline", query="ticker=MSFT").json()["items"]

    assert [mention["ticker"] for mention in entry["mentions"]] == ["MSFT"]


@pytest.mark.parametrize("query", ["before=yesterday", "before=2024-02-30", "before=", "sentiment=up", "sentiment=BUY"])
def test_a_filter_that_cannot_be_read_is_refused(path: str, query: str) -> None:
    assert call("GET", f"{path}/timeline", query=query).status == 422


def test_the_timeline_is_newest_first_without_silent_videos(path: str) -> None:
    body = call("GET", f"{path}/timeline").json()

    entries = body["timeline"]
    assert list(body) == ["timeline"]
    assert [entry["video"]["published_at"] for entry in entries] == ["2024-03-04", "2024-03-03", "2024-03-01"]
    assert all(list(entry) == ["video", "mentions"] and list(entry["video"]) == VIDEO for entry in entries)
    mentions = entries[1]["mentions"]
    assert [mention["ticker"] for mention in mentions] == ["AAPL", "MSFT"]
    assert all(list(mention) == MENTION and mention["video"] is None for mention in mentions)


def test_pages_of_the_timeline_hold_what_the_whole_does(path: str) -> None:
    page = call("GET", f"{path}/timeline", query="limit=100").json()

    assert page == {"items": call("GET", f"{path}/timeline").json()["timeline"], "nextToken": None}


@pytest.mark.parametrize("ticker", ["AAPL", "aapl", "aApL"])
def test_what_was_said_of_a_stock_comes_newest_first_with_its_videos(path: str, ticker: str) -> None:
    body = call("GET", f"{path}/stocks/{ticker}").json()

    mentions = body["mentions"]
    assert list(body) == ["ticker", "channel_id", "mentions"]
    assert body["ticker"] == "AAPL"
    assert [mention["video"]["published_at"] for mention in mentions] == ["2024-03-04", "2024-03-03", "2024-03-01"]
    assert all(list(mention) == MENTION and list(mention["video"]) == VIDEO for mention in mentions)
    assert all(mention["video"]["id"] == mention["video_id"] for mention in mentions)
    assert {mention["price_problem"] for mention in mentions} == {None}


def test_a_current_price_comes_with_its_day_and_what_is_wrong_with_it(path: str) -> None:
    set_stock_price("AAPL", 202.5, "2025-01-02T00:00:00.000Z", as_of=date(2025, 1, 2))
    set_price_problem("AAPL", PriceProblem.BLOCKED)

    stocks = {stock["ticker"]: stock for stock in call("GET", f"{path}/stocks").json()["stocks"]}

    assert (stocks["AAPL"]["price_as_of"], stocks["AAPL"]["price_problem"]) == ("2025-01-02", "blocked")
    assert (stocks["MSFT"]["price_as_of"], stocks["MSFT"]["price_problem"]) == (None, None)


@pytest.mark.parametrize(
    ("header", "reason"),
    [
        (None, "not_fetched"),
        (SeriesHeader("KO", "2023-01-01", problem=PriceProblem.BLOCKED), "blocked"),
        (
            SeriesHeader(
                "KO", "2023-01-01", fetched_from="2023-01-01", last_day="2024-02-29", as_of="2024-03-01T15:00:00.000Z"
            ),
            "awaiting_close",
        ),
        (
            SeriesHeader(
                "KO", "2023-01-01", fetched_from="2023-01-01", last_day="2024-05-31", as_of="2024-06-01T00:00:00.000Z"
            ),
            "no_trading",
        ),
    ],
)
def test_a_mention_without_a_price_tells_why(tables: str, header: SeriesHeader | None, reason: str) -> None:
    channel = a_channel()
    run_id, (video,) = in_a_run(channel, videos=1)
    commit(run_id, video, "KO", price_at_mention=None)
    if header:
        dynamodb().put_item(TableName=main_table(), Item=header.to_item())

    (mention,) = call("GET", f"/api/channels/{channel.id}/stocks/KO").json()["mentions"]

    assert (mention["price_at_mention"], mention["price_problem"]) == (None, reason)


@pytest.mark.parametrize("ticker", ["ZZZZ", "é", "a b", "\x00", "%", "'\"", "A" * 5000, "$AAPL", "AAPL\n"])
def test_a_ticker_that_names_nothing_has_no_mentions(path: str, ticker: str) -> None:
    response = call("GET", f"{path}/stocks/{ticker}")

    assert response.status == 200
    assert response.json()["mentions"] == []


def test_a_channel_that_said_nothing_has_nothing_to_show(tables: str) -> None:
    channel = a_finished_channel([])

    stocks = call("GET", f"/api/channels/{channel.id}/stocks").json()
    assert (stocks["channel_id"], stocks["stocks"]) == (channel.id, [])
    assert set(stocks["coverage"].values()) == {0}
    assert stocks["summary"] == {
        "first_mentions": {},
        "prices_as_of": None,
    }
    assert call("GET", f"/api/channels/{channel.id}/timeline").json() == {"timeline": []}
    assert call("GET", f"/api/channels/{channel.id}/timeline", query="limit=5").json() == {
        "items": [],
        "nextToken": None,
    }
