"""The Idempotency-Key header: one request, however often it is sent."""

from collections.abc import Callable
from importlib import import_module
from typing import Any

import pytest

from functions.record.channels import channels
from functions.record.store.channels import count_channels
from functions.routes import ROUTES
from functions.runtime.dynamodb.connection import dynamodb, main_table
from functions.runtime.dynamodb.idempotency_keys import respond_once
from functions.runtime.dynamodb.tables import IDEMPOTENCY
from functions.runtime.errors import IdempotencyKeyInUse, IdempotencyKeyReused
from functions.runtime.http.idempotency import once_per_key
from local.environments import Context
from tests.events import Response, call
from tests.fakes import RecordingDispatcher
from tests.seeds import a_finished_channel

InThreads = Callable[[int, Callable[[int], object]], list[object]]
URL = "https://www.youtube.com/@SomeName"


def create(key: str, url: str = URL, **more: Any) -> Response:
    return call("POST", "/api/channels", json_body={"url": url, **more}, headers={"Idempotency-Key": key})


def test_every_post_takes_a_key() -> None:
    """As the API's document promises."""
    posts = [route for route in ROUTES if route.method == "POST"]
    apps = {route.module: import_module(route.import_name).app for route in posts}

    without = [
        module
        for module, app in apps.items()
        for rule in (*app._static_routes, *app._dynamic_routes)
        if once_per_key not in rule.middlewares
    ]

    assert apps
    assert without == []


def test_the_same_key_and_body_get_the_first_response_again(tables: str, dispatched: RecordingDispatcher) -> None:
    first = create("key")
    again = create("key")

    assert first.status == again.status == 201
    assert first.json() == again.json()
    assert first.headers["location"] == again.headers["location"]
    assert count_channels() == 1
    assert len(dispatched.started) == 1


def test_a_replayed_response_is_readable_for_the_page_that_repeats_the_request(tables: str) -> None:
    create("key")
    origin = {"Idempotency-Key": "key", "origin": "http://localhost:5173", "accept-encoding": "gzip"}

    again = call("POST", "/api/channels", json_body={"url": URL}, headers=origin)

    assert again.headers["access-control-allow-origin"] == "http://localhost:5173"


def test_the_same_key_with_another_body_is_refused(tables: str, dispatched: RecordingDispatcher) -> None:
    create("key")

    response = create("key", url="https://www.youtube.com/@Other")

    assert response.status == 409
    assert response.json() == {"detail": "This Idempotency-Key was used with another request"}
    assert count_channels() == 1
    assert len(dispatched.started) == 1


def test_another_key_is_another_request(tables: str) -> None:
    create("one")

    assert create("two").status == 400
    assert create("two", url="https://www.youtube.com/@Other").status == 201


def test_a_key_is_of_its_route(tables: str) -> None:
    one, other = a_finished_channel(), a_finished_channel()
    key = {"Idempotency-Key": "key"}

    responses = [
        call("POST", f"/api/channels/{channel.id}/{action}", headers=key)
        for channel in (one, other)
        for action in ("refresh-prices", "backfill-prices", "process")
    ]

    assert [response.status for response in responses] == [200] * 6
    assert [response.json()["id"] for response in responses if "id" in response.json()] == [one.id, other.id]


def test_processing_with_a_key_begins_one_run(tables: str, dispatched: RecordingDispatcher) -> None:
    channel = a_finished_channel()
    path, key = f"/api/channels/{channel.id}/process", {"Idempotency-Key": "key"}

    first, again = call("POST", path, headers=key), call("POST", f"{path}/", headers=key)

    assert first.status == again.status == 200
    assert first.json() == again.json()
    assert len(dispatched.started) == 1


def test_a_request_that_failed_is_forgotten(tables: str, dispatched: RecordingDispatcher) -> None:
    dispatched.problem = RuntimeError("no connection")
    failed = create("key")
    dispatched.problem = None
    other = create("key", url="https://www.youtube.com/@Other")

    assert failed.status == 500
    assert other.status == 201


def test_a_refused_request_is_forgotten(tables: str) -> None:
    first = call("POST", "/api/channels", json_body={"url": URL}).json()
    refused = create("key")
    call("DELETE", f"/api/channels/{first['id']}")

    assert refused.status == 400
    assert create("key").status == 201


@pytest.mark.parametrize("key", ["x" * 5000, "é", "\u00ff", "#", "a b", "' OR 1=1", "IDEMPOTENCY"])
def test_any_key_will_do(tables: str, key: str) -> None:
    assert create(key).json() == create(key).json()


def test_an_empty_key_is_none(tables: str) -> None:
    assert create("").status == 201
    assert create("").status == 400


def test_what_is_remembered_is_forgotten_after_a_while(tables: str) -> None:
    create("key")

    kept = dynamodb().query(
        TableName=main_table(),
        KeyConditionExpression="PK = :pk",
        ExpressionAttributeValues={":pk": {"S": IDEMPOTENCY}},
    )["Items"]

    assert len(kept) == 1
    assert "expires_at" in kept[0]


def test_twenty_at_once_make_one_channel(concurrent_tables: str, in_threads: InThreads) -> None:
    """Below the handlers: an environment serves one request at a time, so that these are twenty environments."""

    def create_once(number: int) -> object:
        request = {"key": "POST /api/channels key", "body": URL}
        made = lambda: {"id": channels.create_channel(URL, 12).id}  # noqa: E731
        return respond_once(request, Context("create_channel", 10), made)

    outcomes = in_threads(20, create_once)

    created = [outcome["id"] for outcome in outcomes if isinstance(outcome, dict)]
    in_use = [outcome for outcome in outcomes if isinstance(outcome, IdempotencyKeyInUse)]
    assert len(created) + len(in_use) == 20
    assert len(set(created)) == 1
    assert count_channels() == 1


def test_a_repeat_while_the_first_is_still_running_is_refused(concurrent_tables: str) -> None:
    request = {"key": "key", "body": "body"}
    refusals: list[Exception] = []

    def running() -> dict[str, Any]:
        for other in (request, {"key": "key", "body": "other"}):
            try:
                respond_once(other, Context("create_channel", 10), dict)
            except (IdempotencyKeyInUse, IdempotencyKeyReused) as refusal:
                refusals.append(refusal)
        return {}

    respond_once(request, Context("create_channel", 10), running)

    assert len(refusals) == 2
    assert isinstance(refusals[0], IdempotencyKeyInUse)
