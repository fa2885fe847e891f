"""When something of our own fails: 500 without a reason in the body, the reason in the log."""

import json
import re
from collections.abc import Callable, Iterator
from typing import Any
from uuid import uuid4

import pytest

from functions.record.models.records import ChannelStatus, LogLevel
from functions.record.prices.current import _recent_price
from functions.record.store.channels import channel_by_id, newest_channels
from functions.record.store.logs import logs_of_channel
from functions.routes import ROUTES, Route
from functions.runtime import ids
from functions.runtime.settings import settings
from local.engine import Engine, free_port
from tests.events import api_event, call, invoke
from tests.fakes import RecordingDispatcher
from tests.seeds import a_finished_channel

LogLines = Callable[[], list[dict[str, Any]]]
URL = "https://www.youtube.com/@SomeName"
BODY: dict[str, Any] = {
    "url": URL,
    "review": "confirmed",
    "version": 0,
    "webhook_url": None,
    "email": None,
    "kinds": [],
    "channels": "all",
    "digest": "none",
    "tickers": [],
    "channel_ids": [],
    "text": "A note",
    **dict.fromkeys(("horizon", "cost_bps", "review_below", "benchmark")),
}
"""Required fields of the routes that ignore unknown ones."""
STRICT_BODIES = {
    "change_channel": {"check_every": "daily"},
    "add_news": {"url": URL, "title": "A story", "published_at": "2024-01-01T00:00:00Z", "tags": ["AAPL"]},
    "create_export": {"format": "csv"},
    "create_import": {"key": "imports/export.zip"},
    "create_plan": {"name": "A plan", "tasks": [{"key": "a", "kind": "add_channel", "url": URL}]},
}
"""Valid bodies of the routes that refuse unknown fields."""
FAILURE = '{"detail":"Internal Server Error"}'


@pytest.fixture
def no_engine(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("DYNAMODB_ENDPOINT", f"http://127.0.0.1:{free_port()}")
    monkeypatch.setenv("AWS_SDK_MAX_ATTEMPTS", "1")
    settings.cache_clear()
    _recent_price.cache_clear()
    yield
    monkeypatch.undo()
    settings.cache_clear()


@pytest.mark.parametrize("key", [None, "key"])
@pytest.mark.parametrize(
    "route", [route for route in ROUTES if route.grants and route.module != "health"], ids=lambda route: route.module
)
def test_an_engine_that_does_not_respond(
    no_engine: None, dispatched: RecordingDispatcher, log_lines: LogLines, route: Route, key: str | None
) -> None:
    path = re.sub(r"\{(channel|video)_id\}", str(uuid4()), route.path).replace("{ticker}", "AAPL")
    path = path.replace("{plan_id}", ids.new_plan_id())
    path = path.replace("{run_id}", ids.new_run_id()).replace("{note_id}", ids.new_note_id())
    path = path.replace("{export_id}", ids.new_export_id()).replace("{import_id}", ids.new_import_id())
    headers = {"Idempotency-Key": key} if key else {}
    required = {
        "get_stock_history": "start=2024-01-01&end=2024-02-01",
        "search": "q=apple",
        "list_news": "tag=AAPL",
        "summarise_news": "tag=AAPL",
    }
    event = api_event(
        route.method,
        path,
        query=required.get(route.module, ""),
        body=json.dumps(STRICT_BODIES.get(route.module, BODY)),
        headers=headers,
    )

    response = invoke(route, event)

    assert response.status == 500
    assert response.text == FAILURE
    failures = [line for line in log_lines() if line["level"] == "ERROR"]
    assert failures
    assert all(line["correlation_id"] == event["requestContext"]["requestId"] for line in failures)
    assert any("connect" in line["exception"].lower() for line in failures)
    assert not dispatched.started
    assert not dispatched.jobs


def test_without_an_engine_the_service_is_alive_but_not_healthy(no_engine: None, log_lines: LogLines) -> None:
    response = call("GET", "/health")

    assert response.status == 503
    assert response.json() == {"detail": "The database cannot be read at the moment (EndpointConnectionError)"}
    assert [line["message"] for line in log_lines() if line["level"] == "ERROR"] == ["The table cannot be read"]
    assert call("GET", "/health/live").json() == {"status": "ok"}


def test_without_its_table_the_service_is_not_healthy(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DYNAMODB_TABLE_PREFIX", "Missing")
    settings.cache_clear()

    response = call("GET", "/health")

    assert response.status == 503
    assert response.json() == {"detail": "The database cannot be read at the moment (ResourceNotFoundException)"}


@pytest.mark.parametrize("path", ["/health/live", "/openapi.json", "/docs"])
def test_what_needs_no_engine_responds_without_one(no_engine: None, path: str) -> None:
    assert call("GET", path).status == 200


def test_a_bad_request_is_told_even_without_an_engine(no_engine: None) -> None:
    assert call("POST", "/api/channels", json_body={"url": "nowhere"}).status == 422
    assert call("GET", "/api/channels/x").status == 404


def test_a_new_channel_whose_run_cannot_be_started_is_failed(
    tables: str, dispatched: RecordingDispatcher, log_lines: LogLines
) -> None:
    dispatched.problem = RuntimeError("the state machine is gone")

    response = call("POST", "/api/channels", json_body={"url": URL})

    (channel,) = newest_channels(10).items
    lines = logs_of_channel(channel.id, consistent=True)
    assert response.status == 500
    assert response.text == FAILURE
    assert channel.status == ChannelStatus.FAILED
    assert lines[-1].log_level == LogLevel.ERROR
    assert "could not be started" in lines[-1].message
    assert "state machine" not in lines[-1].message
    assert any("the state machine is gone" in line.get("exception", "") for line in log_lines())


def test_a_run_that_cannot_be_started_can_be_requested_again(tables: str, dispatched: RecordingDispatcher) -> None:
    channel = a_finished_channel()
    path = f"/api/channels/{channel.id}/process"
    dispatched.problem = RuntimeError("the state machine is gone")
    failed = call("POST", path)
    stored = channel_by_id(channel.id, consistent=True)
    dispatched.problem = None

    again = call("POST", path)

    assert failed.status == 500
    assert stored
    assert stored.status == ChannelStatus.FAILED
    assert again.status == 200
    assert len(dispatched.started) == 1


def test_a_job_that_cannot_be_sent_is_our_failure(
    tables: str, dispatched: RecordingDispatcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    channel = a_finished_channel()
    monkeypatch.setattr("functions.record.prices.refresh.count_unpriced_calls", lambda _: 1)
    dispatched.problem = RuntimeError("the queue is gone")

    response = call("POST", f"/api/channels/{channel.id}/backfill-prices")

    assert (response.status, response.text) == (500, FAILURE)


def test_a_response_outside_its_schema_is_our_failure(tables: str, monkeypatch: pytest.MonkeyPatch) -> None:
    channel = a_finished_channel()
    monkeypatch.setattr(
        "functions.record.api.channels.get_channel.Channel.model_validate", lambda _: {"id": channel.id}
    )

    response = call("GET", f"/api/channels/{channel.id}")

    assert (response.status, response.text) == (500, FAILURE)
