"""The log of a channel."""

import httpx
import pytest

from tests.contract.shapes import LOG, has_shape
from tests.contract.steps import Channel


def test_lines_come_oldest_first(api: httpx.Client, demo: Channel) -> None:
    response = api.get(f"/api/channels/{demo['id']}/logs")

    body = response.json()
    assert response.status_code == 200
    assert body.keys() == {"logs"}
    assert len(body["logs"]) > demo["video_count"]
    for line in body["logs"]:
        has_shape(line, LOG)
        assert line["channel_id"] == demo["id"]
    ids = [line["id"] for line in body["logs"]]
    assert ids == sorted(set(ids))
    assert ids[-1] < 2**53
    timestamps = [line["created_at"] for line in body["logs"]]
    assert timestamps == sorted(timestamps)


@pytest.mark.parametrize("strong", ["true", "false"])
def test_since_includes_its_own_timestamp(api: httpx.Client, demo: Channel, strong: str) -> None:
    path = f"/api/channels/{demo['id']}/logs"
    logs = api.get(path).json()["logs"]
    middle = logs[len(logs) // 2]

    later = api.get(path, params={"since": middle["created_at"], "strong": strong}).json()["logs"]

    assert later == [line for line in logs if line["created_at"] >= middle["created_at"]]


def test_nothing_has_happened_since_the_future(api: httpx.Client, demo: Channel) -> None:
    response = api.get(f"/api/channels/{demo['id']}/logs", params={"since": "2999-01-01T00:00:00Z"})

    assert response.json() == {"logs": []}


@pytest.mark.parametrize(
    "since", ["x", "", "yesterday", "2024-13-01T00:00:00Z", "nan", "9" * 100, "0.5", "2024", "20240131"]
)
def test_an_unreadable_since_is_refused(api: httpx.Client, demo: Channel, since: str) -> None:
    response = api.get(f"/api/channels/{demo['id']}/logs", params={"since": since})

    assert response.status_code == 422
    assert response.json()["detail"][0]["loc"] == ["query", "since"]
