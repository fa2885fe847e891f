"""The whole product in a process of its own, as `make run` starts it."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

from local.engine import free_port

ROOT = Path(__file__).parents[2]
START_SECONDS = 60


@contextmanager
def running_product(data: Path, **environment: str) -> Iterator[str]:
    """Its address. Without another engine named in the environment it keeps its data in the folder."""
    port = free_port()
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("DYNAMODB_")}
    with (data.parent / f"{data.name}.log").open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "local", "--port", str(port), "--data", str(data)],
            cwd=ROOT,
            env=inherited | environment,
            stdout=log,
            stderr=subprocess.STDOUT,
        )
        try:
            address = f"http://127.0.0.1:{port}"
            _wait_until_healthy(address, process)
            yield address
        finally:
            process.terminate()
            process.wait(timeout=30)


def _wait_until_healthy(address: str, process: "subprocess.Popen[bytes]") -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        assert process.poll() is None, "the product stopped while it was starting"
        try:
            with urlopen(f"{address}/health", timeout=5):
                return
        except (URLError, OSError):
            time.sleep(0.2)
    raise AssertionError("the product did not start in time")
