"""Events in the very shape in which API Gateway sent them."""

import json
from pathlib import Path
from typing import Any

from functions.routes import FALLBACK, route_of_module
from tests.events import call, invoke
from tests.fakes import RecordingDispatcher
from tests.seeds import a_finished_channel

RECORDED: dict[str, dict[str, Any]] = json.loads(Path(__file__).with_name("recorded_events.json").read_bytes())


def test_a_browser_creates_a_channel(tables: str, dispatched: RecordingDispatcher) -> None:
    response = invoke(route_of_module("functions.record.api.channels.create_channel"), RECORDED["create_channel"])

    channel = response.json()
    assert response.status == 201
    assert channel["url"] == "https://www.youtube.com/@Recorded"
    assert channel["time_range_months"] == 6
    assert response.headers["location"] == f"/api/channels/{channel['id']}"
    assert response.headers["access-control-allow-origin"] == "http://localhost:5173"
    assert [started for started, _ in dispatched.started] == [channel["id"]]


def test_a_phone_polls_the_logs(tables: str) -> None:
    channel = a_finished_channel()
    event = json.loads(json.dumps(RECORDED["list_logs"]).replace("CHANNEL_ID", channel.id))

    response = invoke(route_of_module("functions.record.api.channels.list_logs"), event)

    assert response.status == 200
    assert response.json() == call("GET", f"/api/channels/{channel.id}/logs").json()
    assert response.json()["logs"]


def test_a_scanner_finds_nothing(tables: str) -> None:
    response = invoke(FALLBACK, RECORDED["no_such_route"])

    assert response.status == 404
    assert response.json() == {"detail": "Not Found"}
