"""The embedded engine: it keeps what was written, ends with its parent, and says what to do when it cannot start."""

import json
import os
import platform
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from functions.record.store import channels, mentions, videos
from functions.runtime.dynamodb.connection import dynamodb
from functions.runtime.settings import settings
from local import engine as engines
from local.engine import Engine, EngineProblem, running_engine
from local.tables import create_tables
from tests.builders import a_channel, commit, in_a_run
from tests.conftest import cannot_run

Use = Callable[[Engine], None]


@pytest.fixture(autouse=True)
def no_engine_named(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """These tests start engines of their own, whatever the others run on."""
    monkeypatch.delenv("DYNAMODB_ENDPOINT", raising=False)
    monkeypatch.delenv("DYNAMODB_TABLE_PREFIX", raising=False)
    settings.cache_clear()
    yield
    monkeypatch.undo()
    settings.cache_clear()


@pytest.fixture
def use(monkeypatch: pytest.MonkeyPatch) -> Use:
    """Points the store at an engine."""

    def point(engine: Engine) -> None:
        monkeypatch.setenv("DYNAMODB_ENDPOINT", engine.endpoint)
        settings.cache_clear()

    return point


@pytest.fixture
def use_none(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    def unset() -> None:
        monkeypatch.delenv("DYNAMODB_ENDPOINT")
        settings.cache_clear()

    return unset


@pytest.fixture
def dynoxide() -> None:
    if not engines.dynoxide_binary().exists():
        cannot_run("the embedded engine is not installed")


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def ends(pid: int) -> bool:
    deadline = time.monotonic() + 30
    while is_alive(pid) and time.monotonic() < deadline:
        time.sleep(0.02)
    return not is_alive(pid)


@pytest.mark.usefixtures("dynoxide")
class TestDynoxide:
    def test_what_was_written_is_there_after_the_engine_was_killed(
        self, tmp_path: Path, use: Use, use_none: Callable[[], None]
    ) -> None:
        channel = a_channel("kept")
        with running_engine(tmp_path / "data") as engine:
            use(engine)
            create_tables(dynamodb(), settings().table_prefix)
            run_id, listed = in_a_run(channel, videos=30)
            for video in listed:
                commit(run_id, video, "AAPL", "MSFT")
            before = (channels.channel_by_id(channel.id), videos.videos_of_channel(channel.id))
            assert engine.pid
            os.kill(engine.pid, signal.SIGKILL)
            assert ends(engine.pid)
        use_none()

        with running_engine(tmp_path / "data") as engine:
            use(engine)
            sentences = create_tables(dynamodb(), settings().table_prefix)

            assert all("there already" in sentence for sentence in sentences)
            assert (channels.channel_by_id(channel.id), videos.videos_of_channel(channel.id)) == before
            assert len(mentions.mentions_of_channel(channel.id)) == 60

    def test_it_says_what_it_is_and_ends_with_its_block(self, tmp_path: Path, use: Use) -> None:
        with running_engine(tmp_path) as engine:
            use(engine)
            assert dynamodb().list_tables()["TableNames"] == []

        assert (engine.keeps_data, engine.description) == (True, f"dynoxide, data in {tmp_path}")
        assert engine.pid and not is_alive(engine.pid)

    def test_it_ends_with_its_block_also_when_that_fails(self) -> None:
        with pytest.raises(KeyboardInterrupt), running_engine(None) as engine:
            raise KeyboardInterrupt

        assert engine.pid and not is_alive(engine.pid)

    def test_without_a_folder_nothing_is_kept(self) -> None:
        with running_engine(None) as engine:
            assert (engine.keeps_data, engine.description) == (False, "dynoxide, in memory")

    def test_several_engines_run_side_by_side(self, tmp_path: Path) -> None:
        with (
            running_engine(tmp_path / "a") as one,
            running_engine(tmp_path / "b") as other,
            running_engine(None) as third,
        ):
            assert len({one.endpoint, other.endpoint, third.endpoint}) == 3

    def test_a_killed_parent_takes_its_engine_along(self, tmp_path: Path) -> None:
        program = (
            "import sys, pathlib\n"
            "from local.engine import running_engine\n"
            "with running_engine(pathlib.Path(sys.argv[1])) as engine:\n"
            "    print(engine.pid, flush=True)\n"
            "    sys.stdin.read()\n"
        )
        with subprocess.Popen(
            [sys.executable, "-c", program, str(tmp_path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=engines.ROOT,
        ) as parent:
            assert parent.stdout
            pid = int(parent.stdout.readline())
            assert is_alive(pid)

            parent.kill()

            assert ends(pid)
        with running_engine(tmp_path) as engine:
            assert engine.keeps_data

    def test_a_folder_in_use_is_refused_with_the_process_that_has_it(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(engines, "UNLOCK_SECONDS", 0.2)
        expected = rf"The data in {tmp_path} is in use by another run \(process {os.getpid()}\)\..*DATA="

        with running_engine(tmp_path), pytest.raises(EngineProblem, match=expected), running_engine(tmp_path):
            pass

    def test_a_folder_that_is_let_go_in_time_is_taken(self, tmp_path: Path) -> None:
        for _ in range(3):
            with running_engine(tmp_path) as engine:
                assert engine.pid and is_alive(engine.pid)


@pytest.mark.parametrize(
    ("system", "machine"), [("linux", "x86_64"), ("linux", "aarch64"), ("darwin", "arm64"), ("darwin", "x86_64")]
)
def test_the_engine_of_each_usual_machine_is_locked(system: str, machine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", system)
    monkeypatch.setattr(platform, "machine", lambda: machine)
    package = f"@dynoxide/{engines.dynoxide_binary().parent.name}"
    locked = json.loads((engines.ROOT / "package-lock.json").read_text())["packages"]

    assert locked[f"node_modules/{package}"]["os"] == [system]
    assert locked[f"node_modules/{package}"]["version"] == locked[""]["optionalDependencies"][package]


@pytest.mark.parametrize("place", ["file", "file/below"])
def test_a_folder_that_cannot_be_made_is_a_sentence(
    place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engines, "dynoxide_binary", lambda: Path(sys.executable))
    (tmp_path / "file").write_text("not a folder")
    expected = rf"^Cannot keep data in {tmp_path / place}: (File exists|Not a directory)\. Choose another .* DATA=…$"

    with pytest.raises(EngineProblem, match=expected), running_engine(tmp_path / place):
        pass


def test_an_engine_that_was_named_is_used_as_it_is(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DYNAMODB_ENDPOINT", "http://127.0.0.1:8000")
    settings.cache_clear()

    with running_engine(tmp_path / "data") as engine:
        assert engine == Engine("http://127.0.0.1:8000", "the engine at http://127.0.0.1:8000", keeps_data=True)

    assert not (tmp_path / "data").exists()
    assert capsys.readouterr() == ("", "")


def test_moto_stands_in_with_a_warning_where_the_engine_is_missing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, use: Use, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(engines, "dynoxide_binary", lambda: tmp_path / "plan9-x64" / "dynoxide")

    with running_engine(tmp_path / "data") as engine:
        use(engine)
        create_tables(dynamodb(), settings().table_prefix)
        channels.create_channel(a_channel())

        assert channels.count_channels() == 1

    assert (engine.keeps_data, engine.description) == (False, "moto, in memory")
    assert engine.pid and not is_alive(engine.pid)
    warning = capfd.readouterr().err
    assert "WARNING: no embedded engine for this machine" in warning
    assert len(warning.strip().splitlines()) == 1
    assert "keeps nothing" in warning and "not safe under concurrency" in warning and "DYNAMODB_ENDPOINT" in warning


def test_the_warning_says_why_the_engine_is_missing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(engines, "ROOT", tmp_path)
    assert "make setup" in engines._why_missing(engines.dynoxide_binary())

    (tmp_path / "node_modules").mkdir()
    monkeypatch.setattr(sys, "platform", "plan9")
    assert "@dynoxide/plan9-" in engines._why_missing(engines.dynoxide_binary())


def test_an_engine_that_does_not_start_is_quoted(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    broken = tmp_path / "dynoxide"
    broken.write_text("#!/bin/sh\necho 'database disk image is malformed' >&2\nexit 3\n")
    broken.chmod(0o755)
    monkeypatch.setattr(engines, "dynoxide_binary", lambda: broken)

    with pytest.raises(EngineProblem, match="did not start: database disk image is malformed"), running_engine(None):
        pass


def test_an_engine_that_cannot_be_run_is_a_sentence(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    useless = tmp_path / "dynoxide"
    useless.write_bytes(b"\x7fELF for another machine")
    useless.chmod(0o755)
    monkeypatch.setattr(engines, "dynoxide_binary", lambda: useless)

    with pytest.raises(EngineProblem) as problem, running_engine(tmp_path / "data"):
        pass

    assert "Traceback" not in str(problem.value)
    assert "did not start" in str(problem.value) and "\n" not in str(problem.value)
