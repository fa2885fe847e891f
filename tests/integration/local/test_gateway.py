"""The local server over real HTTP: API Gateway's events and limits, side by side, and a clean end whatever happens."""

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest
import uvicorn

from functions.record.store.channels import create_channel
from functions.routes import Route
from functions.runtime.settings import settings
from local.__main__ import listener_on
from local.engine import ROOT, Engine
from local.gateway import MAX_BODY_BYTES, Gateway
from tests.builders import a_channel
from tests.local_server import MAX_WAIT_SECONDS, LocalServer, request_of, running_server
from tests.seeds import fill

TICKERS = [f"T{number}" for number in range(10)]
VIDEOS = 300
WITHOUT_CHANNELS = {"PROVIDERS": "live"}
"""Starts faster, since no demo channels are added."""


@pytest.fixture(scope="module")
def server(scored_demo: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalServer]:
    with running_server(tmp_path_factory.mktemp("gateway"), scored_demo) as server:
        yield server


@pytest.fixture(scope="module")
def api(server: LocalServer) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=server.base_url, timeout=MAX_WAIT_SECONDS, trust_env=False) as client:
        yield client


class Recording:
    """Environments that keep the events they are given."""

    def __init__(self) -> None:
        self.events: list[dict[str, Any]] = []
        self.modules: list[str] = []

    def invoke(self, route: Route, event: dict[str, Any]) -> dict[str, Any]:
        self.modules.append(route.module)
        self.events.append(event)
        return {"statusCode": 200, "headers": {"X-Upper": "yes"}, "cookies": ["a=1", "b=2"], "body": "{}"}


def run_in_thread(exchange: Coroutine[Any, Any, None]) -> None:
    """In a thread of its own, because a browser that other tests started may run its event loop in this one."""
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, exchange).result()


class Heard:
    """Returns the bytes that uvicorn sends back for those that arrive on a connection."""

    def __init__(self) -> None:
        self.environments = Recording()

    def __call__(self, request: bytes) -> dict[str, Any]:
        """The event that the gateway makes of a request."""
        run_in_thread(self.exchange(request))
        (event,) = self.environments.events
        return event

    async def exchange(self, request: bytes, **limits: float) -> None:
        gateway = Gateway(self.environments, **limits)  # type: ignore[arg-type]
        listener = socket.create_server(("127.0.0.1", 0))
        server = uvicorn.Server(uvicorn.Config(gateway, lifespan="off", log_level="error"))
        serving = asyncio.create_task(server.serve(sockets=[listener]))
        reader, writer = await asyncio.open_connection(*listener.getsockname())
        writer.write(request)
        self.response = await reader.read()
        writer.close()
        server.should_exit = True
        await serving
        listener.close()
        gateway.stop()


@pytest.fixture
def heard() -> Heard:
    return Heard()


def test_a_body_does_not_wait_for_the_client_to_acknowledge_the_headers() -> None:
    with listener_on(0) as listener, socket.create_connection(listener.getsockname()):
        accepted, _ = listener.accept()
        with accepted:
            assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


def test_an_event_has_the_parts_that_api_gateway_sends(heard: Heard) -> None:
    event = heard(request_of("GET /api/channels/abc/stocks/AAPL?x=1", "User-Agent: tester"))

    recorded = json.loads((ROOT / "tests/integration/runtime/recorded_events.json").read_bytes())["list_logs"]
    assert event.keys() == recorded.keys() - {"cookies"}
    assert event["requestContext"].keys() == recorded["requestContext"].keys()
    assert event["requestContext"]["http"].keys() == recorded["requestContext"]["http"].keys()
    assert event["version"] == "2.0"
    assert event["routeKey"] == "GET /api/channels/{channel_id}/stocks/{ticker}"
    assert event["pathParameters"] == {"channel_id": "abc", "ticker": "AAPL"}
    assert event["requestContext"]["http"]["userAgent"] == "tester"
    assert event["requestContext"]["http"]["method"] == "GET"
    assert heard.environments.modules == ["get_stock_mentions"]


def test_repeated_parameters_are_joined_by_commas(heard: Heard) -> None:
    event = heard(request_of("GET /health?a=1&b=x%20y&a=2&empty=&a=3%2C4&bare"))

    assert event["rawQueryString"] == "a=1&b=x%20y&a=2&empty=&a=3%2C4&bare"
    assert event["queryStringParameters"] == {"a": "1,2,3,4", "b": "x y", "empty": "", "bare": ""}


def test_no_parameters_are_no_entry(heard: Heard) -> None:
    event = heard(request_of("GET /health"))

    assert event["rawQueryString"] == ""
    assert "queryStringParameters" not in event
    assert "pathParameters" not in event
    assert "cookies" not in event


def test_cookies_come_apart_from_the_headers(heard: Heard) -> None:
    event = heard(request_of("GET /health", "Cookie: a=1; b=2", "Cookie: c=3"))

    assert event["cookies"] == ["a=1", "b=2", "c=3"]
    assert "cookie" not in event["headers"]


def test_header_names_are_lower_case_and_repeated_ones_joined(heard: Heard) -> None:
    event = heard(request_of("GET /health", "X-Some-Name: One", "x-some-name: two", "X-Latin: \xe9"))

    assert event["headers"]["x-some-name"] == "One,two"
    assert event["headers"]["x-latin"] == "\xe9"
    assert event["headers"]["host"] == "127.0.0.1"


@pytest.mark.parametrize(
    ("path", "decoded", "parameter"),
    [
        ("/api/stocks/BRK%2EB/price", "/api/stocks/BRK.B/price", "BRK.B"),
        ("/api/stocks/%E6%A0%AA/price", "/api/stocks/株/price", "株"),
        ("/api/stocks/%ff/price", "/api/stocks/\ufffd/price", "\ufffd"),
        ("/api/stocks/a%20b/price", "/api/stocks/a b/price", "a b"),
        ("/api/stocks/%00/price", "/api/stocks/\x00/price", "\x00"),
        ("/api/stocks/%2525/price", "/api/stocks/%25/price", "%25"),
    ],
)
def test_the_path_is_decoded_once(heard: Heard, path: str, decoded: str, parameter: str) -> None:
    event = heard(request_of(f"GET {path}"))

    assert event["rawPath"] == event["requestContext"]["http"]["path"] == decoded
    assert event["pathParameters"] == {"ticker": parameter}


def test_an_encoded_slash_parts_the_path(heard: Heard) -> None:
    event = heard(request_of("GET /api/stocks/a%2Fb/price"))

    assert event["routeKey"] == "$default"
    assert heard.environments.modules == ["no_such_route"]


def test_a_text_body_is_text(heard: Heard) -> None:
    event = heard(request_of("POST /api/channels", body='{"url": "é"}'.encode()))

    assert (event["body"], event["isBase64Encoded"]) == ('{"url": "é"}', False)


def test_a_binary_body_travels_as_base64(heard: Heard) -> None:
    event = heard(request_of("POST /api/channels", body=b"\xff\x00\xfe"))

    assert (event["body"], event["isBase64Encoded"]) == ("/wD+", True)


@pytest.mark.parametrize("content_type", ["application/octet-stream", "application/x-subrip"])
def test_a_body_that_is_not_called_text_travels_as_base64(heard: Heard, content_type: str) -> None:
    event = heard(request_of("POST /api/channels", f"Content-Type: {content_type}", body=b"text"))

    assert (event["body"], event["isBase64Encoded"]) == ("dGV4dA==", True)


@pytest.mark.parametrize("content_type", ["text/vtt", "application/json; charset=utf-8", "TEXT/plain"])
def test_a_body_that_is_called_text_and_is_travels_as_text(heard: Heard, content_type: str) -> None:
    event = heard(request_of("POST /api/channels", f"Content-Type: {content_type}", body=b"text"))

    assert (event["body"], event["isBase64Encoded"]) == ("text", False)


def test_an_empty_body_is_absent(heard: Heard) -> None:
    event = heard(request_of("POST /api/channels", "Content-Length: 0"))

    assert "body" not in event
    assert event["isBase64Encoded"] is False


def test_responses_keep_their_cookies(heard: Heard) -> None:
    heard(request_of("GET /health"))

    head = heard.response.partition(b"\r\n\r\n")[0]
    assert head.count(b"set-cookie: ") == 2
    assert b"x-upper: yes" in head


def test_a_body_that_announces_too_much_is_refused_unread(api: httpx.Client, server: LocalServer) -> None:
    with server.connection() as sock:
        sock.sendall(request_of("POST /api/channels", f"Content-Length: {MAX_BODY_BYTES + 1}"))
        response = sock.recv(4096)

    assert response.startswith(b"HTTP/1.1 413 ")
    assert api.get("/health").status_code == 200


def test_a_body_that_grows_too_large_in_chunks_is_refused(api: httpx.Client) -> None:
    def chunks() -> Iterator[bytes]:
        for _ in range(MAX_BODY_BYTES // 65536):
            yield b" " * 65536
        yield b" "

    response = api.post("/api/channels", content=chunks(), headers={"Origin": "http://localhost:5173"})

    assert response.status_code == 413
    assert isinstance(response.json()["detail"], str)
    assert response.headers["access-control-allow-origin"] == "http://localhost:5173"
    assert api.get("/health").status_code == 200


def test_a_body_of_exactly_10_mb_is_read(api: httpx.Client) -> None:
    assert api.post("/api/channels", content=b" " * MAX_BODY_BYTES).status_code == 422


def test_half_a_request_is_not_done(api: httpx.Client, server: LocalServer) -> None:
    body = b'{"url": "https://www.youtube.com/@half-a-request"}'
    with server.connection() as sock:
        sock.sendall(request_of("POST /api/channels", f"Content-Length: {len(body) + 1}") + body)
    for _ in range(20):
        assert api.get("/health").status_code == 200

    channels = api.get("/api/channels", params={"per_page": 100}).json()["items"]
    assert not [channel for channel in channels if "half-a-request" in channel["url"]]


@pytest.mark.parametrize(
    "endless",
    [
        request_of("POST /api/channels", "Content-Length: 100") + b"{",
        request_of("POST /api/channels", "Transfer-Encoding: chunked") + b"1\r\n{\r\n",
        request_of("POST /api/channels", "Transfer-Encoding: chunked") + b"ffffffff\r\n{",
    ],
    ids=["announced more", "chunks without end", "one endless chunk"],
)
def test_a_body_that_never_ends_is_given_up(heard: Heard, endless: bytes) -> None:
    that_would_stay = endless.replace(b"Connection: close\r\n", b"")

    run_in_thread(heard.exchange(that_would_stay, body_seconds=0.1))

    assert heard.response.startswith(b"HTTP/1.1 408 ")
    assert b"\r\nconnection: close\r\n" in heard.response.lower()
    assert b"in time" in heard.response
    assert heard.environments.events == []


@pytest.mark.parametrize(
    "garbage", [b"\x00\xff\r\n\r\n", b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"\x16\x03\x01\x00"]
)
def test_what_is_not_http_hurts_nobody(api: httpx.Client, server: LocalServer, garbage: bytes) -> None:
    with server.connection() as sock:
        sock.sendall(garbage)
        sock.shutdown(socket.SHUT_WR)
        sock.recv(4096)

    assert api.get("/health").status_code == 200


def test_others_are_served_while_one_reads_a_long_timeline(engine: Engine, tables: str, tmp_path: Path) -> None:
    channel = a_channel()
    create_channel(channel)
    fill(channel, VIDEOS, TICKERS)
    sharing = {"DYNAMODB_ENDPOINT": engine.endpoint, "DYNAMODB_TABLE_PREFIX": tables}

    with running_server(tmp_path, **sharing) as server, ThreadPoolExecutor(4) as readers:
        path = f"{server.base_url}/api/channels/{channel.id}/timeline"
        served_meanwhile = tries = 0
        # On a busy machine one request may take as long as a timeline; a server that blocked would always show one.
        while served_meanwhile < 2 and tries < 5:
            tries += 1
            reading = [readers.submit(httpx.get, path, timeout=MAX_WAIT_SECONDS, trust_env=False) for _ in range(4)]
            served_meanwhile = 0
            while not any(reader.done() for reader in reading):
                assert httpx.get(f"{server.base_url}/health", timeout=MAX_WAIT_SECONDS, trust_env=False).is_success
                served_meanwhile += 1
            timelines = [reader.result() for reader in reading]

    assert served_meanwhile > 1
    assert [timeline.status_code for timeline in timelines] == [200] * 4
    assert all(len(timeline.json()["timeline"]) == VIDEOS for timeline in timelines)


def test_an_environment_that_dies_is_replaced(tmp_path: Path) -> None:
    with (
        running_server(tmp_path, **WITHOUT_CHANNELS) as server,
        httpx.Client(base_url=server.base_url, timeout=MAX_WAIT_SECONDS) as api,
    ):
        (victim, *_) = environments_of(server)
        os.kill(victim, signal.SIGKILL)
        wait_until(lambda: victim not in descendants(server.process.pid))

        responses = [api.get("/health", headers={"Origin": "http://localhost:5173"}) for _ in range(5)]

        assert {response.status_code for response in responses} <= {200, 500}
        assert [response.status_code for response in responses][-3:] == [200, 200, 200]
        for response in responses:
            assert response.headers["access-control-allow-origin"] == "http://localhost:5173"
            if response.status_code == 500:
                assert response.json() == {"detail": "Internal Server Error"}
                assert "An environment died" in server.output()


@pytest.mark.parametrize(
    ("how", "whom"),
    [(signal.SIGINT, "the whole group"), (signal.SIGTERM, "the server"), (signal.SIGTERM, "the whole group")],
    ids=["Ctrl-C", "kill", "a service manager"],
)
def test_a_signal_ends_the_server_and_all_it_started(tmp_path: Path, how: signal.Signals, whom: str) -> None:
    with running_server(tmp_path, **WITHOUT_CHANNELS) as server:
        processes = descendants(server.process.pid)
        if whom == "the server":
            os.kill(server.process.pid, how)
        else:
            os.killpg(server.process.pid, how)

        code = server.process.wait(MAX_WAIT_SECONDS)

        wait_until(lambda: not any(map(is_alive, processes)))
        assert code == 0
        assert "Traceback" not in server.output()
        assert server.output().rstrip().endswith("Stopped.")
        assert len(processes) > 2


def test_a_killed_server_leaves_nothing_behind(tmp_path: Path) -> None:
    with running_server(tmp_path, **WITHOUT_CHANNELS) as server:
        processes = descendants(server.process.pid)

        server.stop(signal.SIGKILL)

        wait_until(lambda: not any(map(is_alive, processes)))
        assert len(processes) > 2


def test_a_port_in_use_is_told_in_one_sentence(server: LocalServer, tmp_path: Path) -> None:
    port = str(httpx.URL(server.base_url).port)

    second = subprocess.run(
        [sys.executable, "-m", "local", "--port", port, "--data", str(tmp_path / "data")],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=MAX_WAIT_SECONDS,
    )

    assert second.returncode == 1
    assert second.stderr.count("\n") == 1
    assert f"Port {port}" in second.stderr
    assert "PORT=" in second.stderr
    assert "Traceback" not in second.stderr


def test_two_servers_on_one_engine_create_a_channel_once(engine: Engine, tables: str, tmp_path: Path) -> None:
    sharing = {"DYNAMODB_ENDPOINT": engine.endpoint, "DYNAMODB_TABLE_PREFIX": tables}
    body = {"url": "https://www.youtube.com/@at-once"}

    with running_server(tmp_path, **sharing) as one, running_server(tmp_path, **sharing) as other:
        addresses = [server.base_url for server in (one, other)] * 10

        def create(address: str) -> httpx.Response:
            return httpx.post(f"{address}/api/channels", json=body, timeout=MAX_WAIT_SECONDS, trust_env=False)

        with ThreadPoolExecutor(20) as threads:
            responses = list(threads.map(create, addresses))
        listed = [httpx.get(f"{server.base_url}/api/channels").json()["total"] for server in (one, other)]

    assert sorted(response.status_code for response in responses) == [201] + [400] * 19
    assert {response.text for response in responses if response.status_code == 400} == {
        '{"detail":"Channel already exists"}'
    }
    assert listed == [1, 1]
    assert settings().table_prefix == tables


def descendants(pid: int) -> set[int]:
    """The processes that any thread of a process started, directly or not."""
    threads = Path(f"/proc/{pid}/task").glob("*/children")
    children = {int(child) for thread in threads for child in thread.read_text().split()}
    return children | {below for child in children for below in _descendants_if_there(child)}


def _descendants_if_there(pid: int) -> set[int]:
    try:
        return descendants(pid)
    except (FileNotFoundError, ProcessLookupError):
        return set()


def environments_of(server: LocalServer) -> list[int]:
    """The processes that hold handlers: those forked by multiprocessing's fork server."""
    forked = [
        pid
        for pid in descendants(server.process.pid)
        if b"forkserver" in Path(f"/proc/{pid}/cmdline").read_bytes() and _parent(pid) != server.process.pid
    ]
    return sorted(forked)


def _parent(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def wait_until(condition: Any) -> None:
    deadline = time.monotonic() + MAX_WAIT_SECONDS
    while not condition():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.05)
