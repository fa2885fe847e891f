"""The local server as a process of its own, for tests that talk to it over HTTP."""

import os
import re
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

from local.engine import ROOT
from tests.fakes import eventually

MAX_WAIT_SECONDS = 60
OURS = ("DYNAMODB_", "PROVIDERS", "DEMO_", "POWERTOOLS_", "LOG_FORMAT")
"""Settings of the test process, which the server must not inherit."""


class LocalServer:
    """Started on a free port, on an engine of its own unless a setting names another, and ready for requests."""

    def __init__(self, data: Path, **settings: str) -> None:
        self._log = data.with_name(f"{data.name}-{uuid4()}.log")
        inherited = {name: value for name, value in os.environ.items() if not name.startswith(OURS)}
        with self._log.open("wb") as output:
            self.process = subprocess.Popen(
                [sys.executable, "-u", "-m", "local", "--port", "0", "--data", str(data)],
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
def running_server(folder: Path, **settings: str) -> Iterator[LocalServer]:
    """A server with data of its own in a folder."""
    server = LocalServer(folder / f"data-{uuid4()}", **settings)
    try:
        yield server
    finally:
        server.stop()
