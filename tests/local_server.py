"""The local server as a process of its own, for tests that talk to it over HTTP."""

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx

from local.data_file import DATABASE
from local.engine import ROOT, dynoxide_binary
from tests.fakes import eventually

MAX_WAIT_SECONDS = 60
OURS = ("DYNAMODB_", "PROVIDERS", "DEMO_", "POWERTOOLS_", "LOG_FORMAT")
"""Settings of the test process, which the server must not inherit."""


class LocalServer:
    """Started on a free port, on an engine of its own unless a setting names another, and ready for requests."""

    module = "local"

    def __init__(self, data: Path, **settings: str) -> None:
        self._data = data
        self._log = data.with_name(f"{data.name}-{uuid4()}.log")
        inherited = {name: value for name, value in os.environ.items() if not name.startswith(OURS)}
        with self._log.open("wb") as output:
            self.process = subprocess.Popen(
                [sys.executable, "-u", "-m", self.module, "--port", "0", "--data", str(data)],
                cwd=ROOT,
                env={**inherited, "DEMO_PAUSE_SECONDS": "0.05", **settings},
                stdout=output,
                stderr=subprocess.STDOUT,
                # A group of its own, so that a test can do what Ctrl-C in a terminal does.
                start_new_session=True,
            )
        # No connection is kept, for the server may be killed at any moment.
        self._http = httpx.Client(
            timeout=MAX_WAIT_SECONDS,
            trust_env=False,
            verify=False,
            limits=httpx.Limits(max_keepalive_connections=0),
        )
        try:
            self.base_url: str = eventually(self._announced)
            eventually(self._is_up)
        except BaseException:
            self.process.kill()
            raise

    def output(self) -> str:
        return self._log.read_text()

    def request(self, method: str, path: str, body: object = None) -> tuple[int, Any]:
        """The status and the JSON of the response."""
        response = self._http.request(method, self.base_url + path, json=body)
        return response.status_code, response.json() if response.content else None

    def engine_pid(self) -> int | None:
        """The process id of the embedded engine, if it is running."""
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                command = (folder / "cmdline").read_bytes().split(b"\0")
            except OSError:
                continue
            if command[0] == str(dynoxide_binary()).encode() and str(self._data / DATABASE).encode() in command:
                return int(folder.name)
        return None

    def kill_engine(self) -> None:
        pid = self.engine_pid()
        assert pid, "the engine is not running"
        os.kill(pid, signal.SIGKILL)

    def connection(self) -> socket.socket:
        """A raw socket, for bytes that no HTTP client would send."""
        address = httpx.URL(self.base_url)
        return socket.create_connection((address.host, address.port or 80), timeout=MAX_WAIT_SECONDS)

    def stop(self, how: signal.Signals = signal.SIGTERM) -> int:
        """Sends a signal, unless it has ended already, and waits for the end; the exit code."""
        if self.process.poll() is None:
            self.process.send_signal(how)
        return self.process.wait(MAX_WAIT_SECONDS)

    def interrupt(self) -> int:
        """Ctrl-C; the exit code."""
        os.killpg(self.process.pid, signal.SIGINT)
        return self.process.wait(MAX_WAIT_SECONDS)

    def _announced(self) -> str | None:
        assert self.process.poll() is None, f"the local server did not start: {self.output()}"
        found = re.search(r"http://127\.0\.0\.1:\d+", self.output())
        return found[0] if found else None

    def _is_up(self) -> bool:
        assert self.process.poll() is None, f"the local server did not start: {self.output()}"
        try:
            return self.request("GET", "/health")[0] == httpx.codes.OK
        except httpx.TransportError:
            return False


def request_of(line: str, *headers: str | bytes, body: bytes = b"", host: str = "127.0.0.1") -> bytes:
    """The bytes of a request with only the given headers."""
    length = [f"Content-Length: {len(body)}"] if body else []
    head = [f"{line} HTTP/1.1", f"Host: {host}", "Connection: close", *headers, *length]
    return (
        b"\r\n".join(each if isinstance(each, bytes) else each.encode("latin-1") for each in head) + b"\r\n\r\n" + body
    )


@contextmanager
def running_server(folder: Path, copy_of: Path | None = None, /, **settings: str) -> Iterator[LocalServer]:
    """A server with data of its own in a folder: none yet, or a copy of what a stopped server has left."""
    data = folder / f"data-{uuid4()}"
    if copy_of:
        copy_data(copy_of, data)
    server = LocalServer(data, **settings)
    try:
        yield server
    finally:
        server.stop()


def copy_data(of: Path, to: Path) -> None:
    shutil.copytree(of, to, ignore=shutil.ignore_patterns("lock"))


def score_the_demo(data: Path) -> None:
    """Leaves what a first start does once all of it is done: three channels that are scored, and their headlines."""
    server = LocalServer(data, DEMO_PAUSE_SECONDS="0")
    try:
        eventually(lambda: len(server.request("GET", "/api/leaderboard")[1]["items"]) == 3)
        plan = {"name": "News", "tasks": [{"key": "news", "kind": "ingest_news"}]}
        plan_id = server.request("POST", "/api/plans", plan)[1]["id"]
        eventually(lambda: server.request("GET", f"/api/plans/{plan_id}")[1]["status"] == "completed")
        channels = server.request("GET", "/api/channels")[1]["items"]
        eventually(lambda: all(_knows_the_news(server, channel["id"]) for channel in channels))
    finally:
        server.stop()


def _knows_the_news(server: LocalServer, channel_id: str) -> bool:
    _, score = server.request("GET", f"/api/channels/{channel_id}/score")
    return any(each["follows_news_rate"] is not None for each in score["horizons"])
