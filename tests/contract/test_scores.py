"""Whom to believe: scores, leaderboard, calls with their results, backtests, a stock across channels, the search."""

import csv
import io
from typing import Any

import httpx
import pytest

from tests.contract.shapes import (
    BACKTEST_STATS,
    BENCHMARK,
    CHANNEL,
    HORIZON_SCORE,
    KIND_SCORE,
    LEADERBOARD_ITEM,
    SCORED_CALL,
    has_shape,
)
from tests.contract.steps import Channel, scored

HORIZONS = ["1w", "1m", "3m", "6m", "1y"]
UNKNOWN = "00000000-0000-4000-8000-000000000000"


@pytest.fixture(scope="module")
def judged(api: httpx.Client, demo: Channel) -> Channel:
    return scored(api, demo)


def get(api: httpx.Client, path: str, **query: object) -> dict[str, Any]:
    response = api.get(path, params={name: str(value) for name, value in query.items()})
    assert response.status_code == 200, response.text
    body: dict[str, Any] = response.json()
    return body


def every_item(api: httpx.Client, path: str, **query: object) -> list[dict[str, Any]]:
    page = get(api, path, **query)
    items = list(page["items"])
    while page["nextToken"]:
        page = get(api, path, **query, nextToken=page["nextToken"])
        items += page["items"]
    return items


@pytest.fixture(scope="module")
def calls(api: httpx.Client, judged: Channel) -> list[dict[str, Any]]:
    return every_item(api, f"/api/channels/{judged['id']}/calls", limit=100)


def test_a_score_has_every_figure_of_every_horizon(api: httpx.Client, judged: Channel) -> None:
    body = get(api, f"/api/channels/{judged['id']}/score")

    assert body.keys() == {
        *("channel_id", "as_of", "computed_at", "method", "benchmark", "risk_free", "cost_bps"),
        *("calls", "calls_sha256", "analysts", "checked", "horizons", "reason"),
    }
    assert body["channel_id"] == judged["id"]
    assert body["reason"] is None
    assert (body["risk_free"]["ticker"], body["cost_bps"], body["method"]) == ("^IRX", 10, "2.0")
    has_shape(body["benchmark"], BENCHMARK)
    assert [each["horizon"] for each in body["horizons"]] == HORIZONS
    for each in body["horizons"]:
        has_shape(each, HORIZON_SCORE)
        has_shape(each["by_kind"]["buy"], KIND_SCORE)
        has_shape(each["by_kind"]["sell"], KIND_SCORE)
        assert sum(bar["calls"] for bar in each["distribution"]) == each["calls"]
        for call in (*each["best"], *each["worst"]):
            has_shape(call, SCORED_CALL)


def test_the_calls_are_those_that_the_score_counts(
    api: httpx.Client, judged: Channel, calls: list[dict[str, Any]]
) -> None:
    quarter = get(api, f"/api/channels/{judged['id']}/score")["horizons"][2]

    for call in calls:
        has_shape(call, SCORED_CALL)
    counted = [call for call in calls if call["status"] in ("scored", "ended")]
    assert len(counted) == quarter["calls"] > 0
    assert sum(call["status"] == "pending" for call in calls) == quarter["pending"]
    mean = sum(call["excess_percent"] for call in counted) / len(counted)
    assert quarter["mean_excess_percent"] == pytest.approx(mean)
    assert quarter["best"][0]["excess_percent"] == max(call["excess_percent"] for call in counted)
    assert quarter["worst"][0]["excess_percent"] == min(call["excess_percent"] for call in counted)


def test_the_calls_are_the_buys_and_sells_of_the_timeline(
    api: httpx.Client, judged: Channel, calls: list[dict[str, Any]]
) -> None:
    timeline = api.get(f"/api/channels/{judged['id']}/timeline").json()["timeline"]

    said = [
        (entry["video"]["id"], mention["ticker"], mention["sentiment"])
        for entry in timeline
        for mention in entry["mentions"]
        if mention["sentiment"] in ("buy", "sell")
    ]
    assert [(call["video_id"], call["ticker"], call["sentiment"]) for call in calls] == said


def test_calls_are_entered_after_their_publication_and_left_after_their_horizon(calls: list[dict[str, Any]]) -> None:
    for call in calls:
        if call["entry_date"]:
            assert call["entry_date"] >= call["published_at"]
        if call["status"] in ("scored", "ended"):
            assert call["exit_date"] > call["entry_date"]
            assert call["excess_percent"] == pytest.approx(call["return_percent"] - call["benchmark_percent"])
            assert call["matures_on"] is None
        else:
            assert call["excess_percent"] is None


@pytest.mark.parametrize("limit", [7, 20])
def test_filtered_pages_hold_the_calls_that_match(
    api: httpx.Client, judged: Channel, calls: list[dict[str, Any]], limit: int
) -> None:
    path = f"/api/channels/{judged['id']}/calls"
    ticker = calls[0]["ticker"]

    assert every_item(api, path, limit=limit) == calls
    assert every_item(api, path, limit=limit, kind="sell") == [call for call in calls if call["sentiment"] == "sell"]
    assert every_item(api, path, limit=limit, ticker=ticker.lower()) == [
        call for call in calls if call["ticker"] == ticker
    ]
    assert every_item(api, path, limit=limit, status="pending") == [
        call for call in calls if call["status"] == "pending"
    ]


@pytest.mark.parametrize("horizon", HORIZONS)
def test_the_leaderboard_has_the_channel_with_the_figures_of_its_score(
    api: httpx.Client, judged: Channel, horizon: str
) -> None:
    body = get(api, "/api/leaderboard", horizon=horizon, limit=100)

    assert body.keys() == {"horizon", "as_of", "benchmark", "items", "nextToken", "reason"}
    assert body["horizon"] == horizon
    has_shape(body["benchmark"], BENCHMARK)
    for item in body["items"]:
        has_shape(item, LEADERBOARD_ITEM)
        has_shape(item["channel"], CHANNEL)
        assert (item["rank"] is None) == (item["verdict"] == "too_few_calls")
    ranks = [item["rank"] for item in body["items"] if item["rank"]]
    assert ranks == sorted(ranks)
    (own,) = [item for item in body["items"] if item["channel"]["id"] == judged["id"]]
    score = get(api, f"/api/channels/{judged['id']}/score")["horizons"][HORIZONS.index(horizon)]
    shared = own.keys() & score.keys()
    assert {name: own[name] for name in shared} == {name: score[name] for name in shared}


@pytest.mark.parametrize("strategy", ["follow", "long_short", "inverse"])
def test_a_backtest_begins_at_a_hundred(api: httpx.Client, judged: Channel, strategy: str) -> None:
    body = get(api, f"/api/channels/{judged['id']}/backtest", strategy=strategy, cost_bps=5)

    assert (body["strategy"], body["horizon"], body["cost_bps"], body["reason"]) == (strategy, "3m", 5, None)
    has_shape(body["stats"], BACKTEST_STATS)
    has_shape(body["benchmark_stats"], BACKTEST_STATS)
    assert 2 <= len(body["points"]) <= 600
    assert body["points"][0] == {"date": body["start"], "value": 100, "benchmark": 100, "index_on_same_days": 100}
    assert body["points"][-1]["date"] == body["end"]
    assert body["points"][-1]["value"] == pytest.approx(body["stats"]["final_value"])


def test_a_stocks_calls_name_their_channels(api: httpx.Client, judged: Channel, calls: list[dict[str, Any]]) -> None:
    ticker = calls[0]["ticker"]

    found = every_item(api, f"/api/stocks/{ticker.lower()}/calls", limit=50)

    for item in found:
        has_shape(item["channel"], CHANNEL)
        has_shape({name: value for name, value in item.items() if name != "channel"}, SCORED_CALL)
        assert item["ticker"] == ticker
    days = [item["published_at"] for item in found]
    assert days == sorted(days, reverse=True)
    own = {(item["video_id"], item["excess_percent"]) for item in found if item["channel"]["id"] == judged["id"]}
    assert own == {(call["video_id"], call["excess_percent"]) for call in calls if call["ticker"] == ticker}


def test_the_search_finds_the_channel_and_its_stocks(
    api: httpx.Client, judged: Channel, calls: list[dict[str, Any]]
) -> None:
    by_name = get(api, "/api/search", q=judged["name"].upper())
    by_ticker = get(api, "/api/search", q=calls[0]["ticker"].lower())

    assert by_name.keys() == by_ticker.keys() == {"channels", "stocks"}
    assert judged["id"] in [channel["id"] for channel in by_name["channels"]]
    assert by_ticker["stocks"][0]["ticker"] == calls[0]["ticker"]


@pytest.mark.parametrize(
    ("path", "query"),
    [
        ("leaderboard", "horizon=2m"),
        ("leaderboard", "limit=101"),
        ("search", ""),
        ("search", "q=%20"),
        ("stocks/AAPL/calls", "horizon=3M"),
        ("channels/{id}/calls", "horizon=1d"),
        ("channels/{id}/calls", "kind=hold"),
        ("channels/{id}/calls", "status=open"),
        ("channels/{id}/backtest", "strategy=hodl"),
        ("channels/{id}/backtest", "cost_bps=-0.1"),
        ("channels/{id}/backtest", "cost_bps=nan"),
        ("channels/{id}/backtest", "cost_bps=1e9"),
    ],
)
def test_what_cannot_be_meant_is_422(api: httpx.Client, demo: Channel, path: str, query: str) -> None:
    response = api.get(f"/api/{path.format(id=demo['id'])}?{query}")

    assert response.status_code == 422
    assert response.json()["detail"][0]["loc"][0] == "query"


@pytest.mark.parametrize("rest", ["score", "calls", "backtest"])
@pytest.mark.parametrize("channel_id", [UNKNOWN, "x", "%00"])
def test_an_unknown_channel_is_404(api: httpx.Client, rest: str, channel_id: str) -> None:
    response = api.get(f"/api/channels/{channel_id}/{rest}")

    assert response.status_code == 404
    assert response.json() == {"detail": "Channel not found"}


@pytest.mark.parametrize("path", ["leaderboard", "stocks/AAPL/calls", "channels/{id}/calls"])
def test_a_token_that_is_none_is_400(api: httpx.Client, demo: Channel, path: str) -> None:
    assert api.get(f"/api/{path.format(id=demo['id'])}", params={"nextToken": "forged"}).status_code == 400


def test_calls_and_stocks_come_as_csv_files(api: httpx.Client, judged: Channel, calls: list[dict[str, Any]]) -> None:
    as_file = {
        what: api.get(f"/api/channels/{judged['id']}/{what}?format=csv&bom=true") for what in ("calls", "stocks")
    }
    accepted = api.get(f"/api/channels/{judged['id']}/calls", headers={"accept": "text/csv"})

    for what, response in as_file.items():
        assert response.status_code == 200
        assert response.headers["content-type"] == "text/csv; charset=utf-8"
        assert response.headers["content-disposition"].startswith(f'attachment; filename="{what}-')
        assert response.content.startswith("\ufeff".encode())
    assert as_file["calls"].text == "\ufeff" + accepted.text
    rows = list(csv.DictReader(io.StringIO(accepted.text, newline="")))
    assert [(row["video_id"], row["ticker"], row["status"]) for row in rows] == [
        (call["video_id"], call["ticker"], call["status"]) for call in calls
    ]
