"""A damaged data file is replaced by its copy, and a full disk says so and passes."""

import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from functions.runtime.storage import DISK_FULL
from local.data_file import COPY, COPY_SECONDS, DATABASE, DataFileDamaged, copy_data_file, damage_of, replace_if_damaged
from local.engine import ROOT, dynoxide_binary
from tests.conftest import cannot_run
from tests.fakes import eventually
from tests.local_server import LocalServer, copy_data

PAGE_BYTES = 4096
QUIET = {"DEMO_PAUSE_SECONDS": "0", "POWERTOOLS_LOG_LEVEL": "WARNING"}


def damage(database: Path) -> None:
    """Writes random bytes over every third page but the first."""
    noise = random.Random(7)
    with database.open("r+b") as file:
        for offset in range(PAGE_BYTES, database.stat().st_size, 3 * PAGE_BYTES):
            file.seek(offset)
            file.write(noise.randbytes(PAGE_BYTES))


@pytest.fixture
def data(scored_demo: Path, tmp_path: Path) -> Path:
    if not dynoxide_binary().exists():
        cannot_run("the embedded engine is not installed")
    copy_data(scored_demo, tmp_path / "data")
    (tmp_path / "data" / COPY).unlink(missing_ok=True)
    return tmp_path / "data"


@pytest.fixture
def start(data: Path) -> Iterator[Callable[[], LocalServer]]:
    servers: list[LocalServer] = []

    def start() -> LocalServer:
        servers.append(LocalServer(data, **QUIET))
        return servers[-1]

    yield start
    for server in servers:
        server.stop(signal.SIGKILL)


def newest_address(server: LocalServer) -> str:
    return re.findall(r"http://127\.0\.0\.1:\d+", server.output())[-1]


def names(server: LocalServer) -> set[str]:
    return {channel["name"] for channel in server.request("GET", "/api/channels")[1]["items"]}


def test_a_damaged_file_is_set_aside_and_its_copy_used(data: Path, start: Callable[[], LocalServer]) -> None:
    server = start()
    before = names(server)
    eventually((data / COPY).exists)
    assert server.stop() == 0
    damage(data / DATABASE)

    server = start()

    assert names(server) == before
    (line,) = [line for line in server.output().splitlines() if line.startswith("The data file was damaged")]
    assert "took its place: what was added or changed later is missing." in line
    (aside,) = data.glob("damaged-*")
    assert damage_of(aside / DATABASE)
    assert server.request("GET", "/health")[0] == 200


def test_a_damaged_file_without_a_copy_is_one_sentence_and_stays(data: Path) -> None:
    damage(data / DATABASE)
    before = (data / DATABASE).read_bytes()

    started = subprocess.run(
        [sys.executable, "-m", "local", "--port", "0", "--data", str(data)],
        cwd=ROOT,
        env={name: value for name, value in os.environ.items() if not name.startswith("DYNAMODB_")},
        capture_output=True,
        text=True,
        timeout=60,
    )

    assert started.returncode == 1
    assert started.stderr.startswith(f"The data file {data / DATABASE} is damaged (")
    assert started.stderr.count("\n") == 1
    assert "make restore" in started.stderr
    assert (data / DATABASE).read_bytes() == before


def test_a_file_that_is_damaged_while_the_server_runs_is_replaced_without_hands(
    data: Path, start: Callable[[], LocalServer], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(LocalServer, "module", "tests.integration.local.copying_often")
    server = start()
    before = names(server)
    eventually((data / COPY).exists)

    damage(data / DATABASE)
    eventually(lambda: "The data file was damaged" in server.output())
    eventually(lambda: newest_address(server) != server.base_url)

    assert "The data file is damaged: starting again with its copy." in server.output()
    server.base_url = newest_address(server)
    assert names(server) == before
    assert server.stop() == 0


def test_a_copy_is_made_once_a_day_and_never_of_a_damaged_file(data: Path) -> None:
    assert copy_data_file(data)
    assert not copy_data_file(data)
    os.utime(data / COPY, (time.time() - COPY_SECONDS, time.time() - COPY_SECONDS))
    good = (data / COPY).read_bytes()
    damage(data / DATABASE)

    with pytest.raises(DataFileDamaged):
        copy_data_file(data)

    assert (data / COPY).read_bytes() == good
    assert replace_if_damaged(data)
    assert replace_if_damaged(data) is None


def test_a_damaged_copy_replaces_nothing(data: Path) -> None:
    assert copy_data_file(data)
    damage(data / COPY)
    damage(data / DATABASE)

    with pytest.raises(DataFileDamaged, match="there is no copy of it"):
        replace_if_damaged(data)


def test_a_full_disk_is_one_sentence_and_everything_goes_on_once_there_is_room(tmp_path: Path) -> None:
    own_mounts = ["unshare", "--map-root-user", "--mount"]
    if shutil.which("unshare") is None or subprocess.run([*own_mounts, "true"], capture_output=True).returncode:
        pytest.skip("this system lets nobody mount a small disk")

    done = subprocess.run(
        [*own_mounts, sys.executable, "-m", "tests.integration.local.small_disk", str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=300,
    )

    assert done.returncode == 0, done.stderr
    seen = json.loads(done.stdout.splitlines()[-1])
    assert seen["refused"] == [507, {"detail": DISK_FULL}]
    assert (seen["health"], seen["accepted"], seen["stopped"]) == (200, 201, 0)
    assert seen["lines"] < 50
