"""A real engine for the run and tables of its own for each test, so that tests run side by side."""

import fcntl
import io
import json
import os
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from xdist.scheduler import LoadFileScheduling

from functions.runtime.dynamodb.connection import dynamodb
from functions.runtime.observability import logger
from functions.runtime.settings import settings
from local.engine import Engine, running_engine
from local.tables import create_tables, delete_tables
from tests.local_server import score_the_demo

os.environ["LOG_FORMAT"] = "json"
"""As on AWS, so that tests can read what is logged."""

CDK = "tests/infrastructure/"
LONGEST = (CDK, "tests/browser", "tests/resilience", "tests/e2e")
"""Files that take long come first, so that none is left to one process at the end."""


SERVICE_FIXTURES = {"engine", "scored_demo", "base_url", "make_once"}
SERVICE_STARTERS = ("running_server", "running_engine")


def cannot_run(reason: str) -> None:
    """Skips a test that needs something this machine lacks; in CI, where every test must run, it fails instead."""
    if os.environ.get("CI") == "true":
        pytest.fail(f"cannot run here: {reason}")
    pytest.skip(reason)


def needs_service(item: pytest.Item) -> bool:
    """True if a test uses an engine, a server or a synthesised template, or its module starts servers itself."""
    used = set(getattr(item, "fixturenames", ()))
    module = getattr(item, "module", None)
    return bool(used & SERVICE_FIXTURES) or any(hasattr(module, name) for name in SERVICE_STARTERS)


# First, since `-m` selects among the items in the same hook.
@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks the tests that need a service, and starts the longest first, so that none runs alone at the end."""
    for item in items:
        if needs_service(item):
            item.add_marker(pytest.mark.service)
    items.sort(key=lambda item: [not item.nodeid.startswith(path) for path in LONGEST])


class ByFile(LoadFileScheduling):
    """Gives a test process a file at a time, and all that load CDK, which takes seconds, to the same one."""

    def _split_scope(self, nodeid: str) -> str:
        return CDK if nodeid.startswith(CDK) else str(super()._split_scope(nodeid))


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> ByFile | None:
    return ByFile(config, log) if config.getvalue("dist") == "loadfile" else None


MakeOnce = Callable[[str, Callable[[Path], None]], Path]


@pytest.fixture(scope="session")
def make_once(tmp_path_factory: pytest.TempPathFactory) -> MakeOnce:
    """`make_once(name, fill)`: a folder that one process of the run fills, for all of them."""
    own = tmp_path_factory.getbasetemp()
    shared = own.parent if own.name.startswith("popen-") else own

    def make_once(name: str, fill: Callable[[Path], None]) -> Path:
        folder, done = shared / name, shared / f"{name}.done"
        with (shared / f"{name}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not done.exists():
                folder.mkdir(exist_ok=True)
                fill(folder)
                done.touch()
        return folder

    return make_once


@pytest.fixture(scope="session")
def scored_demo(make_once: MakeOnce) -> Path:
    """A folder of data to start servers with a copy of: its three channels are scored and its headlines analysed."""
    return make_once("scored-demo", score_the_demo)


@pytest.fixture(scope="session")
def engine() -> Iterator[Engine]:
    with running_engine(data=None) as engine:
        os.environ["DYNAMODB_ENDPOINT"] = engine.endpoint
        settings.cache_clear()
        yield engine


@pytest.fixture
def tables(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Empty tables under a prefix that is this test's alone."""
    prefix = f"Test{uuid4().hex[:12]}"
    monkeypatch.setenv("DYNAMODB_TABLE_PREFIX", prefix)
    settings.cache_clear()
    create_tables(dynamodb(), prefix)
    yield prefix
    delete_tables(dynamodb(), prefix)
    monkeypatch.undo()
    settings.cache_clear()


@pytest.fixture
def kept_transcripts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder in which transcripts are kept during a test."""
    monkeypatch.setenv("KEPT_TRANSCRIPTS_FOLDER", str(tmp_path / "transcripts"))
    settings.cache_clear()
    yield tmp_path / "transcripts"
    monkeypatch.undo()
    settings.cache_clear()


@pytest.fixture
def exports_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder in which exports are kept during a test."""
    monkeypatch.setenv("EXPORTS_FOLDER", str(tmp_path / "exports"))
    settings.cache_clear()
    yield tmp_path / "exports"
    monkeypatch.undo()
    settings.cache_clear()


@pytest.fixture
def concurrent_tables(engine: Engine, tables: str) -> str:
    """Tables on an engine that is safe under concurrent writes."""
    if engine.description.startswith("moto"):
        cannot_run("moto loses updates under concurrency; it needs the embedded engine or DYNAMODB_ENDPOINT")
    return tables


@pytest.fixture
def requests_made(tables: str) -> Iterator[Counter[str]]:
    """Counts the DynamoDB requests of a test, by operation."""
    made: Counter[str] = Counter()

    def count(model: object, **_: object) -> None:
        made[model.name] += 1  # type: ignore[attr-defined]

    events = dynamodb().meta.events
    events.register("before-call.dynamodb", count)
    yield made
    events.unregister("before-call.dynamodb", count)


@pytest.fixture
def requests_sent(tables: str) -> Iterator[list[dict[str, Any]]]:
    """The parameters of the DynamoDB requests of a test."""
    sent: list[dict[str, Any]] = []

    def record(params: dict[str, Any], **_: object) -> None:
        sent.append(params)

    events = dynamodb().meta.events
    events.register("provide-client-params.dynamodb", record)
    yield sent
    events.unregister("provide-client-params.dynamodb", record)


@pytest.fixture
def stale_reads(tables: str) -> Iterator[list[dict[str, Any]]]:
    """The reads of a test that may miss what was written just before. An index has no others, so it does not count."""
    found: list[dict[str, Any]] = []

    def record(params: dict[str, Any], **_: object) -> None:
        reads = params.get("RequestItems", {"": params}).values()
        found.extend(read for read in reads if not read.get("ConsistentRead") and "IndexName" not in read)

    events = dynamodb().meta.events
    names = [f"provide-client-params.dynamodb.{name}" for name in ("GetItem", "BatchGetItem", "Query")]
    for name in names:
        events.register(name, record)
    yield found
    for name in names:
        events.unregister(name, record)


@pytest.fixture
def items_read(tables: str) -> Iterator[list[int]]:
    """How many items each DynamoDB request of a test read."""
    read: list[int] = []

    def record(parsed: dict[str, Any], **_: object) -> None:
        read.append(parsed.get("ScannedCount", 1))

    events = dynamodb().meta.events
    events.register("after-call.dynamodb", record)
    yield read
    events.unregister("after-call.dynamodb", record)


@pytest.fixture
def written_log(monkeypatch: pytest.MonkeyPatch) -> io.StringIO:
    """The log lines of this process during a test, as text."""
    written = io.StringIO()
    # The keys of an earlier test's request would be on every line.
    logger.clear_state()
    monkeypatch.setattr(logger.registered_handler, "stream", written)
    return written


@pytest.fixture
def log_lines(written_log: io.StringIO) -> Callable[[], list[dict[str, Any]]]:
    """The log lines of this process during a test, one dictionary per line."""
    return lambda: [json.loads(line) for line in written_log.getvalue().splitlines()]


@pytest.fixture
def no_waiting(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Retries do not sleep; the waits are recorded instead."""
    waits: list[float] = []
    monkeypatch.setattr("functions.runtime.dynamodb.requests.time.sleep", waits.append)
    return waits


@pytest.fixture
def in_threads() -> Callable[[int, Callable[[int], object]], list[object]]:
    """Runs a function in many threads that start together; exceptions are returned as values."""
    from concurrent.futures import ThreadPoolExecutor
    from threading import Barrier

    def run(count: int, work: Callable[[int], object]) -> list[object]:
        start = Barrier(count)

        def one(number: int) -> object:
            start.wait()
            try:
                return work(number)
            except Exception as problem:
                return problem

        with ThreadPoolExecutor(count) as threads:
            return list(threads.map(one, range(count)))

    return run
