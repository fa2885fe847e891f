"""The local server as a process of its own, for tests that talk to it over HTTP."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx

from local.engine import ROOT, free_port

LONGEST_START_SECONDS = 90
LONGEST_STOP_SECONDS = 60


@dataclass(frozen=True)
class LocalServer:
    process: "subprocess.Popen[bytes]"
    base_url: str
    output: Path

    def said(self) -> str:
        return self.output.read_text()

    def stop(self, how: signal.Signals = signal.SIGTERM) -> int:
        """Sends a signal and waits for the end; the exit code."""
        self.process.send_signal(how)
        return self.process.wait(LONGEST_STOP_SECONDS)


@contextmanager
def running_server(folder: Path, **settings: str) -> Iterator[LocalServer]:
    """A server with data and output of its own in a folder, on an engine of its own unless a setting names another."""
    port = free_port()
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("DYNAMODB_")}
    output = folder / f"output-{port}.txt"
    with output.open("wb") as file:
        process = subprocess.Popen(
            [sys.executable, "-m", "local", "--port", str(port), "--data", str(folder / f"data-{port}")],
            cwd=ROOT,
            env={**inherited, "DEMO_PAUSE_SECONDS": "0.05", **settings},
            stdout=file,
            stderr=subprocess.STDOUT,
            # A group of its own, so that a test can do what Ctrl-C in a terminal does.
            start_new_session=True,
        )
    server = LocalServer(process, f"http://127.0.0.1:{port}", output)
    try:
        _wait_until_healthy(server)
        yield server
    finally:
        if process.poll() is None:
            server.stop()


def _wait_until_healthy(server: LocalServer) -> None:
    deadline = time.monotonic() + LONGEST_START_SECONDS
    while time.monotonic() < deadline and server.process.poll() is None:
        try:
            if (
                httpx.get(f"{server.base_url}/health", timeout=LONGEST_START_SECONDS, trust_env=False).status_code
                == 200
            ):
                return
        except httpx.TransportError:
            time.sleep(0.05)
    raise AssertionError(f"the local server did not start: {server.said()}")
