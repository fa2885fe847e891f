"""Killed at any moment, server or engine or both, the product finds its data whole and goes on."""

import random
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from functions.runtime.settings import settings
from local.engine import dynoxide_binary, running_engine
from operations import check
from tests.conftest import cannot_run
from tests.local_server import LocalServer
from tests.soak import seed, times

SEED = seed("CRASH_SEED")
ROUNDS = times(short=4, long=150)
DEMO_URLS = [f"https://www.youtube.com/@Demo{name}" for name in ("ValueInvestor", "MomentumTrader", "MarketTalk")]
HALF_DELETED = "is half deleted"
"""A delete that was killed; repeating it finishes it."""


class Server(LocalServer):
    """The product, with its engine within reach."""

    def __init__(self, data: Path) -> None:
        super().__init__(data, DEMO_PAUSE_SECONDS="0.02")

    def channels(self) -> list[dict[str, Any]]:
        items: list[dict[str, Any]] = self.request("GET", "/api/channels?per_page=100")[1]["items"]
        return items

    def kill(self, victims: str) -> None:
        if "engine" in victims:
            self.kill_engine()
        self.stop(signal.SIGKILL if "server" in victims else signal.SIGTERM)


@pytest.fixture
def own_settings(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    monkeypatch.delenv("DYNAMODB_TABLE_PREFIX", raising=False)
    monkeypatch.delenv("DYNAMODB_ENDPOINT", raising=False)
    settings.cache_clear()
    yield monkeypatch
    monkeypatch.undo()
    settings.cache_clear()


def use(server: Server, chance: random.Random, enough: threading.Event) -> None:
    """Adds, deletes, processes and cancels channels like a busy user who ignores the responses."""
    while not enough.is_set():
        try:
            channels = server.channels()
            if not channels or chance.random() < 0.5:
                server.request("POST", "/api/channels", {"url": chance.choice(DEMO_URLS), "time_range_months": 12})
            else:
                channel_id = chance.choice(channels)["id"]
                action = chance.choice(["", "/process", "/cancel"])
                server.request("POST" if action else "DELETE", f"/api/channels/{channel_id}{action}")
        except (httpx.HTTPError, KeyError, TypeError, ValueError):
            time.sleep(0.01)


def data_at_rest(data: Path, own_settings: pytest.MonkeyPatch) -> list[str]:
    """Returns the problems in the data that a kill left behind."""
    own_settings.delenv("DYNAMODB_ENDPOINT", raising=False)
    settings.cache_clear()
    with running_engine(data) as engine:
        own_settings.setenv("DYNAMODB_ENDPOINT", engine.endpoint)
        settings.cache_clear()
        return [problem for problem in check.problems(check.read_everything()) if HALF_DELETED not in problem]


def finish_everything(server: Server) -> None:
    """Repeats deletes that were killed, and waits for the runs that were resumed."""
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        channels = server.channels()
        if all(channel["status"] not in ("pending", "processing") for channel in channels):
            break
        time.sleep(0.1)
    for channel in channels:
        if channel["status"] == "cancelled":
            server.request("DELETE", f"/api/channels/{channel['id']}")


def test_after_every_kill_the_data_is_whole(tmp_path: Path, own_settings: pytest.MonkeyPatch) -> None:
    if not dynoxide_binary().exists():
        cannot_run("only the embedded engine keeps its data through a kill")
    data = tmp_path / "data"
    chance = random.Random(SEED)
    print(f"CRASH_SEED={SEED}")

    for round_number in range(ROUNDS):
        server = Server(data)
        enough = threading.Event()
        user = threading.Thread(target=use, args=(server, random.Random(chance.random()), enough))
        user.start()
        time.sleep(chance.uniform(0.05, 1.2))
        server.kill(chance.choice(["server", "engine", "server and engine"]))
        enough.set()
        user.join()

        assert data_at_rest(data, own_settings) == [], f"round {round_number} of CRASH_SEED={SEED}"

    server = Server(data)
    finish_everything(server)
    statuses = {channel["status"] for channel in server.channels()}
    server.kill("server")
    assert statuses <= {"completed", "failed"}
    assert data_at_rest(data, own_settings) == []
