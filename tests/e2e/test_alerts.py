"""Alerts of the demo over real HTTP: what is read of a new video reaches a webhook by itself, signed, and once."""

import signal
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.conftest import cannot_run
from tests.e2e.server import Server
from tests.fakes import eventually
from tests.local_server import copy_data
from tests.receivers import receiver

MOMENTUM_TRADER = "https://www.youtube.com/@DemoMomentumTrader"
WANTED = {"email": None, "kinds": ["calls"], "channels": "all", "digest": "none", "version": 0}


@pytest.fixture
def server(scored_demo: Path, tmp_path: Path) -> Iterator[Server]:
    from local.engine import dynoxide_binary

    if not dynoxide_binary().exists():
        cannot_run("the embedded engine is not installed, and no other keeps its data")
    copy_data(scored_demo, tmp_path / "data")
    server = Server(tmp_path / "data", WEBHOOK_ALLOW_PRIVATE="true")
    yield server
    server.stop(signal.SIGKILL)


def test_what_is_read_of_a_new_video_reaches_a_webhook_by_itself(server: Server) -> None:
    for channel in server.get("/api/channels?per_page=100")["items"]:
        server.request("DELETE", f"/api/channels/{channel['id']}")
    with receiver() as hook:
        status, settings = server.request("PUT", "/api/alerts/settings", {**WANTED, "webhook_url": hook.url})
        _, channel = server.request("POST", "/api/channels", {"url": MOMENTUM_TRADER, "time_range_months": 36})
        server.ended(channel["id"])
        newest = server.get(f"/api/channels/{channel['id']}/videos?status=missing&limit=1")["items"][0]
        path = f"/api/channels/{channel['id']}/videos/{newest['id']}/transcript"
        response = httpx.put(server.base_url + path, content="I am buying shares of Apple today.", trust_env=False)

        eventually(lambda: hook.received)

        listed = server.get(f"/api/channels/{channel['id']}/alerts?kind=calls&limit=100")["items"]
        assert (status, response.status_code) == (200, 202)
        assert all(message.is_signed_with(settings["signing_key"]) for message in hook.received)
        assert len(hook.alert_ids) == len(set(hook.alert_ids))
        assert set(hook.alert_ids) <= {alert["id"] for alert in listed}
        assert len(hook.alert_ids) < len(listed)
        assert server.get("/api/alerts/settings")["last_problem"] is None
