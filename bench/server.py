"""Measures the local server under load: mixed reads from 1, 8 and 32 clients, and /health during the heaviest read."""

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import cycle, islice
from tempfile import TemporaryDirectory
from typing import Any

from urllib3 import PoolManager

from bench.measure import Timing, milliseconds, seeded, table, timed
from functions.runtime.settings import settings
from local.engine import ROOT, free_port

SMALL, LARGE = (100, 5), (2000, 10)
"""Videos, and mentions of each."""
CLIENTS = (1, 8, 32)
REQUESTS = 300
START_SECONDS = 60


def run() -> tuple[str, dict[str, Any]]:
    small, large = seeded(*SMALL), seeded(*LARGE)
    http = PoolManager(maxsize=64)
    with running_server() as address:
        paths = (
            "/health",
            "/api/channels",
            *(f"/api/channels/{small}{part}" for part in ("", "/stocks", "/logs", "/timeline")),
        )
        mixed = {clients: load(http, address, paths, clients) for clients in CLIENTS}
        idle, busy = _health_beside(http, address, f"/api/channels/{large}/stocks")
    rows = [
        (clients, f"{figure['per_second']:.0f}", milliseconds(figure["median"]), milliseconds(figure["p95"]))
        for clients, figure in mixed.items()
    ]
    text = table("Local server, mixed reads", ("clients", "requests/s", "median ms", "p95 ms"), rows)
    text += (
        f"\n/health takes {milliseconds(idle.median)} ms (p95 {milliseconds(idle.p95)}) alone, "
        f"{milliseconds(busy.median)} ms (p95 {milliseconds(busy.p95)}) "
        f"during a read of {LARGE[0] * LARGE[1]:,} mentions."
    )
    health = {"alone": idle.median, "beside the heaviest read": busy.median}
    return text, {**{str(clients): figure for clients, figure in mixed.items()}, "health": health}


def load(http: PoolManager, address: str, paths: tuple[str, ...], clients: int) -> dict[str, float]:
    """Requests per second and their times, with this many clients that request the paths in turn."""

    def get(path: str) -> float:
        return timed(lambda: _get(http, address + path))

    with ThreadPoolExecutor(clients) as threads:
        start = time.perf_counter()
        timing = Timing.of(list(threads.map(get, islice(cycle(paths), REQUESTS))))
        seconds = time.perf_counter() - start
    return {"per_second": REQUESTS / seconds, "median": timing.median, "p95": timing.p95}


def _health_beside(http: PoolManager, address: str, heavy: str) -> tuple[Timing, Timing]:
    def health() -> float:
        return timed(lambda: _get(http, f"{address}/health"))

    alone = Timing.of([health() for _ in range(50)])
    reading = threading.Thread(target=_get, args=(http, address + heavy))
    reading.start()
    beside = [health()]
    while reading.is_alive():
        beside.append(health())
    return alone, Timing.of(beside)


def _get(http: PoolManager, url: str) -> None:
    response = http.request("GET", url)
    if response.status != 200:
        raise RuntimeError(f"{url} responded with {response.status}")


@contextmanager
def running_server() -> Iterator[str]:
    """The local server on the bench's own engine."""
    port = free_port()
    environment = os.environ | {"DYNAMODB_ENDPOINT": settings().dynamodb_endpoint or ""}
    with TemporaryDirectory() as data:
        command = [sys.executable, "-m", "local", "--port", str(port), "--data", data]
        server = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL)
        try:
            _wait_for(lambda: _get(PoolManager(retries=False), f"http://127.0.0.1:{port}/health"))
            yield f"http://127.0.0.1:{port}"
        finally:
            server.terminate()
            server.wait()


def _wait_for(ready: Callable[[], None]) -> None:
    deadline = time.monotonic() + START_SECONDS
    while True:
        try:
            return ready()
        except Exception:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.1)
