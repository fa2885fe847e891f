"""Processing, cancelling and deleting a channel."""

from collections.abc import Iterator

import httpx
import pytest

from tests.contract.shapes import ATTEMPT, CHANNEL, RUN, has_shape
from tests.contract.steps import DEMO_TO_CHANGE_URL, DEMO_TO_DOUBLE, Channel, channel_of, finished, removed

TRIES = 20
"""A run may end before a test gets to interrupt it."""


@pytest.fixture
def changing(api: httpx.Client) -> Iterator[Channel]:
    """A demo channel of which tests may do anything, processed."""
    yield finished(api, channel_of(api, DEMO_TO_CHANGE_URL))
    finished(api, channel_of(api, DEMO_TO_CHANGE_URL))


def begin_again(api: httpx.Client) -> Channel:
    removed(api, DEMO_TO_CHANGE_URL)
    return channel_of(api, DEMO_TO_CHANGE_URL)


def test_a_completed_run_has_finished_every_video(api: httpx.Client, changing: Channel) -> None:
    channel = finished(api, begin_again(api))

    assert channel["status"] == "completed"
    assert channel["video_count"] > 0
    assert channel["processed_video_count"] == channel["video_count"]
    assert channel["youtube_channel_id"] == "UCDemoMomentumTrader0000"
    assert channel["name"] == "Rico Trades Momentum (demo)"
    assert channel["url"] == DEMO_TO_CHANGE_URL


def test_processing_begins_a_new_run(api: httpx.Client, changing: Channel) -> None:
    response = api.post(f"/api/channels/{changing['id']}/process")

    assert response.status_code == 200
    has_shape(response.json(), CHANNEL)
    assert response.json()["id"] == changing["id"]
    assert response.json()["status"] == "pending"
    assert finished(api, response.json())["status"] == "completed"


def test_a_run_under_way_is_not_begun_again(api: httpx.Client, changing: Channel) -> None:
    for _ in range(TRIES):
        channel = begin_again(api)
        response = api.post(f"/api/channels/{channel['id']}/process")
        if response.status_code == 400:
            break

    assert (response.status_code, response.json()) == (400, {"detail": "Channel is already processing"})


def test_a_run_under_way_can_be_cancelled_and_taken_up_again(api: httpx.Client, changing: Channel) -> None:
    for _ in range(TRIES):
        channel = begin_again(api)
        response = api.post(f"/api/channels/{channel['id']}/cancel")
        if response.status_code == 200:
            break

    assert response.status_code == 200
    has_shape(response.json(), CHANNEL)
    assert response.json()["status"] == "cancelled"
    logs = api.get(f"/api/channels/{channel['id']}/logs", params={"strong": "true"}).json()["logs"]
    # Of two lines that two processes write at the same time, either may be the last.
    assert any("Cancelled" in line["message"] for line in logs[-2:])
    again = api.post(f"/api/channels/{channel['id']}/process")
    assert again.status_code == 200
    assert finished(api, again.json())["status"] == "completed"


def test_what_is_not_processing_cannot_be_cancelled(api: httpx.Client, demo: Channel) -> None:
    response = api.post(f"/api/channels/{demo['id']}/cancel")

    assert (response.status_code, response.json()) == (400, {"detail": "Channel is not processing"})


def test_deleting_leaves_no_channel_and_keeps_stocks(api: httpx.Client, changing: Channel) -> None:
    path = f"/api/channels/{changing['id']}"
    ticker = api.get(f"{path}/stocks").json()["stocks"][0]["ticker"]

    response = api.delete(path)

    assert response.status_code == 204
    assert response.content == b""
    for rest in ("", "/logs", "/stocks", "/timeline", f"/stocks/{ticker}"):
        assert api.get(f"{path}{rest}").status_code == 404
    assert api.delete(path).status_code == 404
    assert api.get(f"/api/stocks/{ticker}/price").json()["price"]


def test_a_run_of_a_channel_that_does_not_exist_fails_and_says_why(api: httpx.Client) -> None:
    url = "https://www.youtube.com/@contract-nobody"
    channel = finished(api, channel_of(api, url))

    logs = api.get(f"/api/channels/{channel['id']}/logs").json()["logs"]

    removed(api, url)
    assert channel["status"] == "failed"
    assert logs[-1]["log_level"] == "error"
    assert channel["video_count"] == 0


def test_the_same_channel_under_another_url_fails_and_names_the_first(api: httpx.Client) -> None:
    removed(api, *DEMO_TO_DOUBLE)
    by_handle, by_id = DEMO_TO_DOUBLE
    first = api.post("/api/channels", json={"url": by_id})
    second = api.post("/api/channels", json={"url": by_handle})

    ended = [finished(api, response.json()) for response in (first, second)]
    failed = [channel for channel in ended if channel["status"] == "failed"]
    logs = api.get(f"/api/channels/{failed[0]['id']}/logs").json()["logs"]

    removed(api, *DEMO_TO_DOUBLE)
    assert (first.status_code, second.status_code) == (201, 201)
    assert sorted(channel["status"] for channel in ended) == ["completed", "failed"]
    assert failed[0]["url"] == by_handle
    assert by_id in logs[-1]["message"]
    assert logs[-1]["log_level"] == "error"


def test_a_run_is_told_of_by_its_channel_by_its_id_and_by_its_videos(api: httpx.Client, changing: Channel) -> None:
    path = f"/api/channels/{changing['id']}"
    newest, *_ = api.get(f"{path}/runs").json()["items"]
    videos = api.get(f"{path}/videos").json()["items"]
    attempts = api.get(f"{path}/videos/{videos[0]['id']}/runs").json()["items"]

    has_shape(newest, RUN)
    assert (newest["status"], newest["channel_id"]) == ("completed", changing["id"])
    assert newest["processed"] + newest["skipped"] + newest["failed"] == newest["videos"]
    assert api.get(f"/api/runs/{newest['id']}").json() == newest
    assert newest["id"] in {run["id"] for run in api.get("/api/runs", params={"limit": 100}).json()["items"]}
    for attempt in attempts:
        has_shape(attempt, ATTEMPT)
    assert attempts


def test_there_is_no_run_of_another_id(api: httpx.Client) -> None:
    response = api.get("/api/runs/01ARZ3NDEKTSV4RRFFQ69G5FAV")

    assert (response.status_code, response.json()) == (404, {"detail": "Run not found"})


def test_how_often_a_channel_is_checked_can_be_set(api: httpx.Client, changing: Channel) -> None:
    path = f"/api/channels/{changing['id']}"

    changed = api.patch(path, json={"check_every": "weekly"}).json()

    has_shape(changed, CHANNEL)
    assert changed["check_every"] == "weekly"
    assert changed["next_check_at"] is not None
    assert api.patch(path, json={}).status_code == 422
    off = api.patch(path, json={"check_every": "off"}).json()
    assert (off["check_every"], off["next_check_at"]) == ("off", None)
