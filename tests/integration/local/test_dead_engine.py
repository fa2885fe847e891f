"""An engine that dies is started again; where that is of no use, the server stops with one sentence."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from local.engine import dynoxide_binary
from tests.conftest import cannot_run
from tests.fakes import eventually
from tests.local_server import LocalServer, running_server

AGAIN = "The database engine ended unexpectedly and was started again"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[LocalServer]:
    if not dynoxide_binary().exists():
        cannot_run("the embedded engine is not installed")
    with running_server(tmp_path, DEMO_PAUSE_SECONDS="0", POWERTOOLS_LOG_LEVEL="WARNING") as server:
        yield server


def responds(server: LocalServer) -> bool:
    return server.request("GET", "/api/channels")[0] == httpx.codes.OK


def test_a_killed_engine_is_started_again_and_everything_goes_on(server: LocalServer) -> None:
    before = server.engine_pid()

    server.kill_engine()
    eventually(lambda: responds(server))
    eventually(lambda: server.request("GET", "/health")[0] == httpx.codes.OK)

    assert server.engine_pid() != before
    eventually(lambda: len(server.request("GET", "/api/leaderboard")[1]["items"]) == 3)
    assert server.output().count(AGAIN) == 1
    assert server.stop() == 0


def test_an_engine_that_dies_again_and_again_ends_the_server_with_one_sentence(server: LocalServer) -> None:
    eventually(lambda: len(server.request("GET", "/api/leaderboard")[1]["items"]) == 3)
    last = 0

    def kill_new_engine() -> bool:
        nonlocal last
        if (pid := server.engine_pid()) and pid != last:
            os.kill(pid, signal.SIGKILL)
            last = pid
        return server.process.poll() is not None

    eventually(kill_new_engine)

    assert server.process.returncode == 1
    sentence = server.output().splitlines()[-1]
    assert sentence.startswith("The database engine ended again and again, so this server stopped.")
    assert "Stopped.\n" not in server.output()
