"""Killed at any moment, server or engine or both, the product finds its data whole and goes on."""

import random
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest

from functions.runtime.settings import settings
from local.engine import dynoxide_binary, running_engine
from operations import check
from tests.conftest import cannot_run
from tests.fakes import eventually
from tests.local_server import LocalServer, copy_data
from tests.soak import seed, times

SEED = seed("CRASH_SEED")
ROUNDS = times(short=4, long=150)
DEMO_URLS = [f"https://www.youtube.com/@Demo{name}" for name in ("ValueInvestor", "MomentumTrader", "MarketTalk")]
KILL_ROUNDS = times(short=3, long=30)
SAID = "I am buying Apple here, it is a strong buy. I would sell Tesla at once, sell it all."
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


@dataclass
class Work:
    """Uploads, reviews, plans and exports of a busy user, and how the product has responded to each."""

    chance: random.Random
    calls: list[str]
    videos: list[str]
    channel_ids: list[str]
    reviews: dict[str, list[str | None]] = field(default_factory=dict)
    """The reviews that a call may have: the last that was acknowledged, and those attempted after it."""
    made: list[str] = field(default_factory=list)
    """The paths of acknowledged plans and exports."""
    uploaded: set[str] = field(default_factory=set)

    def do_something(self, server: Server) -> None:
        self.chance.choice([self._upload, self._review, self._review, self._plan, self._cancel, self._export])(server)

    def _upload(self, server: Server) -> None:
        video = self.chance.choice(self.videos)
        text = f"{SAID} {self.chance.random()}"
        headers = {"Content-Type": "text/plain"}
        if httpx.put(f"{server.base_url}{video}/transcript", content=text, headers=headers, trust_env=False).is_success:
            self.uploaded.add(video)

    def _review(self, server: Server) -> None:
        call, review = self.chance.choice(self.calls), self.chance.choice(["confirmed", "rejected", None])
        possible = self.reviews.setdefault(call, [None])
        possible.append(review)
        if server.request("PUT", call, {"review": review})[0] == httpx.codes.OK:
            possible[:] = [review]

    def _plan(self, server: Server) -> None:
        channel_id = self.chance.choice(self.channel_ids)
        kinds = ["process", "score", "refresh_prices", "score"]
        tasks = [
            {"key": f"t{n}", "kind": kind, "channel_id": channel_id, "depends_on": [f"t{n - 1}"] if n else []}
            for n, kind in enumerate(kinds)
        ]
        self._keep(*server.request("POST", "/api/plans", {"name": "Look again", "tasks": tasks}), "/api/plans")

    def _cancel(self, server: Server) -> None:
        if plans := [path for path in self.made if path.startswith("/api/plans")]:
            server.request("POST", f"{self.chance.choice(plans)}/cancel")

    def _export(self, server: Server) -> None:
        body = {"format": "csv", "channel_ids": [self.chance.choice(self.channel_ids)]}
        self._keep(*server.request("POST", "/api/exports", body), "/api/exports")

    def _keep(self, status: int, body: Any, path: str) -> None:
        if status in (httpx.codes.CREATED, httpx.codes.ACCEPTED):
            self.made.append(f"{path}/{body['id']}")


def work_of(server: Server, chance: random.Random) -> Work:
    work = Work(chance, [], [], [channel["id"] for channel in server.channels()])
    for channel_id in work.channel_ids:
        path = f"/api/channels/{channel_id}"
        items = server.request("GET", f"{path}/calls?limit=20")[1]["items"]
        work.calls += [f"{path}/videos/{item['video_id']}/calls/{item['ticker']}" for item in items]
        missing = server.request("GET", f"{path}/videos?limit=100&status=missing")[1]["items"]
        work.videos += [f"{path}/videos/{video['id']}" for video in missing]
    return work


def is_over(server: Server, path: str) -> bool:
    status, body = server.request("GET", path)
    assert status == httpx.codes.OK, path
    return body["status"] not in ("running", "PENDING", "PROCESSING")


def unread_of(server: Server, work: Work) -> set[str]:
    """The acknowledged uploads that have not been read."""
    missing: set[str] = set()
    for channel_id in work.channel_ids:
        path = f"/api/channels/{channel_id}/videos"
        items = server.request("GET", f"{path}?limit=100&status=missing")[1]["items"]
        missing |= {f"{path}/{video['id']}" for video in items}
    return missing & work.uploaded


def keep_busy(work: Work, server: Server, enough: threading.Event) -> None:
    while not enough.is_set():
        with suppress(httpx.HTTPError, KeyError, TypeError, ValueError):
            work.do_something(server)


def test_no_kill_loses_or_wedges_uploads_reviews_plans_and_exports(
    tmp_path: Path, scored_demo: Path, own_settings: pytest.MonkeyPatch
) -> None:
    if not dynoxide_binary().exists():
        cannot_run("only the embedded engine keeps its data through a kill")
    data = tmp_path / "data"
    copy_data(scored_demo, data)
    chance = random.Random(SEED)
    print(f"CRASH_SEED={SEED}")
    server = Server(data)
    work = work_of(server, random.Random(chance.random()))

    for round_number in range(KILL_ROUNDS):
        enough = threading.Event()
        user = threading.Thread(target=keep_busy, args=(work, server, enough))
        user.start()
        time.sleep(chance.uniform(0.3, 2.5))
        victims = chance.choice(["server", "engine", "server and engine"])
        if victims == "engine":
            server.kill_engine()
            # It is started again, and the user goes on.
            time.sleep(chance.uniform(0.3, 1.5))
        enough.set()
        server.kill("server" if victims == "engine" else victims)
        user.join()

        assert data_at_rest(data, own_settings) == [], f"round {round_number} of CRASH_SEED={SEED}"
        server = Server(data)

    assert work.made and work.uploaded and work.reviews
    eventually(lambda: all(is_over(server, path) for path in work.made))
    eventually(lambda: not unread_of(server, work))
    lost = {
        call: possible
        for call, possible in work.reviews.items()
        if server.request("GET", call)[1]["mention"]["review"] not in possible
    }
    # A cancelled plan has cancelled the run that it began.
    eventually(lambda: all(channel["status"] in ("completed", "cancelled") for channel in server.channels()))
    server.kill("server")
    assert lost == {}, f"CRASH_SEED={SEED}"
    assert data_at_rest(data, own_settings) == []
    counts = (len(work.uploaded), len(work.reviews), len(work.made))
    print("uploads, reviews, plans and exports: {}, {}, {}".format(*counts))
