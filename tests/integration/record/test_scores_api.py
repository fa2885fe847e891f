"""The routes that score: a channel's score, the leaderboard, calls with their results, backtests, and the search."""

from collections import Counter
from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from functions.reading.policy import Reason
from functions.reading.statements import Act
from functions.reading.terms import Exchange
from functions.record.models.records import Channel
from functions.record.models.said import Said
from functions.record.models.series import Split
from functions.record.pipeline.keep_score import keep_score
from functions.record.store import channels
from functions.record.store.price_series import headers_of, save_header
from functions.record.store.stocks import describe_stock
from functions.record.store.videos import videos_of_channel
from local.entities import put_entities
from tests.builders import a_channel
from tests.events import call
from tests.markets import falling, rising, store_benchmark, store_closes
from tests.seeds import a_finished_channel, fill

CALL = [
    "video_id",
    "video_title",
    "ticker",
    "name",
    "sentiment",
    "published_at",
    "published_time",
    "quote",
    "quote_url",
    "start_seconds",
    "confidence",
    "review",
    "review_version",
    "read_as",
    "analyst",
    "removed_at",
    "status",
    "entry_date",
    "entry_price",
    "exit_date",
    "exit_price",
    "return_percent",
    "benchmark_percent",
    "excess_percent",
    "matures_on",
    "unpriced_reason",
    "news_before",
    "reason",
    "explanation",
    "statement",
    "own_target",
]
DAYS = [
    ("2024-03-01", ("AAPL", "MSFT")),
    ("2024-03-04", ("AAPL",)),
    ("2024-03-05", ()),
    ("2025-06-20", ("AAPL", "KO", "MSFT")),
]
TICKERS = ("AAPL", "KO", "MSFT")
UNKNOWN = "00000000-0000-4000-8000-000000000000"


@pytest.fixture
def prices(tables: str) -> None:
    store_benchmark()
    store_closes("AAPL", rising)
    store_closes("KO", falling)
    describe_stock("AAPL", "Apple Inc.", Exchange.NASDAQ)


@pytest.fixture
def channel(prices: None) -> Channel:
    return a_finished_channel(DAYS)


def get(path: str, query: str = "") -> dict[str, Any]:
    response = call("GET", path, query=query)
    assert response.status == 200
    body: dict[str, Any] = response.json()
    return body


def give_target(channel: Channel, target: float) -> None:
    """Gives every call of the channel a statement with this target."""
    said = Said(Act.RECOMMENDS, Reason.RECOMMENDS, target=target, horizon="by Easter")
    for video in videos_of_channel(channel.id):
        calls = tuple(replace(mention, said=said) for mention in video.calls)
        put_entities([replace(video, calls=calls), *calls])


def every_page(path: str, query: str) -> list[list[dict[str, Any]]]:
    pages = [get(path, query)]
    while token := pages[-1]["nextToken"]:
        pages.append(get(path, f"{query}&nextToken={token}"))
    return [page["items"] for page in pages]


def calls_while_more_come(path: str, first_limit: int, later_limit: int, channel: Channel) -> list[tuple[str, str]]:
    """Returns the items of all pages, where videos are added and the limit changes after the first page."""
    page = get(path, f"limit={first_limit}")
    seen = page["items"]
    fill(channel, 12, TICKERS, first=30)
    while token := page["nextToken"]:
        page = get(path, f"limit={later_limit}&nextToken={token}")
        seen += page["items"]
    return [(item["video_id"], item["ticker"]) for item in seen]


class TestScore:
    def test_has_the_figures_of_each_horizon(self, channel: Channel) -> None:
        keep_score(channel.id)

        body = get(f"/api/channels/{channel.id}/score")

        assert list(body) == [
            *("channel_id", "as_of", "computed_at", "method", "benchmark", "risk_free", "cost_bps"),
            *("calls", "calls_sha256", "analysts", "checked", "horizons", "reason"),
        ]
        assert [(each["horizon"], each["sessions"]) for each in body["horizons"]] == [
            ("1w", 5),
            ("1m", 21),
            ("3m", 63),
            ("6m", 126),
            ("1y", 252),
        ]
        quarter = body["horizons"][2]
        assert [quarter[name] for name in ("calls", "pending", "unpriced", "ended")] == [2, 2, 2, 0]
        assert quarter["without_best_ticker"] == {"ticker": "AAPL", "mean_excess_percent": None}
        assert sum(bar["calls"] for bar in quarter["distribution"]) == 2
        assert [list(each) for each in (*quarter["best"], *quarter["worst"])] == [CALL, CALL]

    def test_of_a_channel_that_has_not_been_scored_has_no_calls_and_says_so(self, channel: Channel) -> None:
        body = get(f"/api/channels/{channel.id}/score")

        assert body["reason"] == "This channel has not been scored yet."
        assert [(each["calls"], each["mean_excess_percent"]) for each in body["horizons"]] == [(0, None)] * 5
        assert body["computed_at"] is None


class TestCalls:
    def test_come_newest_first_with_their_results(self, channel: Channel) -> None:
        body = get(f"/api/channels/{channel.id}/calls")

        assert list(body) == ["nextToken", "horizon", "items", "reason"]
        assert all(list(each) == CALL for each in body["items"])
        assert [(each["published_at"], each["ticker"], each["status"]) for each in body["items"]] == [
            ("2025-06-20", "AAPL", "pending"),
            ("2025-06-20", "KO", "pending"),
            ("2025-06-20", "MSFT", "unpriced"),
            ("2024-03-04", "AAPL", "scored"),
            ("2024-03-01", "AAPL", "scored"),
            ("2024-03-01", "MSFT", "unpriced"),
        ]
        newest, _, _, scored, *_ = body["items"]
        assert (newest["name"], newest["excess_percent"], newest["matures_on"][:4]) == ("Apple Inc.", None, "2025")
        # The benchmark stands still; AAPL closes at 100 on the first session and rises by 1 each.
        assert (scored["entry_date"], scored["entry_price"], scored["exit_price"]) == ("2024-03-05", 146.0, 209.0)
        assert scored["excess_percent"] == pytest.approx(100 * 63 / 146)

    def test_have_what_was_said_and_how_it_went_by_its_own_terms(self, channel: Channel) -> None:
        """The shares of AAPL were split 2:1 after the first two videos, and closed above 150 on 2024-03-11."""
        give_target(channel, 300.0)
        header = headers_of(["AAPL"])["AAPL"]
        save_header(replace(header, splits=(Split(date(2024, 6, 3), 2.0),)))

        _, second, first = get(f"/api/channels/{channel.id}/calls", "ticker=aapl&horizon=1w")["items"]
        (_, unpriced) = get(f"/api/channels/{channel.id}/calls", "ticker=msft")["items"]

        assert (second["reason"], second["explanation"]) == ("recommends", "Buy: recommends buying it.")
        assert (second["statement"]["act"], second["statement"]["target_price"]) == ("recommends", 300.0)
        assert second["statement"]["horizon"] == "by Easter"
        assert second["own_target"] == {"price": 150.0, "reached": True, "reached_on": "2024-03-11"}
        assert first["own_target"] == second["own_target"]
        assert unpriced["own_target"] == {"price": 300.0, "reached": None, "reached_on": None}
        assert {**second, "channel": None} in [
            {**each, "channel": None} for each in get("/api/stocks/AAPL/calls", "horizon=1w")["items"]
        ]

    def test_have_the_same_target_in_the_scorecard(self, channel: Channel) -> None:
        give_target(channel, 300.0)
        keep_score(channel.id)

        listed = get(f"/api/channels/{channel.id}/calls", "ticker=aapl&status=scored")["items"]
        (best,) = get(f"/api/channels/{channel.id}/score")["horizons"][2]["best"]

        assert best["own_target"] == {"price": 300.0, "reached": True, "reached_on": "2024-10-07"}
        assert best in listed

    def test_without_a_target_cost_no_request_for_splits(self, channel: Channel, requests_made: Counter[str]) -> None:
        requests_made.clear()
        get(f"/api/channels/{channel.id}/calls")
        without = requests_made["BatchGetItem"]
        give_target(channel, 300.0)
        requests_made.clear()

        get(f"/api/channels/{channel.id}/calls")

        assert requests_made["BatchGetItem"] == without + 1

    @pytest.mark.parametrize(
        ("query", "found"),
        [
            ("status=scored", 2),
            ("status=pending", 2),
            ("status=ended", 0),
            ("status=scored&horizon=1w", 4),
            ("kind=buy", 6),
            ("kind=sell", 0),
            ("ticker=aapl", 3),
            ("ticker=KO&status=pending", 1),
        ],
    )
    def test_are_filtered(self, channel: Channel, query: str, found: int) -> None:
        assert len(get(f"/api/channels/{channel.id}/calls", query)["items"]) == found

    @pytest.mark.parametrize("limit", [1, 2, 4, 100])
    @pytest.mark.parametrize("only", ["", "&status=scored", "&ticker=AAPL"])
    def test_pages_hold_what_the_whole_does(self, channel: Channel, limit: int, only: str) -> None:
        path = f"/api/channels/{channel.id}/calls"

        pages = every_page(path, f"limit={limit}{only}")

        assert [item for page in pages for item in page] == get(path, f"limit=100{only}")["items"]
        assert all(len(page) <= limit for page in pages)

    def test_without_closes_of_the_benchmark_have_no_figures_and_the_reason(self, tables: str) -> None:
        channel = a_finished_channel([("2024-03-01", ("AAPL",))])

        body = get(f"/api/channels/{channel.id}/calls")

        assert body["reason"] == "The closes of the S&P 500 have not been fetched yet."
        assert [(each["status"], each["excess_percent"]) for each in body["items"]] == [("unpriced", None)]

    @pytest.mark.parametrize(("first_limit", "later_limit"), [(50, 50), (50, 10), (50, 1), (1, 20), (2, 2)])
    def test_come_once_each_when_videos_are_added_and_the_limit_changes(
        self, prices: None, first_limit: int, later_limit: int
    ) -> None:
        channel = a_finished_channel([])
        videos = fill(channel, 30, TICKERS)

        seen = calls_while_more_come(f"/api/channels/{channel.id}/calls", first_limit, later_limit, channel)

        assert seen == [(video.id, ticker) for video in reversed(videos) for ticker in TICKERS]

    def test_a_token_of_another_channel_is_refused(self, channel: Channel) -> None:
        token = get(f"/api/channels/{channel.id}/calls", "limit=1")["nextToken"]
        other = a_finished_channel(DAYS)

        assert call("GET", f"/api/channels/{other.id}/calls", query=f"nextToken={token}").status == 400


class TestStockCalls:
    def test_come_from_every_channel_newest_first(self, channel: Channel) -> None:
        other = a_finished_channel([("2024-05-01", ("AAPL",))])

        body = get("/api/stocks/aapl/calls")

        assert list(body) == ["nextToken", "ticker", "horizon", "items", "reason"]
        assert body["ticker"] == "AAPL"
        assert [(each["published_at"], each["channel"]["id"]) for each in body["items"]] == [
            ("2025-06-20", channel.id),
            ("2024-05-01", other.id),
            ("2024-03-04", channel.id),
            ("2024-03-01", channel.id),
        ]
        assert all(list(each) == [*CALL, "channel"] for each in body["items"])
        assert [each["status"] for each in body["items"]] == ["pending", "scored", "scored", "scored"]

    def test_pages_hold_what_the_whole_does(self, channel: Channel) -> None:
        pages = every_page("/api/stocks/AAPL/calls", "limit=1")

        assert [item for page in pages for item in page] == get("/api/stocks/AAPL/calls")["items"]

    @pytest.mark.parametrize(("first_limit", "later_limit"), [(20, 20), (20, 3), (1, 10), (2, 1)])
    def test_come_once_each_when_videos_are_added_and_the_limit_changes(
        self, prices: None, first_limit: int, later_limit: int
    ) -> None:
        channel = a_finished_channel([])
        videos = fill(channel, 30, TICKERS)

        seen = calls_while_more_come("/api/stocks/KO/calls", first_limit, later_limit, channel)

        assert seen == [(video.id, "KO") for video in reversed(videos)]

    def test_of_one_day_come_once_each_also_when_the_last_given_is_gone(self, prices: None) -> None:
        callers = [a_finished_channel([("2024-03-01", ("KO",))]) for _ in range(6)]
        page = get("/api/stocks/KO/calls", "limit=1")
        seen = page["items"]
        channels.delete_channel(seen[0]["channel"]["id"])
        while token := page["nextToken"]:
            page = get("/api/stocks/KO/calls", f"limit=2&nextToken={token}")
            seen += page["items"]

        assert sorted(item["channel"]["id"] for item in seen) == sorted(each.id for each in callers)

    @pytest.mark.parametrize("ticker", ["ZZZZ", "é", "%", "A" * 3000])
    def test_of_an_unknown_ticker_there_are_none(self, prices: None, ticker: str) -> None:
        body = get(f"/api/stocks/{ticker}/calls")

        assert (body["items"], body["reason"]) == ([], None)

    def test_of_a_channel_that_is_being_deleted_are_left_out(self, channel: Channel) -> None:
        channels._stop_writes(channel.id)

        assert get("/api/stocks/AAPL/calls")["items"] == []


class TestBacktest:
    @pytest.mark.parametrize("strategy", ["follow", "long_short", "inverse"])
    def test_is_the_same_from_what_is_kept_and_from_the_videos(self, channel: Channel, strategy: str) -> None:
        path, query = f"/api/channels/{channel.id}/backtest", f"strategy={strategy}&horizon=1m&cost_bps=0"
        computed = get(path, query)
        keep_score(channel.id)

        kept = get(path, query)

        assert kept == computed
        assert (kept["strategy"], kept["horizon"], kept["cost_bps"], kept["reason"]) == (strategy, "1m", 0, None)
        assert kept["points"][0]["value"] == 100
        assert (kept["stats"]["final_value"] > 100) == (strategy != "inverse")

    def test_without_closes_of_the_benchmark_has_no_figures_and_the_reason(self, tables: str) -> None:
        channel = a_finished_channel([("2024-03-01", ("AAPL",))])

        body = get(f"/api/channels/{channel.id}/backtest")

        assert body["reason"] == "The closes of the S&P 500 have not been fetched yet."
        assert set(body["stats"].values()) == {None}
        assert body["points"] == []


class TestLeaderboard:
    @pytest.fixture
    def three(self, prices: None) -> list[Channel]:
        scored = [a_finished_channel(DAYS[:count]) for count in (1, 2, 4)]
        for each in scored:
            keep_score(each.id)
        return scored

    def test_lists_every_channel_that_has_been_scored(self, three: list[Channel]) -> None:
        a_finished_channel(DAYS)

        body = get("/api/leaderboard", "horizon=1w")

        assert list(body) == ["nextToken", "horizon", "as_of", "benchmark", "items", "reason"]
        assert (body["horizon"], body["as_of"], body["nextToken"]) == ("1w", "2025-06-30", None)
        assert body["reason"] is None
        assert {each["channel"]["id"] for each in body["items"]} == {each.id for each in three}
        assert [(each["rank"], each["verdict"]) for each in body["items"]] == [(None, "too_few_calls")] * 3
        assert [each["calls"] for each in body["items"]] == [4, 2, 1]

    @pytest.mark.parametrize("limit", [1, 2, 100])
    def test_pages_hold_what_the_whole_does(self, three: list[Channel], limit: int) -> None:
        pages = every_page("/api/leaderboard", f"limit={limit}")

        assert [item for page in pages for item in page] == get("/api/leaderboard")["items"]

    def test_goes_on_after_the_last_channel_of_a_page_also_when_others_come_or_go(self, three: list[Channel]) -> None:
        first = get("/api/leaderboard", "limit=1")
        newcomer = a_finished_channel([(day, (*tickers, "TSLA")) for day, tickers in DAYS])
        store_closes("TSLA", rising)
        keep_score(newcomer.id)

        rest = get("/api/leaderboard", f"limit=10&nextToken={first['nextToken']}")
        channels.delete_channel(first["items"][0]["channel"]["id"])
        after_it_is_gone = get("/api/leaderboard", f"limit=10&nextToken={first['nextToken']}")

        seen = {each["channel"]["id"] for each in (*first["items"], *rest["items"])}
        assert seen >= {each.id for each in three}
        assert after_it_is_gone["items"]

    def test_of_nothing_is_empty(self, tables: str) -> None:
        body = get("/api/leaderboard")

        assert (body["items"], body["as_of"], body["nextToken"], body["reason"]) == ([], None, None, None)
        assert body["benchmark"] == {"ticker": "^GSPC", "name": "S&P 500", "with_dividends": False}

    def test_without_closes_of_the_benchmark_has_no_figures_and_the_reason(self, tables: str) -> None:
        keep_score(a_finished_channel([("2024-03-01", ("AAPL",))]).id)

        body = get("/api/leaderboard")

        assert body["reason"] == "The closes of the S&P 500 have not been fetched yet."
        assert [(each["calls"], each["mean_excess_percent"]) for each in body["items"]] == [(0, None)]

    def test_a_token_of_another_horizon_is_refused(self, three: list[Channel]) -> None:
        token = get("/api/leaderboard", "limit=1&horizon=1w")["nextToken"]

        assert call("GET", "/api/leaderboard", query=f"nextToken={token}").status == 400


class TestSearch:
    @pytest.mark.parametrize("text", ["AAPL", "aapl", "apple", "%20Apple%20", "aap"])
    def test_finds_stocks_by_ticker_and_by_name(self, channel: Channel, text: str) -> None:
        assert get("/api/search", f"q={text}")["stocks"] == [{"ticker": "AAPL", "name": "Apple Inc."}]

    def test_finds_only_stocks_that_were_spoken_of(self, channel: Channel) -> None:
        assert get("/api/search", "q=NVDA") == {"channels": [], "stocks": []}

    def test_finds_channels_by_a_part_of_their_name(self, tables: str) -> None:
        named = a_channel("ValueInvestor")
        channels.create_channel(named)
        channels.create_channel(a_channel("Momentum"))

        assert [each["id"] for each in get("/api/search", "q=INVEST")["channels"]] == [named.id]

    @pytest.mark.parametrize("query", ["", "q=", "q=%20", f"q={'x' * 101}"])
    def test_refuses_a_text_that_is_blank_or_too_long(self, tables: str, query: str) -> None:
        assert call("GET", "/api/search", query=query).status == 422


@pytest.mark.parametrize("rest", ["score", "calls", "backtest"])
def test_a_channel_without_calls_does_not_lack_closes(prices: None, rest: str) -> None:
    """The stored closes end long before today, as those of the demo do."""
    channel = a_finished_channel([("2024-03-01", ())])
    keep_score(channel.id)

    assert get(f"/api/channels/{channel.id}/{rest}")["reason"] is None


@pytest.mark.parametrize("rest", ["score", "calls", "backtest"])
def test_a_channel_that_is_gone_or_going_is_not_found(channel: Channel, rest: str) -> None:
    keep_score(channel.id)
    channels._stop_writes(channel.id)

    assert call("GET", f"/api/channels/{channel.id}/{rest}").status == 404
    assert call("GET", f"/api/channels/{UNKNOWN}/{rest}").status == 404
    assert call("GET", f"/api/channels/nothing/{rest}").status == 404


@pytest.mark.parametrize(
    "path",
    [
        "/api/leaderboard?horizon=2m",
        "/api/leaderboard?limit=0",
        "/api/channels/{id}/calls?horizon=3M",
        "/api/channels/{id}/calls?kind=hold",
        "/api/channels/{id}/calls?status=done",
        "/api/channels/{id}/calls?limit=101",
        "/api/channels/{id}/backtest?strategy=hodl",
        "/api/channels/{id}/backtest?horizon=",
        "/api/channels/{id}/backtest?cost_bps=-1",
        "/api/channels/{id}/backtest?cost_bps=nan",
        "/api/channels/{id}/backtest?cost_bps=inf",
        "/api/channels/{id}/backtest?cost_bps=free",
        "/api/stocks/AAPL/calls?horizon=1d",
    ],
)
def test_a_horizon_strategy_or_cost_that_is_none_is_refused(channel: Channel, path: str) -> None:
    path, _, query = path.format(id=channel.id).partition("?")

    assert call("GET", path, query=query).status == 422
