"""A proxy between the program and the engine that injects random, seeded faults of networks and busy services."""

import json
import random
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from urllib3 import PoolManager

FAULTS = ("throttled", "server error", "slow", "cut before", "cut after", "unprocessed")


class FaultyEngine(ThreadingHTTPServer):
    """Forwards each request to the engine, or injects a fault."""

    daemon_threads = True

    def __init__(self, engine: str, seed: int, rate: float) -> None:
        super().__init__(("127.0.0.1", 0), _Forwarding)
        self.engine = engine
        self.rate = rate
        self.injected: Counter[str] = Counter()
        self._chance = random.Random(seed)
        self._lock = threading.Lock()
        self.pool = PoolManager(maxsize=64)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def fault(self) -> str | None:
        with self._lock:
            if self._chance.random() >= self.rate:
                return None
            fault = self._chance.choice(FAULTS)
            self.injected[fault] += 1
            return fault

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Clients that disconnect early are expected."""


class _Forwarding(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: FaultyEngine

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        fault = self.server.fault()
        if fault == "throttled":
            self._respond(400, _error("ProvisionedThroughputExceededException"))
        elif fault == "server error":
            self._respond(500, _error("InternalServerError"))
        elif fault == "cut before":
            self.close_connection = True
        elif fault == "cut after":
            self._forward(body)
            self.close_connection = True
        elif fault == "unprocessed" and "BatchWriteItem" in self.headers["X-Amz-Target"]:
            self._respond(*self._forward_half(body))
        else:
            if fault == "slow":
                time.sleep(0.05)
            self._respond(*self._forward(body))

    def _forward(self, body: bytes) -> tuple[int, bytes]:
        passed_on = {name: value for name, value in self.headers.items() if name.lower() not in ("host", "connection")}
        response = self.server.pool.request("POST", self.server.engine, body=body, headers=passed_on, retries=False)
        return response.status, response.data

    def _forward_half(self, body: bytes) -> tuple[int, bytes]:
        """Writes the first half of a batch and hands the rest back."""
        request = json.loads(body)
        ((table, items),) = request["RequestItems"].items()
        half = (len(items) + 1) // 2
        request["RequestItems"] = {table: items[:half]}
        status, response = self._forward(json.dumps(request).encode())
        left = {"UnprocessedItems": {table: items[half:]} if items[half:] else {}}
        return status, json.dumps({**json.loads(response), **left}).encode()

    def _respond(self, status: int, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", "application/x-amz-json-1.0")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Quiet."""


@contextmanager
def faulty_engine(engine: str, seed: int, rate: float) -> Iterator[FaultyEngine]:
    with FaultyEngine(engine, seed, rate) as proxy:
        threading.Thread(target=proxy.serve_forever, daemon=True).start()
        yield proxy
        proxy.shutdown()


def _error(kind: str) -> bytes:
    return json.dumps({"__type": f"com.amazonaws.dynamodb.v20120810#{kind}", "message": "injected"}).encode()
