"""The real local server as a process of its own, spoken to over HTTP."""

import json
import os
import re
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

from local.engine import ROOT
from tests.fakes import eventually

OURS = ("DYNAMODB", "PROVIDERS", "DEMO_", "POWERTOOLS")
"""Settings of the tests themselves, which the server must not take over."""


class Server:
    """Started on a free port; what it printed is in `said`."""

    def __init__(self, data: Path, pause: float = 0.02, **environment: str) -> None:
        inherited = {name: value for name, value in os.environ.items() if not name.startswith(OURS)}
        self._log = data.with_suffix(".log")
        self._from = self._log.stat().st_size if self._log.exists() else 0
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-u", "-m", "local", "--port", "0", "--data", str(data)],
                cwd=ROOT,
                stdout=log,
                stderr=subprocess.STDOUT,
                # As a terminal does, so that signals reach every process of it.
                start_new_session=True,
                env={**inherited, "DEMO_PAUSE_SECONDS": str(pause), **environment},
            )
        self._address = eventually(self._announced)
        eventually(self._answers)

    @property
    def said(self) -> str:
        return self._log.read_bytes()[self._from :].decode()

    def get(self, path: str) -> Any:
        return self.ask("GET", path)[1]

    def ask(self, method: str, path: str, body: Any = None) -> tuple[int, Any]:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self._address + path, data, method=method)
        try:
            with urllib.request.urlopen(request, timeout=60) as response:
                text = response.read()
                return response.status, json.loads(text) if text else None
        except urllib.error.HTTPError as refused:
            with refused:
                return refused.code, json.load(refused)

    def ended(self, channel_id: str) -> Any:
        """The channel once its run is over."""
        return self.wait_for(channel_id, lambda channel: channel["status"] not in ("pending", "processing"))

    def wait_for(self, channel_id: str, holds: Callable[[Any], bool]) -> Any:
        path = f"/api/channels/{channel_id}"
        return eventually(lambda: (channel := self.get(path)) and holds(channel) and channel)

    def kill(self) -> None:
        self._process.kill()
        self._process.wait(60)

    def interrupt(self) -> int:
        """Ctrl-C; the exit code."""
        os.killpg(self._process.pid, signal.SIGINT)
        return self._process.wait(60)

    def stop(self) -> None:
        if self._process.poll() is None:
            self.kill()

    def _announced(self) -> str | None:
        assert self._process.poll() is None, self.said
        found = re.search(r"http://127\.0\.0\.1:\d+", self.said)
        return found[0] if found else None

    def _answers(self) -> bool:
        try:
            return self.ask("GET", "/health")[0] == 200
        except OSError:
            return False
