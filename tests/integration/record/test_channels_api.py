"""The routes of a channel's life: create, list, get, delete, process, cancel."""

from collections import Counter
from dataclasses import replace
from uuid import uuid4

import pytest

from functions.record.models.records import ChannelStatus, LogLevel
from functions.record.store import runs
from functions.record.store.channels import channel_by_id, count_channels, create_channel
from functions.record.store.logs import logs_of_channel
from functions.record.store.mentions import mentions_of_channel
from functions.record.store.stocks import set_stock_price, stock_by_ticker
from functions.record.store.videos import videos_of_channel
from functions.runtime.clock import seconds_from_now
from tests.builders import a_channel, in_a_run
from tests.events import call
from tests.fakes import RecordingDispatcher
from tests.seeds import a_finished_channel

URL = "https://www.youtube.com/@SomeName"
FIELDS = [
    "id",
    "youtube_channel_id",
    "name",
    "url",
    "thumbnail_url",
    "status",
    "video_count",
    "processed_video_count",
    "time_range_months",
    "check_every",
    "next_check_at",
    "failed_runs",
    "is_slowed",
    "created_at",
    "updated_at",
]
NO_CHANNEL = ["x", str(uuid4()), "", "%", "é", "\x00", "a" * 10_000, "..", "CHANNELS", str(uuid4()).upper()]


def test_a_created_channel_is_pending_and_its_run_begins(tables: str, dispatched: RecordingDispatcher) -> None:
    response = call("POST", "/api/channels", json_body={"url": URL, "time_range_months": 36})

    channel = response.json()
    stored = channel_by_id(channel["id"], consistent=True)
    assert response.status == 201
    assert list(channel) == FIELDS
    assert channel["status"] == "pending"
    assert channel["youtube_channel_id"] == "handle:SomeName"
    assert channel["name"] == "SomeName"
    assert channel["url"] == URL
    assert channel["thumbnail_url"] is None
    assert (channel["video_count"], channel["processed_video_count"], channel["time_range_months"]) == (0, 0, 36)
    assert channel["created_at"] == channel["updated_at"]
    assert response.headers["location"] == f"/api/channels/{channel['id']}"
    assert stored
    assert dispatched.started == [(channel["id"], stored.run_id)]


def test_twelve_months_are_requested_unless_told_otherwise(tables: str) -> None:
    assert call("POST", "/api/channels", json_body={"url": URL}).json()["time_range_months"] == 12


@pytest.mark.parametrize("again", [URL, URL.lower(), "m.youtube.com/@SOMENAME/videos?x=1", f" {URL} "])
def test_a_channel_is_added_once(tables: str, dispatched: RecordingDispatcher, again: str) -> None:
    first = call("POST", "/api/channels", json_body={"url": URL}).json()

    response = call("POST", "/api/channels", json_body={"url": again})

    assert response.status == 400
    assert response.json() == {"detail": "Channel already exists"}
    assert response.headers["location"] == f"/api/channels/{first['id']}"
    assert len(dispatched.started) == 1
    assert count_channels() == 1


@pytest.mark.parametrize("again", ["youtube.com/@Resolved", "youtube.com/channel/UCresolved"])
def test_a_resolved_channel_is_still_the_only_one(tables: str, again: str) -> None:
    channel = a_channel("Resolved")
    run_id, _ = in_a_run(channel)
    runs.identify_channel(channel.id, run_id, "UCresolved", "Its own title", None)

    assert call("POST", "/api/channels", json_body={"url": again}).status == 400


@pytest.mark.parametrize("body", ["", "{", "[]", "{}", '{"url": "https://evil.example/youtube.com/@a"}', '{"url": 5}'])
def test_a_bad_request_touches_no_table(
    requests_made: Counter[str], dispatched: RecordingDispatcher, body: str
) -> None:
    requests_made.clear()

    response = call("POST", "/api/channels", body=body, headers={"idempotency-key": "k"})

    assert response.status == 422
    assert not requests_made
    assert not dispatched.started


def test_channels_are_listed_by_page_newest_first(tables: str) -> None:
    channels = [a_channel(created_at=f"2025-01-{day:02d}T00:00:00.000Z") for day in range(1, 8)]
    for channel in channels:
        create_channel(channel)
    newest = [channel.id for channel in reversed(channels)]

    first = call("GET", "/api/channels", query="per_page=3").json()
    last = call("GET", "/api/channels", query="page=3&per_page=3").json()
    beyond = call("GET", "/api/channels", query="page=99&per_page=3").json()

    assert list(first) == ["items", "total", "page", "per_page"]
    assert [channel["id"] for channel in first["items"]] == newest[:3]
    assert list(first["items"][0]) == FIELDS
    assert (first["total"], first["page"], first["per_page"]) == (7, 1, 3)
    assert [channel["id"] for channel in last["items"]] == newest[6:]
    assert beyond == {"items": [], "total": 7, "page": 99, "per_page": 3}


def test_no_channels_are_an_empty_list(tables: str) -> None:
    assert call("GET", "/api/channels").json() == {"items": [], "total": 0, "page": 1, "per_page": 20}


@pytest.mark.parametrize("strong", ["", "strong=true", "strong=false"])
def test_a_channel_is_found_by_id(tables: str, strong: str) -> None:
    channel = a_finished_channel()

    response = call("GET", f"/api/channels/{channel.id}", query=strong)

    assert response.status == 200
    assert list(response.json()) == FIELDS
    assert response.json()["status"] == "completed"


@pytest.mark.parametrize(
    ("method", "rest"),
    [
        ("GET", ""),
        ("DELETE", ""),
        ("POST", "/process"),
        ("POST", "/cancel"),
        ("GET", "/logs"),
        ("GET", "/stocks"),
        ("GET", "/stocks/AAPL"),
        ("GET", "/timeline"),
        ("GET", "/timeline?limit=5"),
        ("GET", "/logs?limit=5"),
        ("POST", "/refresh-prices"),
        ("POST", "/backfill-prices"),
    ],
)
def test_an_id_that_names_nothing_is_not_found(
    requests_made: Counter[str], dispatched: RecordingDispatcher, method: str, rest: str
) -> None:
    path, _, query = rest.partition("?")

    for channel_id in filter(None, NO_CHANNEL):
        response = call(method, f"/api/channels/{channel_id}{path}", query=query)

        assert response.status == 404
        assert response.json() == {"detail": "Channel not found"}
    assert not {"PutItem", "TransactWriteItems", "BatchWriteItem", "DeleteItem"} & requests_made.keys()
    assert not dispatched.started
    assert not dispatched.jobs


def test_deleting_takes_everything_below_and_leaves_stocks(tables: str) -> None:
    channel = a_finished_channel([("2024-03-01", ("AAPL", "MSFT")), ("2024-03-02", ("AAPL",))])
    set_stock_price("AAPL", 100.0, "2025-01-01T00:00:00.000Z")

    response = call("DELETE", f"/api/channels/{channel.id}")

    assert response.status == 204
    assert response.content == b""
    assert channel_by_id(channel.id, consistent=True) is None
    assert videos_of_channel(channel.id, consistent=True) == []
    assert mentions_of_channel(channel.id) == []
    assert logs_of_channel(channel.id, consistent=True) == []
    assert stock_by_ticker("AAPL")
    assert call("DELETE", f"/api/channels/{channel.id}").status == 404


def test_a_deleted_channel_can_be_added_again(tables: str) -> None:
    first = call("POST", "/api/channels", json_body={"url": URL}).json()
    call("DELETE", f"/api/channels/{first['id']}")

    again = call("POST", "/api/channels", json_body={"url": URL})

    assert again.status == 201
    assert again.json()["id"] != first["id"]


@pytest.mark.parametrize("ended", [ChannelStatus.COMPLETED, ChannelStatus.FAILED])
def test_processing_again_begins_a_new_run(tables: str, dispatched: RecordingDispatcher, ended: ChannelStatus) -> None:
    channel = a_channel()
    run_id, _ = in_a_run(channel)
    runs.finish_run(channel.id, run_id, ended, LogLevel.INFO, "Ended")

    response = call("POST", f"/api/channels/{channel.id}/process")

    assert response.status == 200
    assert list(response.json()) == FIELDS
    assert response.json()["status"] == "pending"
    ((started, new_run),) = dispatched.started
    assert started == channel.id
    assert new_run != run_id


def test_a_run_under_way_is_not_begun_again(tables: str, dispatched: RecordingDispatcher) -> None:
    channel = a_channel()
    in_a_run(channel)

    response = call("POST", f"/api/channels/{channel.id}/process")

    assert response.status == 400
    assert response.json() == {"detail": "Channel is already processing"}
    assert not dispatched.started


def test_a_run_whose_worker_died_can_be_processed_again(tables: str, dispatched: RecordingDispatcher) -> None:
    dead = replace(a_channel(), status=ChannelStatus.PROCESSING, run_id="01DEAD", lease_until=seconds_from_now(-1))
    create_channel(dead)

    response = call("POST", f"/api/channels/{dead.id}/process")

    assert response.status == 200
    assert response.json()["status"] == "pending"
    assert len(dispatched.started) == 1


def test_cancelling_ends_the_run_with_a_log_line(tables: str, dispatched: RecordingDispatcher) -> None:
    channel = a_channel()
    run_id, _ = in_a_run(channel)

    response = call("POST", f"/api/channels/{channel.id}/cancel")

    assert response.status == 200
    assert list(response.json()) == FIELDS
    assert response.json()["status"] == "cancelled"
    assert dispatched.stopped == [(channel.id, run_id)]
    assert logs_of_channel(channel.id, consistent=True)[-1].log_level == LogLevel.WARNING


def test_cancelling_a_pending_run_works_too(tables: str) -> None:
    channel = call("POST", "/api/channels", json_body={"url": URL}).json()

    assert call("POST", f"/api/channels/{channel['id']}/cancel").json()["status"] == "cancelled"


def test_what_is_not_processing_cannot_be_cancelled(tables: str, dispatched: RecordingDispatcher) -> None:
    channel = a_finished_channel()

    response = call("POST", f"/api/channels/{channel.id}/cancel")

    assert response.status == 400
    assert response.json() == {"detail": "Channel is not processing"}
    assert not dispatched.stopped
