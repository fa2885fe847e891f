"""A web page of another origin cannot reach the database, neither by scanning nor when it knows the address."""

import json
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import pytest

from local.addresses import BLOCKED_PORTS
from local.engine import dynoxide_binary, free_port
from tests.conftest import cannot_run
from tests.fakes import eventually
from tests.local_server import LocalServer, running_server

LISTENING = "0A"
"""The state of a socket in /proc/net/tcp."""
HEADERS = {
    "content-type": "application/x-amz-json-1.0",
    "authorization": "AWS4-HMAC-SHA256 Credential=a/20200101/us-east-1/dynamodb/aws4_request, "
    "SignedHeaders=host, Signature=made-up",
    "x-amz-date": "20200101T000000Z",
}
ATTACK = """async ([endpoints, operation, body, headers]) => {
    const seen = {}
    const attack = async (endpoint) => {
        try {
            const response = await fetch(endpoint, {
                method: 'POST',
                headers: {...headers, 'x-amz-target': 'DynamoDB_20120810.' + operation},
                body,
                signal: AbortSignal.timeout(3000),
            })
            seen[endpoint] = await response.text()
        } catch {
            // Nothing listens there, or it is out of reach.
        }
    }
    await Promise.all(endpoints.map(attack))
    return seen
}"""


class _Page(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b"<!doctype html><title>Free screen savers</title>")

    def log_message(self, format: str, *args: object) -> None:
        """Quiet."""


@pytest.fixture
def foreign_page(browser: Any) -> Iterator[Any]:
    with HTTPServer(("127.0.0.1", 0), _Page) as site:
        threading.Thread(target=site.serve_forever, daemon=True).start()
        context = browser.new_context()
        page = context.new_page()
        page.goto(f"http://127.0.0.1:{site.server_address[1]}/")
        yield page
        context.close()
        site.shutdown()


@pytest.fixture
def prefix() -> str:
    return f"Foreign{uuid4().hex[:12]}"


@pytest.fixture
def server(tmp_path: Path, prefix: str) -> Iterator[LocalServer]:
    if not dynoxide_binary().exists():
        cannot_run("the embedded engine is not installed")
    with running_server(tmp_path, PROVIDERS="live", DYNAMODB_TABLE_PREFIX=prefix) as server:
        yield server


def engine_address(server: LocalServer) -> tuple[str, int]:
    command = Path(f"/proc/{server.engine_pid()}/cmdline").read_text().split("\0")
    return command[command.index("--host") + 1], int(command[command.index("--port") + 1])


def listening_ports() -> set[int]:
    """The ports of this machine on which anything listens, whatever the address."""
    rows = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    return {int(row[1].partition(":")[2], 16) for row in rows if row[3] == LISTENING}


def attack(page: Any, endpoints: list[str], operation: str = "ListTables", body: object = None) -> dict[str, str]:
    """The responses that the page can read, by endpoint."""
    seen: dict[str, str] = page.evaluate(ATTACK, [endpoints, operation, json.dumps(body or {}), HEADERS])
    return seen


@contextmanager
def unprotected_engine() -> Iterator[str]:
    """An engine as it is without protection: on an ordinary port of 127.0.0.1."""
    port = free_port()
    command = [str(dynoxide_binary()), "serve", "--host", "127.0.0.1", "--port", str(port)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as engine:
        yield f"http://127.0.0.1:{port}"
        engine.terminate()


def test_a_page_that_scans_finds_no_database(server: LocalServer, foreign_page: Any, prefix: str) -> None:
    with unprotected_engine() as unprotected:
        # The attack works on an engine that has no protection.
        eventually(lambda: "TableNames" in attack(foreign_page, [unprotected]).get(unprotected, ""))
        ports = listening_ports() | set(BLOCKED_PORTS)
        seen = attack(foreign_page, [f"http://{host}:{port}" for port in ports for host in ("127.0.0.1", "localhost")])

        assert "TableNames" in seen[unprotected]
    assert engine_address(server)[1] in ports
    assert not any(prefix in text for text in seen.values())


def test_a_page_that_knows_the_address_of_the_database_gets_nothing(
    server: LocalServer, foreign_page: Any, prefix: str
) -> None:
    host, port = engine_address(server)
    names = [f"http://{host}:{port}", f"http://{int.from_bytes(map(int, host.split('.')))}:{port}"]
    names += [f"http://[::ffff:{host}]:{port}", f"http://127.0.0.1:{port}", f"http://localhost:{port}"]
    key = {"PK": {"S": "X"}, "SK": {"S": "X"}}

    seen = [
        attack(foreign_page, names),
        attack(foreign_page, names, "Scan", {"TableName": prefix}),
        attack(foreign_page, names, "PutItem", {"TableName": prefix, "Item": key}),
        attack(foreign_page, names, "DeleteTable", {"TableName": prefix}),
    ]

    assert seen == [{}, {}, {}, {}]
    # Any program of the machine reaches it there.
    items = httpx.post(
        names[0],
        headers={**HEADERS, "x-amz-target": "DynamoDB_20120810.Scan"},
        json={"TableName": prefix},
        trust_env=False,
    )
    assert items.status_code == 200
    assert key not in items.json()["Items"]
    assert server.request("GET", "/health")[0] == 200


def test_the_address_differs_at_each_start_and_is_not_the_usual_one(server: LocalServer, tmp_path: Path) -> None:
    with running_server(tmp_path, PROVIDERS="live") as other:
        addresses = [engine_address(each) for each in (server, other)]

    assert len({host for host, _ in addresses} | {"127.0.0.1"}) == 3
    assert {port for _, port in addresses} <= set(BLOCKED_PORTS)
