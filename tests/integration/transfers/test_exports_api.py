"""The routes of exports: a person's own, few at a time, and gone when they expire."""

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from functions.record.store.channels import create_channel
from functions.routes import find_route
from functions.runtime import ids
from functions.runtime.dispatch import WriteExport
from functions.runtime.dynamodb import tables
from functions.runtime.dynamodb.attributes import encode
from functions.runtime.dynamodb.connection import dynamodb, main_table
from functions.transfers.exports.models import Export, ExportStatus
from functions.transfers.exports.requests import new_export
from functions.transfers.models import KEPT_SECONDS, expiry_of
from functions.transfers.pipeline.export_jobs import write_export
from functions.transfers.store import add_transfer, open_transfers_of_user, transfer_by_id
from local.entities import put_entities
from tests.builders import a_channel
from tests.events import Response, api_event, invoke
from tests.events import call as call_api
from tests.fakes import RecordingDispatcher, everything

pytestmark = pytest.mark.usefixtures("tables", "exports_folder")

PATH = "/api/exports"


def post(body: Any, **request: Any) -> Response:
    return call_api("POST", PATH, json_body=body, **request)


def call_as(subject: str, method: str, path: str, body: str | None = None, **headers: str) -> Response:
    """As API Gateway sends it for the bearer of a JWT."""
    event = api_event(method, path, body=body, headers=headers)
    event["requestContext"]["authorizer"] = {"jwt": {"claims": {"sub": subject}}}
    route = find_route(method, path)
    assert route
    return invoke(route, event)


def test_an_export_is_begun_for_the_caller_and_sent_to_a_worker(dispatched: RecordingDispatcher) -> None:
    channel = a_channel()
    create_channel(channel)

    response = post({"format": "jsonl", "channel_ids": [channel.id, channel.id]})

    begun = response.json()
    assert response.status == 202
    assert response.headers["location"] == f"{PATH}/{begun['id']}"
    assert (begun["user_id"], begun["status"], begun["format"]) == ("local", "PENDING", "jsonl")
    assert begun["channel_ids"] == [channel.id]
    assert begun["zip_key"] is begun["error_message"] is begun["channels"] is None
    assert begun["expires_at"] > begun["created_at"]
    assert dispatched.jobs == [WriteExport(begun["id"])]
    assert call_api("GET", f"{PATH}/{begun['id']}").json() == {**begun, "download_url": None}


@pytest.mark.parametrize(
    ("body", "where", "sentence"),
    [
        ({}, ["body", "format"], "Field required"),
        ({"format": "xlsx"}, ["body", "format"], "Input should be 'csv' or 'jsonl'"),
        ({"format": "csv", "channel_ids": []}, ["body", "channel_ids"], "List should have at least 1 item"),
        (
            {"format": "csv", "channel_ids": [str(number) for number in range(101)]},
            ["body", "channel_ids"],
            "List should have at most 100 items",
        ),
        ({"format": "csv", "channel_ids": ["nope", "../x"]}, ["body", "channel_ids"], "There is no channel nope, ../x"),
        ({"format": "csv", "channels": ["x"]}, ["body", "channels"], "Extra inputs are not permitted"),
        ({"format": "csv", "user_id": "other"}, ["body", "user_id"], "Extra inputs are not permitted"),
    ],
)
def test_what_cannot_be_exported_is_refused_and_writes_nothing(
    dispatched: RecordingDispatcher, body: Any, where: list[str], sentence: str
) -> None:
    response = post(body)

    (problem,) = response.json()["detail"]
    assert response.status == 422
    assert problem["loc"] == where
    assert problem["msg"].startswith(sentence)
    assert everything() == {}
    assert not dispatched.jobs


def test_a_channel_that_is_being_deleted_is_not_there() -> None:
    put_entities([channel := a_channel(deleting=True)])

    assert post({"format": "csv", "channel_ids": [channel.id]}).status == 422


def test_of_many_requests_at_once_three_begin_an_export(
    concurrent_tables: str, in_threads: Callable[[int, Callable[[int], object]], list[object]]
) -> None:
    def begin(_: int) -> object:
        add_transfer(new_export(ids.new_export_id(), "local", (), "csv"))
        return 202

    begun = [each for each in in_threads(8, begin) if each == 202]

    refused = post({"format": "csv"})
    assert len(begun) == len(open_transfers_of_user(Export, "local")) == 3
    assert refused.status == 409
    assert refused.json()["detail"] == "3 of your exports are under way; wait for one to end, or delete it"


def test_an_export_that_ended_makes_room() -> None:
    first, *_ = [post({"format": "csv"}).json()["id"] for _ in range(3)]
    assert post({"format": "csv"}).status == 409

    assert call_api("DELETE", f"{PATH}/{first}").status == 204

    assert post({"format": "csv"}).status == 202


def test_open_exports_that_expired_do_not_stand_in_the_way() -> None:
    """DynamoDB removes the exports, but not their places in the list."""
    for _ in range(3):
        add_transfer(new_export(ids.new_export_id(), "local", (), "csv"))
    for export in open_transfers_of_user(Export, "local"):
        put_entities([replace(export, status=ExportStatus.FAILED)])

    assert post({"format": "csv"}).status == 202


def test_a_request_that_is_repeated_begins_one_export(dispatched: RecordingDispatcher) -> None:
    first, again = [post({"format": "csv"}, headers={"Idempotency-Key": "key"}).json() for _ in range(2)]

    assert again == first
    assert len(dispatched.jobs) == 1
    assert post({"format": "jsonl"}, headers={"Idempotency-Key": "key"}).status == 409


def test_a_request_whose_response_was_not_recorded_begins_no_second_export_though_the_first_has_ended(
    dispatched: RecordingDispatcher,
) -> None:
    def repeat() -> Response:
        """As if the worker that responded had died before the response was recorded."""
        for key in everything():
            partition, _, sort = key.partition("/")
            if partition == tables.IDEMPOTENCY and not sort.startswith(tables.EXPORT_PREFIX):
                dynamodb().delete_item(TableName=main_table(), Key=encode({"PK": partition, "SK": sort}))
        return post({"format": "csv"}, headers={"Idempotency-Key": "key"})

    first = repeat().json()
    while_open = repeat().json()
    write_export(first["id"])
    ended = repeat()
    call_api("DELETE", f"{PATH}/{first['id']}")
    deleted = repeat()

    assert while_open["id"] == first["id"]
    assert (ended.status, ended.json()["id"], ended.json()["status"]) == (202, first["id"], "COMPLETED")
    assert (deleted.status, deleted.json()) == (404, {"detail": "Export not found"})
    assert len(dispatched.jobs) == 1


def test_a_message_that_cannot_be_sent_is_left_to_the_clock(dispatched: RecordingDispatcher) -> None:
    dispatched.problem = RuntimeError("no connection")

    assert post({"format": "csv"}).status == 202


def test_exports_are_listed_newest_first_by_page() -> None:
    made = [new_export(ids.first_ulid_of(int(time.time() * 1000) + each), "local", (), "csv") for each in range(5)]
    put_entities(made)
    newest = [export.id for export in reversed(made)]

    first = call_api("GET", PATH, query="limit=2").json()
    second = call_api("GET", PATH, query=f"limit=3&nextToken={first['nextToken']}").json()

    assert [each["id"] for each in first["items"] + second["items"]] == newest
    assert second["nextToken"] is None
    assert [each["id"] for each in call_api("GET", PATH).json()["items"]] == newest


def test_someone_elses_export_is_not_there() -> None:
    """In any route, with any trick of the caller's."""
    body = '{"format": "csv"}'
    theirs = call_as("them", "POST", PATH, body, **{"idempotency-key": "key"}).json()
    for _ in range(2):
        call_as("them", "POST", PATH, body)
    path = f"{PATH}/{theirs['id']}"

    assert call_as("me", "GET", path).status == 404
    assert call_as("me", "DELETE", path).status == 404
    assert call_as("me", "GET", f"{path}?user_id=them").status == 404
    assert call_as("me", "GET", PATH).json()["items"] == []
    token = call_as("them", "GET", PATH).json()["nextToken"]
    assert token is None
    page = api_event("GET", PATH, query="limit=1")
    page["requestContext"]["authorizer"] = {"jwt": {"claims": {"sub": "them"}}}
    route = find_route("GET", PATH)
    assert route
    their_token = invoke(route, page).json()["nextToken"]
    page["queryStringParameters"] = {"nextToken": their_token}
    page["requestContext"]["authorizer"] = {"jwt": {"claims": {"sub": "me"}}}
    assert invoke(route, page).status == 400
    mine = call_as("me", "POST", PATH, body, **{"idempotency-key": "key"}).json()
    assert mine["id"] != theirs["id"]
    assert mine["user_id"] == "me"
    assert call_as("them", "GET", path).json()["id"] == theirs["id"]


@pytest.mark.parametrize("export_id", ["x", "../../x", "%2e%2e", "0" * 26, "01ARZ3NDEKTSV4RRFFQ69G5FAV\n", "é"])
def test_an_id_of_any_shape_that_names_nothing_is_not_found(export_id: str) -> None:
    for method in ("GET", "DELETE"):
        response = call_api(method, f"{PATH}/{export_id}".replace("/../../", "/..%2F..%2F"))

        assert (response.status, response.json()) == (404, {"detail": "Export not found"})


def test_an_export_is_gone_once_it_expired_though_it_is_still_stored(exports_folder: Path) -> None:
    month_ago = int((time.time() - KEPT_SECONDS) * 1000)
    gone, kept = [
        replace(new_export(export_id, "local", (), "csv"), status=ExportStatus.COMPLETED)
        for export_id in (ids.first_ulid_of(month_ago - 1000), ids.first_ulid_of(month_ago + 60_000))
    ]
    put_entities([gone, kept])
    assert gone.expires_at == expiry_of(gone.id) < time.time()

    for method in ("GET", "DELETE"):
        assert call_api(method, f"{PATH}/{gone.id}").status == 404
    assert [each["id"] for each in call_api("GET", PATH).json()["items"]] == [kept.id]
    assert call_api("GET", f"{PATH}/{kept.id}").json()["download_url"] == f"{PATH}/{kept.id}/download"


def test_deleting_removes_the_file_and_the_export_once(exports_folder: Path) -> None:
    export = replace(new_export(ids.new_export_id(), "local", (), "csv"), status=ExportStatus.COMPLETED)
    put_entities([export])
    exports_folder.mkdir()
    (exports_folder / f"{export.id}.zip").write_bytes(b"PK")

    statuses = [call_api("DELETE", f"{PATH}/{export.id}").status for _ in range(2)]

    assert statuses == [204, 404]
    assert list(exports_folder.iterdir()) == []
    assert transfer_by_id(Export, export.id) is None
