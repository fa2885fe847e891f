"""Killed at any moment, server or engine or both, the product finds its data whole and goes on."""

import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from urllib3 import PoolManager
from urllib3.exceptions import HTTPError

from functions.core.settings import settings
from local import check
from local.engine import ROOT, dynoxide_binary, free_port, running_engine
from tests.conftest import cannot_run

SEED = int(os.environ.get("CRASH_SEED") or random.randrange(10**6))
ROUNDS = 30
DEMO_URLS = [f"https://www.youtube.com/@Demo{name}" for name in ("ValueInvestor", "MomentumTrader", "MarketTalk")]
HALF_DELETED = "is half deleted"
"""A delete that was killed; asking again finishes it."""

http = PoolManager(retries=False, timeout=5)


class Server:
    """The product as a process of its own."""

    def __init__(self, data: Path) -> None:
        self.data = data
        self.url = f"http://127.0.0.1:{(port := free_port())}"
        environment = os.environ | {"DEMO_PAUSE_SECONDS": "0.02", "DYNAMODB_ENDPOINT": "", "DYNAMODB_TABLE_PREFIX": ""}
        command = [sys.executable, "-m", "local", "--port", str(port), "--data", str(data)]
        self.process = subprocess.Popen(
            command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        self._wait()

    def request(self, method: str, path: str, body: object = None) -> tuple[int, dict[str, object]]:
        answer = http.request(method, self.url + path, body=json.dumps(body) if body else None)
        return answer.status, json.loads(answer.data or b"{}")

    def channels(self) -> list[dict[str, object]]:
        return self.request("GET", "/api/channels?per_page=100")[1]["items"]  # type: ignore[return-value]

    def kill(self, victims: str) -> None:
        if "engine" in victims:
            os.kill(self._engine(), signal.SIGKILL)
        if "server" in victims:
            self.process.kill()
        else:
            self.process.terminate()
        self.process.wait(timeout=60)

    def _engine(self) -> int:
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                command = (folder / "cmdline").read_bytes().split(b"\0")
            except OSError:
                continue
            if command[0] == str(dynoxide_binary()).encode() and str(self.data / "dynamodb.sqlite").encode() in command:
                return int(folder.name)
        raise AssertionError("the engine is not running")

    def _wait(self) -> None:
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            try:
                if self.request("GET", "/health")[0] == 200:
                    return
            except HTTPError:
                time.sleep(0.05)
        raise AssertionError("the server did not start")


@pytest.fixture
def own_settings(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    monkeypatch.delenv("DYNAMODB_TABLE_PREFIX", raising=False)
    monkeypatch.delenv("DYNAMODB_ENDPOINT", raising=False)
    settings.cache_clear()
    yield monkeypatch
    monkeypatch.undo()
    settings.cache_clear()


def use(server: Server, chance: random.Random, enough: threading.Event) -> None:
    """What a busy user does: adds, deletes, processes and cancels channels, and does not care for answers."""
    while not enough.is_set():
        try:
            channels = server.channels()
            if not channels or chance.random() < 0.5:
                server.request("POST", "/api/channels", {"url": chance.choice(DEMO_URLS), "time_range_months": 12})
            else:
                channel_id = chance.choice(channels)["id"]
                action = chance.choice(["", "/process", "/cancel"])
                server.request("POST" if action else "DELETE", f"/api/channels/{channel_id}{action}")
        except (HTTPError, KeyError, json.JSONDecodeError):
            time.sleep(0.01)


def data_at_rest(data: Path, own_settings: pytest.MonkeyPatch) -> list[str]:
    """What is wrong with the data that a kill left behind."""
    own_settings.delenv("DYNAMODB_ENDPOINT", raising=False)
    settings.cache_clear()
    with running_engine(data) as engine:
        own_settings.setenv("DYNAMODB_ENDPOINT", engine.endpoint)
        settings.cache_clear()
        return [problem for problem in check.problems(check.read_everything()) if HALF_DELETED not in problem]


def finish_everything(server: Server) -> None:
    """Asks again for deletes that were killed, and waits for the runs that were taken up."""
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
    chance = random.Random(SEED)
    print(f"CRASH_SEED={SEED}")

    for round_number in range(ROUNDS):
        server = Server(tmp_path)
        enough = threading.Event()
        user = threading.Thread(target=use, args=(server, random.Random(chance.random()), enough))
        user.start()
        time.sleep(chance.uniform(0.05, 1.2))
        server.kill(chance.choice(["server", "engine", "server and engine"]))
        enough.set()
        user.join()

        assert data_at_rest(tmp_path, own_settings) == [], f"round {round_number} of CRASH_SEED={SEED}"

    server = Server(tmp_path)
    finish_everything(server)
    statuses = {channel["status"] for channel in server.channels()}
    server.kill("server")
    assert statuses <= {"completed", "failed"}
    assert data_at_rest(tmp_path, own_settings) == []
