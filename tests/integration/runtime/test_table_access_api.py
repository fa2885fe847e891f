"""The requests of each route to the tables: within its grants, all of them needed, and never more with more videos."""

from collections import Counter
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from functions.alerts import subscriptions
from functions.news import store as news
from functions.news.incoming import IncomingNews
from functions.news.models import SourceType
from functions.plans import store as store_plans
from functions.plans.models import Plan, Task, TaskKind
from functions.record.models.alerts import Subscription
from functions.record.models.notes import Note
from functions.record.models.records import Channel
from functions.record.pipeline.keep_score import keep_score
from functions.record.prices.current import _recent_price
from functions.record.stocks.track_record import MAX_SEARCHES
from functions.record.store.channels import create_channel
from functions.record.store.stocks import set_stock_price
from functions.routes import ROUTES, Route
from functions.runtime import ids
from functions.runtime.clock import now
from functions.runtime.dynamodb.attributes import encode
from functions.runtime.dynamodb.connection import dynamodb, main_table
from functions.runtime.dynamodb.tables import CHANNEL_COUNTER_KEY, TABLES
from functions.transfers.exports.requests import new_export
from functions.transfers.imports.models import Import
from functions.transfers.models import expiry_of
from functions.transfers.store import add_transfer
from local.entities import put_entities
from tests.builders import a_channel, an_alert, in_a_run
from tests.events import call
from tests.fakes import RecordingDispatcher
from tests.markets import store_benchmark
from tests.seeds import a_finished_channel, fill

Access = tuple[str, str, str | None]
"""An action, a table's suffix, and an index."""
IN_TRANSACTION = {
    "Put": "PutItem",
    "Update": "UpdateItem",
    "Delete": "DeleteItem",
    "ConditionCheck": "ConditionCheckItem",
}
FOR_OTHER_ENGINES: set[Access] = {("GetItem", "", None)}
"""Powertools reads a remembered response on its own where a refused write does not hand it over."""
RUNNING = a_channel("Running")
RUN_UNDER_WAY: list[str] = []
NOTE_PATH: list[str] = []
FAR_FROM_ITS_QUOTE = 1.0
CALL_PATH = "/api/channels/{channel_id}/videos/{video_id}/calls/AAPL"


@pytest.fixture
def accesses(tables: str) -> Iterator[set[Access]]:
    """The accesses of a test to the tables."""
    made: set[Access] = set()
    suffixes = {table.name(tables): table.suffix for table in TABLES}

    def record(params: dict[str, Any], model: Any, **_: object) -> None:
        if "RequestItems" in params:
            made.update((model.name, suffixes[name], None) for name in params["RequestItems"])
        elif "TransactItems" in params:
            for item in params["TransactItems"]:
                made.update((IN_TRANSACTION[kind], suffixes[act["TableName"]], None) for kind, act in item.items())
        else:
            made.add((model.name, suffixes[params["TableName"]], params.get("IndexName")))

    events = dynamodb().meta.events
    events.register("provide-client-params.dynamodb", record)
    yield made
    events.unregister("provide-client-params.dynamodb", record)


def granted(route: Route) -> set[Access]:
    return {
        (action, grant.table.suffix, grant.index.name if grant.index else None)
        for grant in route.grants
        for action in grant.actions
    }


def drop_counter() -> None:
    """As in data that is older than the counter of channels."""
    dynamodb().delete_item(TableName=main_table(), Key=encode(CHANNEL_COUNTER_KEY))


def create_in_every_way(dispatched: RecordingDispatcher, channel: Channel) -> None:
    drop_counter()
    body = {"url": "https://www.youtube.com/@SomeName"}
    call("POST", "/api/channels", json_body=body)
    call("POST", "/api/channels", json_body=body, headers={"Idempotency-Key": "refused"})
    other = {"url": "https://www.youtube.com/@Other"}
    for _ in range(2):
        call("POST", "/api/channels", json_body=other, headers={"Idempotency-Key": "key"})
    dispatched.problem = RuntimeError("no connection")
    call("POST", "/api/channels", json_body={"url": "https://www.youtube.com/@Third"})


def post_in_every_way(rest: str) -> Callable[[RecordingDispatcher, Channel], None]:
    def post(dispatched: RecordingDispatcher, channel: Channel) -> None:
        path = f"/api/channels/{channel.id}/{rest}"
        for key in ("key", "key", "other"):
            call("POST", path, headers={"Idempotency-Key": key})
        dispatched.problem = RuntimeError("no connection")
        call("POST", path)
        call("POST", f"/api/channels/{a_channel().id}/{rest}", headers={"Idempotency-Key": "missing"})

    return post


def refresh_in_every_way(dispatched: RecordingDispatcher, channel: Channel) -> None:
    set_stock_price("AAPL", FAR_FROM_ITS_QUOTE, "2022-01-03T21:00:00.000Z", as_of=date(2022, 1, 3))
    post_in_every_way("refresh-prices")(dispatched, channel)


def path_of(path: str, channel: Channel) -> str:
    return path.format(channel_id=channel.id, video_id=ids.video_id(channel.id, "video000000"))


def get_with(*queries: str, path: str) -> Callable[[RecordingDispatcher, Channel], None]:
    def get(_: RecordingDispatcher, channel: Channel) -> None:
        for query in queries or ("",):
            assert call("GET", path_of(path, channel), query=query).status == 200

    return get


def list_calls_scored_and_not(dispatched: RecordingDispatcher, channel: Channel) -> None:
    """The news before calls is stored with a score, and queried for a channel without one."""
    listed = get_with("", "status=scored", "format=csv", path="/api/channels/{channel_id}/calls")
    for each in (channel, RUNNING):
        listed(dispatched, each)


def process_in_every_way(dispatched: RecordingDispatcher, channel: Channel) -> None:
    dispatched.problem = RuntimeError("no connection")
    call("POST", f"/api/channels/{channel.id}/process", headers={"Idempotency-Key": "failed"})
    dispatched.problem = None
    for _ in range(2):
        call("POST", f"/api/channels/{channel.id}/process", headers={"Idempotency-Key": "key"})


def cancel_in_every_way(_: RecordingDispatcher, channel: Channel) -> None:
    for each in (RUNNING, RUNNING, channel):
        call("POST", f"/api/channels/{each.id}/cancel", headers={"Idempotency-Key": "key"})


def hand_in_in_every_way(_: RecordingDispatcher, channel: Channel) -> None:
    video_id = ids.video_id(channel.id, "video000000")
    for each, status in ((channel, 202), (RUNNING, 409), (a_channel(), 404)):
        path = f"/api/channels/{each.id}/videos/{video_id}/transcript"
        assert call("PUT", path, body="Buy Apple.").status == status


def delete_it(_: RecordingDispatcher, channel: Channel) -> None:
    drop_counter()
    call("DELETE", f"/api/channels/{channel.id}")


def at_rest_and_during_a_run(rest: str, query: str = "") -> Callable[[RecordingDispatcher, Channel], None]:
    def get(_: RecordingDispatcher, channel: Channel) -> None:
        for each in (channel, RUNNING):
            for with_query in {"", query}:
                assert call("GET", f"/api/channels/{each.id}/{rest}", query=with_query).status == 200

    return get


def review_it(_: RecordingDispatcher, channel: Channel) -> None:
    for outcome in ("rejected", None):
        response = call("PUT", path_of(CALL_PATH, channel), json_body={"review": outcome})
        assert response.status == 200


A_PLAN = {
    "name": "Everything",
    "tasks": [{"key": "a", "kind": "score", "channel_id": "c"}, {"key": "b", "kind": "score", "channel_id": "c"}],
}


A_PLAN_ID = ids.new_plan_id()


def create_plan(plan_id: str) -> None:
    """One whose tasks nobody has begun."""
    store_plans.begin_creation(plan_id)
    store_plans.put_tasks(Task(plan_id, key, TaskKind.SCORE, position) for position, key in enumerate("ab"))
    store_plans.store_plan(Plan(plan_id, "Everything", now(), "somebody", tasks=2, left=2))


def post_a_plan(_: RecordingDispatcher, __: Channel) -> None:
    for key in ("key", "key", "other"):
        call("POST", "/api/plans", json_body=A_PLAN, headers={"Idempotency-Key": key})
    with pytest.MonkeyPatch.context() as made_before:
        made_before.setattr(store_plans, "plan_id_of_request", lambda _: A_PLAN_ID)
        call("POST", "/api/plans", json_body=A_PLAN, headers={"Idempotency-Key": "made before"})
    call("POST", "/api/plans", json_body={"name": "No plan"}, headers={"Idempotency-Key": "refused"})


def read_a_plan(_: RecordingDispatcher, __: Channel) -> None:
    assert call("GET", f"/api/plans/{A_PLAN_ID}").status == 200


def cancel_a_plan(_: RecordingDispatcher, __: Channel) -> None:
    for plan_id in (A_PLAN_ID, A_PLAN_ID, ids.new_plan_id()):
        call("POST", f"/api/plans/{plan_id}/cancel", headers={"Idempotency-Key": plan_id + "1"})
    call("POST", f"/api/plans/{A_PLAN_ID}/cancel", headers={"Idempotency-Key": "again"})


def put_alert_settings(_: RecordingDispatcher, channel: Channel) -> None:
    wanted: dict[str, Any] = {"webhook_url": None, "email": None, "kinds": [], "channels": "all", "digest": "none"}
    for version, status in ((1, 200), (2, 200), (1, 409)):
        response = call("PUT", "/api/alerts/settings", json_body={**wanted, "version": version})
        assert response.status == status


def send_test_alert(_: RecordingDispatcher, channel: Channel) -> None:
    for key in ("key", "key"):
        response = call("POST", "/api/alerts/settings/test", headers={"Idempotency-Key": key})
        assert response.json()["delivered"] is False
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(subscriptions, "send_test", lambda *_: 1 / 0)
        assert call("POST", "/api/alerts/settings/test", headers={"Idempotency-Key": "failed"}).status == 500


def put_watchlist(_: RecordingDispatcher, channel: Channel) -> None:
    for version, status in ((0, 200), (1, 200), (0, 409)):
        body = {"tickers": ["AAPL"], "channel_ids": [], "version": version}
        assert call("PUT", "/api/watchlist", json_body=body).status == status


def put_settings(_: RecordingDispatcher, channel: Channel) -> None:
    for version, status in ((0, 200), (1, 200), (0, 409)):
        body = {"horizon": None, "cost_bps": 5, "review_below": None, "benchmark": None, "version": version}
        assert call("PUT", "/api/settings", json_body=body).status == status


def write_notes(_: RecordingDispatcher, channel: Channel) -> None:
    path = f"/api/channels/{channel.id}/stocks/AAPL/notes"
    for key in ("key", "key", "other"):
        assert call("POST", path, json_body={"text": "Hm"}, headers={"Idempotency-Key": key}).status == 201
    gone = f"/api/channels/{a_channel().id}/stocks/AAPL/notes"
    assert call("POST", gone, json_body={"text": "Hm"}, headers={"Idempotency-Key": "key"}).status == 404


def a_note(channel: Channel) -> str:
    """The path of a note that the caller has written."""
    note = Note(ids.new_note_id(), channel.id, "AAPL", "Hm", "local", now(), now())
    put_entities([note])
    return f"/api/channels/{channel.id}/stocks/AAPL/notes/{note.id}"


def change_a_note(_: RecordingDispatcher, channel: Channel) -> None:
    for version, status in ((1, 200), (1, 409)):
        body = {"text": f"Hm {status}", "version": version}
        assert call("PUT", NOTE_PATH[-1], json_body=body).status == status


def delete_a_note(_: RecordingDispatcher, channel: Channel) -> None:
    for status in (204, 404):
        assert call("DELETE", NOTE_PATH[-1]).status == status


def change_in_every_way(_: RecordingDispatcher, channel: Channel) -> None:
    for check_every in ("daily", "off"):
        path = f"/api/channels/{channel.id}"
        assert call("PATCH", path, json_body={"check_every": check_every}).status == 200


def get_a_run(_: RecordingDispatcher, channel: Channel) -> None:
    assert call("GET", f"/api/runs/{RUN_UNDER_WAY[-1]}").status == 200


def add_news(_: RecordingDispatcher, __: Channel) -> None:
    body = {"url": "https://example.com/a", "title": "A", "published_at": "2024-03-01T09:00:00Z", "tags": ["AAPL"]}
    for key, status in (("key", 201), ("key", 201), ("other", 409)):
        response = call("POST", "/api/news", json_body=body, headers={"Idempotency-Key": key})
        assert response.status == status
    story = IncomingNews.model_validate(body).to_item(SourceType.MANUAL)
    news.give_up_news(story, "The model declined.")
    assert call("POST", "/api/news", json_body=body).status == 201


AN_EXPORT_ID = ids.new_export_id()


def export_in_every_way(dispatched: RecordingDispatcher, channel: Channel) -> None:
    for key in ("key", "key", "other"):
        body = {"format": "csv", "channel_ids": [channel.id]}
        assert call("POST", "/api/exports", json_body=body, headers={"Idempotency-Key": key}).status == 202
    refused = call("POST", "/api/exports", json_body={"format": "csv"}, headers={"Idempotency-Key": "refused"})
    assert refused.status == 409


def import_in_every_way(_: RecordingDispatcher, __: Channel) -> None:
    names = (("key", "a", 202), ("key", "a", 202), ("wrong", "../a", 422), ("other", "a", 202), ("too many", "a", 409))
    for key, name, status in names:
        body = {"key": f"imports/{name}.zip"}
        assert call("POST", "/api/imports", json_body=body, headers={"Idempotency-Key": key}).status == status


def delete_an_export(_: RecordingDispatcher, __: Channel) -> None:
    for status in (204, 404):
        assert call("DELETE", f"/api/exports/{AN_EXPORT_ID}").status == status


WAYS: dict[str, Callable[[RecordingDispatcher, Channel], None]] = {
    "create_channel": create_in_every_way,
    "list_channels": get_with("", "page=2&per_page=1", "limit=1", path="/api/channels"),
    "get_channel": get_with("", "strong=true", path="/api/channels/{channel_id}"),
    "delete_channel": delete_it,
    "process_channel": process_in_every_way,
    "cancel_channel": cancel_in_every_way,
    "list_logs": get_with("", "limit=1", "strong=true", path="/api/channels/{channel_id}/logs"),
    "list_stocks": at_rest_and_during_a_run("stocks", "format=csv"),
    "get_timeline": get_with(
        "", "limit=1", "before=2024-03-02&ticker=AAPL", path="/api/channels/{channel_id}/timeline"
    ),
    "get_stock_mentions": get_with(path="/api/channels/{channel_id}/stocks/AAPL"),
    "refresh_prices": refresh_in_every_way,
    "backfill_prices": post_in_every_way("backfill-prices"),
    "get_stock_price": get_with(path="/api/stocks/AAPL/price"),
    "get_stock_history": get_with("start=2022-01-01&end=2022-02-01", path="/api/stocks/AAPL/history"),
    "list_stock_calls": get_with("", "limit=1", path="/api/stocks/AAPL/calls"),
    "get_leaderboard": get_with("", "limit=1", path="/api/leaderboard"),
    "get_score": get_with(path="/api/channels/{channel_id}/score"),
    "list_calls": list_calls_scored_and_not,
    "get_backtest": at_rest_and_during_a_run("backtest"),
    "list_review_queue": get_with("", "order=sample", path="/api/channels/{channel_id}/review"),
    "get_call": get_with(path=CALL_PATH),
    "review_call": review_it,
    "change_channel": change_in_every_way,
    "list_runs": get_with("", "limit=1", "status=completed", path="/api/runs"),
    "get_run": get_a_run,
    "list_channel_runs": get_with("", "limit=1", path="/api/channels/{channel_id}/runs"),
    "list_video_runs": get_with(path="/api/channels/{channel_id}/videos/{video_id}/runs"),
    "list_changes": get_with("", "limit=1", path="/api/channels/{channel_id}/changes"),
    "list_channel_videos": get_with("", "limit=1&status=fetched", path="/api/channels/{channel_id}/videos"),
    "put_transcript": hand_in_in_every_way,
    "list_alerts": get_with("", "kind=calls&limit=1", path="/api/alerts"),
    "list_channel_alerts": get_with("", "kind=calls&limit=1", path="/api/channels/{channel_id}/alerts"),
    "get_feed": get_with(path="/api/feed.atom"),
    "get_channel_feed": get_with(path="/api/channels/{channel_id}/feed.atom"),
    "create_plan": post_a_plan,
    "list_plans": get_with("", "limit=1", path="/api/plans"),
    "get_plan": read_a_plan,
    "cancel_plan": cancel_a_plan,
    "create_export": export_in_every_way,
    "list_exports": get_with("", "limit=1", path="/api/exports"),
    "get_export": get_with(path=f"/api/exports/{AN_EXPORT_ID}"),
    "delete_export": delete_an_export,
    "create_import": import_in_every_way,
    "get_import": get_with(path=f"/api/imports/{AN_EXPORT_ID}"),
    "get_alert_settings": get_with(path="/api/alerts/settings"),
    "put_alert_settings": put_alert_settings,
    "send_test_alert": send_test_alert,
    "get_watchlist": get_with(path="/api/watchlist"),
    "put_watchlist": put_watchlist,
    "list_news": get_with("tag=AAPL", "sentiment=positive&limit=1", path="/api/news"),
    "summarise_news": get_with("tag=AAPL", path="/api/news/summary"),
    "add_news": add_news,
    "get_me": get_with("", "", path="/api/me"),
    "list_audit": get_with("", "limit=1", path="/api/audit"),
    "get_settings": get_with(path="/api/settings"),
    "put_settings": put_settings,
    "create_note": write_notes,
    "list_notes": get_with("", "limit=1", path="/api/channels/{channel_id}/stocks/AAPL/notes"),
    "list_stock_notes": get_with("", "limit=1", path="/api/stocks/AAPL/notes"),
    "change_note": change_a_note,
    "delete_note": delete_a_note,
    "search": get_with("q=AAPL", path="/api/search"),
    "get_setup": get_with(path="/api/setup"),
    "health": get_with(path="/health"),
    "health_live": get_with(path="/health/live"),
    "openapi_document": get_with(path="/openapi.json"),
    "documentation_page": get_with(path="/docs"),
}


def test_every_route_is_looked_at() -> None:
    assert WAYS.keys() == {route.module for route in ROUTES}


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: route.module)
def test_a_route_does_what_it_is_granted(
    accesses: set[Access], kept_transcripts: Path, exports_folder: Path, dispatched: RecordingDispatcher, route: Route
) -> None:
    _recent_price.cache_clear()
    channel = a_finished_channel([("2024-03-01", ("AAPL", "MSFT")), ("2024-03-02", ("AAPL",))])
    RUN_UNDER_WAY.append(in_a_run(RUNNING)[0])
    fill(RUNNING, 1, ("AAPL",))
    keep_score(channel.id)
    put_entities([an_alert(channel.id), Subscription("local", version=1, webhook_url="https://127.0.0.1/")])
    create_plan(A_PLAN_ID)
    add_transfer(new_export(AN_EXPORT_ID, "local", (), "csv"))
    timestamp = now()
    add_transfer(Import(AN_EXPORT_ID, "local", timestamp, timestamp, expiry_of(AN_EXPORT_ID), "imports/a.zip"))
    NOTE_PATH.append(a_note(channel))
    accesses.clear()

    WAYS[route.module](dispatched, channel)

    assert accesses <= granted(route)
    assert granted(route) - accesses <= (FOR_OTHER_ENGINES if route.method == "POST" else set())


@pytest.mark.parametrize(
    ("path", "query", "most"),
    [
        ("/api/channels", "", 2),
        ("/api/channels", "limit=5", 4),
        ("/api/channels/{id}", "", 1),
        ("/api/channels/{id}", "strong=true", 1),
        ("/api/channels/{id}/logs", "", 2),
        ("/api/channels/{id}/logs", "limit=5", 4),
        ("/api/channels/{id}/stocks", "", 4),
        ("/api/channels/{id}/timeline", "", 4),
        ("/api/channels/{id}/timeline", "limit=5", 4),
        ("/api/channels/{id}/timeline", "limit=5&before=2024-01-09&sentiment=buy", 4),
        ("/api/channels/{id}/stocks/AAPL", "", 4),
        ("/api/channels/{id}/score", "", 2),
        # Not scored yet, so the news of each stock is queried; tests/integration/test_bench.py has a scored one.
        ("/api/channels/{id}/calls", "limit=5", 9),
        ("/api/channels/{id}/backtest", "", 4),
        ("/api/leaderboard", "", 2),
        ("/api/channels/{id}/review", "limit=5&order=sample", 4),
        ("/api/channels/{id}/changes", "limit=5", 3),
        ("/api/channels/{id}/alerts", "limit=5", 3),
        ("/api/channels/{id}/feed.atom", "", 2),
        ("/api/feed.atom", "", 2),
        ("/api/channels/{id}/review", "limit=5", 5),
        ("/api/channels/{id}/stocks/AAPL/notes", "limit=5", 3),
        ("/api/stocks/AAPL/notes", "limit=5", 3),
        ("/api/channels/{id}/runs", "limit=5", 3),
        ("/api/runs", "", 3),
        ("/api/stocks/AAPL/calls", "limit=3", 7),
        ("/api/channels/{id}/videos", "", 3),
        ("/api/channels/{id}/videos", "limit=5&status=fetched", 3),
        ("/api/search", "q=AAPL", 3),
        ("/api/stocks/AAPL/price", "", 1),
        ("/api/stocks/AAPL/history", "start=2022-01-01&end=2022-02-01", 1),
    ],
)
def test_a_read_makes_no_more_requests_with_more_videos(
    requests_made: Counter[str], path: str, query: str, most: int
) -> None:
    store_benchmark()
    counts = []
    for videos in (10, 100):
        _recent_price.cache_clear()
        channel = a_channel()
        create_channel(channel)
        fill(channel, videos, ("AAPL", "MSFT", "XOM"))
        requests_made.clear()

        response = call("GET", path.format(id=channel.id), query=query)

        assert response.status == 200
        counts.append(Counter(requests_made))
    assert counts[0] == counts[1]
    assert counts[0].total() <= most
    assert not counts[0].keys() - {"GetItem", "Query", "BatchGetItem"}


def test_a_filter_without_a_match_searches_a_bounded_number_of_videos(requests_made: Counter[str]) -> None:
    channel = a_channel()
    create_channel(channel)
    fill(channel, 100, ("AAPL",))
    requests_made.clear()

    page = call("GET", f"/api/channels/{channel.id}/timeline", query="limit=1&ticker=ZZZZ").json()

    assert page["items"] == []
    assert page["nextToken"]
    assert requests_made.total() <= 1 + 2 * MAX_SEARCHES
