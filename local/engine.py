"""The DynamoDB engine of the local profile: the one DYNAMODB_ENDPOINT names, else dynoxide, else moto."""

import fcntl
import os
import platform
import secrets
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import IO

from functions.runtime.errors import StockTrackRecordError
from functions.runtime.observability import logger
from functions.runtime.settings import settings
from local.addresses import LOOPBACK, hidden_address
from local.data_file import DATABASE, replace_if_damaged

ROOT = Path(__file__).parent.parent
START_SECONDS = 20
RESTARTS = 5
"""Starts of the engine in a minute after which it is given up."""
UNLOCK_SECONDS = 6
"""How long to wait for an engine that is still shutting down after its run was killed."""

MOTO_WARNING = (
    "WARNING: no embedded engine for this machine ({reason}), so moto stands in: it keeps nothing when it stops and is "
    "not safe under concurrency; set DYNAMODB_ENDPOINT to use DynamoDB Local instead (see the README)."
)


class EngineProblem(StockTrackRecordError):
    """The engine could not be started. The message says what to do."""


@dataclass(frozen=True, slots=True)
class Engine:
    endpoint: str
    description: str
    keeps_data: bool
    pid: int | None = None
    """The process id of the engine's first start, if this program started it."""


def ignore_end() -> None:
    """For a block that may fail when its engine does."""


@contextmanager
def running_engine(data: Path | None, on_end: Callable[[], None] = ignore_end) -> Iterator[Engine]:
    """Runs an engine for the duration of the block. `data` is its data folder; None stores nothing.

    An engine that ends by itself is started again, if it stores its data. `on_end` is called, on another thread, once
    that is of no use.
    """
    endpoint = settings().dynamodb_endpoint
    if endpoint:
        yield Engine(endpoint, f"the engine at {endpoint}", keeps_data=True)
        return
    binary = dynoxide_binary()
    if not binary.exists():
        print(MOTO_WARNING.format(reason=_why_missing(binary)), file=sys.stderr)
        with _supervised(_moto_command, None, 0, on_end) as (address, pid):
            yield Engine(address, "moto, in memory", keeps_data=False, pid=pid)
        return
    with ExitStack() as stack:
        lock = stack.enter_context(locked(data))
        if data and (sentence := replace_if_damaged(data)):
            print(sentence, file=sys.stderr)
        address, pid = stack.enter_context(
            # A new start of an engine that stores nothing would have no tables.
            _supervised(partial(_dynoxide_command, binary, data), lock, RESTARTS if data else 0, on_end)
        )
        where = f"dynoxide, data in {data}" if data else "dynoxide, in memory"
        yield Engine(address, where, keeps_data=data is not None, pid=pid)


@contextmanager
def using_data(folder: Path) -> Iterator[None]:
    """Makes this process use a data folder of `make run`, which must be stopped."""
    # The engine would create a new folder for a mistyped name.
    if not (folder / DATABASE).exists():
        raise EngineProblem(f"{folder} is not a folder with the data of `make run`.")
    os.environ.pop("DYNAMODB_ENDPOINT", None)
    settings.cache_clear()
    with running_engine(folder) as engine:
        os.environ["DYNAMODB_ENDPOINT"] = engine.endpoint
        keep_transcripts_in(folder)
        keep_exports_in(folder)
        settings.cache_clear()
        yield


def keep_transcripts_in(data: Path) -> None:
    """Stores transcripts next to the data, or in the folder from the environment; never in a bucket."""
    os.environ.pop("KEPT_TRANSCRIPTS_BUCKET", None)
    os.environ["KEPT_TRANSCRIPTS_FOLDER"] = os.environ.get("KEPT_TRANSCRIPTS_FOLDER") or str(
        data.resolve() / "transcripts"
    )


def keep_exports_in(data: Path) -> None:
    """Stores exports next to the data, or in the folder from the environment; never in a bucket."""
    os.environ.pop("EXPORTS_BUCKET", None)
    os.environ["EXPORTS_FOLDER"] = os.environ.get("EXPORTS_FOLDER") or str(data.resolve() / "exports")


def keep_alert_key_in(data: Path) -> None:
    """Creates the secret for webhook keys on the first start; only its owner may read it."""
    os.environ.pop("ALERT_KEY_SECRET_ID", None)
    file = Path(os.environ.get("ALERT_KEY_FILE") or data.resolve() / "alert.key")
    os.environ["ALERT_KEY_FILE"] = str(file)
    if file.exists() and file.stat().st_size:
        return
    file.parent.mkdir(parents=True, exist_ok=True)
    # Written to a temporary file first: a start that is killed leaves no partial key.
    unfinished = file.with_suffix(".new")
    unfinished.unlink(missing_ok=True)
    with os.fdopen(os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as new:
        new.write(secrets.token_urlsafe(48))
    unfinished.replace(file)


def dynoxide_binary() -> Path:
    """Where npm puts the engine for this platform. package.json lists all platforms; npm installs only this one's."""
    cpu = {"x86_64": "x64", "amd64": "x64", "aarch64": "arm64"}.get(platform.machine().lower(), platform.machine())
    return ROOT / "node_modules" / "@dynoxide" / f"{sys.platform}-{cpu}" / "dynoxide"


def _why_missing(binary: Path) -> str:
    if not (ROOT / "node_modules").exists():
        return "its node package is not installed: install Node.js with npm, then run `make setup`"
    return f"the node package @dynoxide/{binary.parent.name} is not installed or does not exist"


def _dynoxide_command(binary: Path, data: Path | None, host: str, port: int) -> list[str]:
    command = [str(binary), "serve", "--host", host, "--port", str(port)]
    return [*command, "--db-path", str(data / DATABASE)] if data else command


def _moto_command(host: str, port: int) -> list[str]:
    return [sys.executable, "-m", "moto.server", "-H", host, "-p", str(port)]


@contextmanager
def locked(data: Path | None) -> Iterator[int | None]:
    """Locks the data folder: two engines on one file would each miss what the other writes."""
    if data is None:
        yield None
        return
    try:
        data.mkdir(parents=True, exist_ok=True)
        file = (data / "lock").open("a+")
    except OSError as problem:
        raise EngineProblem(
            f"Cannot keep data in {data}: {problem.strerror}. Choose another folder with DATA=…"
        ) from None
    with file:
        _wait_for_lock(file, data)
        yield file.fileno()


def _wait_for_lock(file: IO[str], data: Path) -> None:
    deadline = time.monotonic() + UNLOCK_SECONDS
    while True:
        with suppress(BlockingIOError):
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            file.truncate(0)
            file.write(str(os.getpid()))
            file.flush()
            return
        if time.monotonic() > deadline:
            file.seek(0)
            raise EngineProblem(
                f"The data in {data} is in use by another run (process {file.read() or 'unknown'}). "
                "Stop that one, or choose another folder with DATA=…"
            )
        time.sleep(0.1)


@contextmanager
def _supervised(
    command: Callable[[str, int], list[str]], lock: int | None, restarts: int, on_end: Callable[[], None]
) -> Iterator[tuple[str, int]]:
    """Runs the command during the block, and ends it with this process. Yields its address and process id."""
    host, port = hidden_address()
    with tempfile.TemporaryFile() as errors:
        supervisor = subprocess.Popen(
            [sys.executable, str(ROOT / "local" / "supervisor.py"), *command(host, port)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            env=os.environ | ({"SUPERVISOR_LOCK": str(lock)} if lock is not None else {}),
            pass_fds=() if lock is None else (lock,),
            # Ctrl-C must reach only this process, which stops the engine after its own last write.
            start_new_session=True,
        )
        assert supervisor.stdin and supervisor.stdout
        ending = threading.Event()
        follower = threading.Thread(target=_follow, args=(supervisor.stdout, ending, on_end), daemon=True)
        try:
            with supervisor.stdin:
                pid = int(supervisor.stdout.readline() or 0)
                _wait_until_listening(supervisor, (host, port), errors)
                supervisor.stdin.write(b"%d\n" % restarts)
                supervisor.stdin.flush()
                follower.start()
                try:
                    yield f"http://{host}:{port}", pid
                finally:
                    ending.set()
        finally:
            supervisor.wait()
            if follower.ident:
                follower.join()
            supervisor.stdout.close()


def _follow(starts: IO[bytes], ending: threading.Event, on_end: Callable[[], None]) -> None:
    """Logs each further start of the engine, and reports when there will be no other."""
    for _ in starts:
        logger.warning("The database engine ended unexpectedly and was started again")
    if not ending.is_set():
        on_end()


def _wait_until_listening(supervisor: "subprocess.Popen[bytes]", address: tuple[str, int], errors: IO[bytes]) -> None:
    deadline = time.monotonic() + START_SECONDS
    while supervisor.poll() is None and time.monotonic() < deadline:
        with suppress(OSError), socket.create_connection(address, timeout=1):
            return
        time.sleep(0.01)
    errors.seek(0)
    output = errors.read().decode(errors="replace").strip() or "no error message"
    raise EngineProblem(
        f"The database engine did not start: {output}. Run the command again, or set DYNAMODB_ENDPOINT."
    )


def free_port() -> int:
    with socket.create_server((LOOPBACK, 0)) as server:
        port: int = server.getsockname()[1]
        return port
