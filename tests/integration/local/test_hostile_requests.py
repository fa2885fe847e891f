"""Requests that no honest client sends, byte for byte: each gets a clean response, and the server goes on as before."""

import gzip
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

import pytest

from local.gateway import MAX_BODY_BYTES
from tests.local_server import LocalServer, request_of, running_server

BODY = b'{"url": "nowhere"}'
LENGTH = f"Content-Length: {len(BODY)}"
CREATE = "POST /api/channels"
AS_A_PAGE = "Accept: text/html"
FRONTEND = "http://localhost:5173"
EVIL = "evil.example"
"""Stands in whatever might come back in a header."""
OUR_FAULT = "The request failed"
REFUSED_UNREAD = 400, None
"""The server hangs up while the rest is still on its way, and its response may be lost with the connection."""


@dataclass(frozen=True)
class Response:
    raw: bytes

    @property
    def status(self) -> int | None:
        return int(self.raw.split(b" ", 2)[1]) if self.raw else None

    @property
    def head(self) -> str:
        return self.raw.partition(b"\r\n\r\n")[0].decode("latin-1").lower()

    def values(self, name: str) -> list[str]:
        return [
            value for header, _, value in (line.partition(": ") for line in self.head.split("\r\n")) if header == name
        ]

    @property
    def body(self) -> bytes:
        return self.raw.partition(b"\r\n\r\n")[2]


@pytest.fixture(scope="module")
def server(scored_demo: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalServer]:
    with running_server(tmp_path_factory.mktemp("hostile"), scored_demo) as server:
        yield server


@pytest.fixture
def send(server: LocalServer) -> Iterator["Send"]:
    """Sends bytes and reads until the server hangs up. Afterwards it must be as well as before."""
    send = Send(server)
    yield send
    assert send(request_of("GET /health")).body == b'{"status":"ok"}'
    assert [line for line in server.output().splitlines() if line.startswith("Traceback") or OUR_FAULT in line] == []


class Send:
    def __init__(self, server: LocalServer) -> None:
        self._server = server

    def __call__(self, request: bytes) -> Response:
        received = b""
        with self._server.connection() as connection:
            try:
                connection.sendall(request)
                while part := connection.recv(65_536):
                    received += part
            except ConnectionError:
                pass
        response = Response(received)
        assert response.status is None or response.status < 500, response.raw
        assert EVIL not in response.head
        assert set(response.values("access-control-allow-origin")) <= {FRONTEND}
        assert "set-cookie" not in response.head
        return response


@pytest.mark.parametrize(
    "header",
    [
        "X-Long: " + "a" * 60_000,
        b"X-Bytes: \xff\xfe\x80",
        b"X-Escape: \x1b[31m",
        b"X-Folded: one\r\n two",
        "\r\n".join(f"X-{number}: {EVIL}" for number in range(2_000)),
        "Cookie: " + "a=1; " * 5_000,
        f"X-Forwarded-For: {EVIL}, ::1, \xff\r\nX-Forwarded-Host: {EVIL}\r\nX-Forwarded-Proto: javascript",
        f"Forwarded: for={EVIL};host={EVIL};proto=x",
        f"Origin: https://{EVIL}",
        f"Origin: {FRONTEND}, https://{EVIL}",
        f"Origin: {FRONTEND}.{EVIL}",
        f"Origin: {FRONTEND}\r\nOrigin: https://{EVIL}",
        "Origin: " + "http://localhost:5173" * 1_000,
        "Accept-Encoding: ;;;q=,gzip;q=x,,*;q=9999999999;gzip",
        "Accept-Encoding: " + "gzip;q=0.1," * 5_000,
        "Range: bytes=5-1,-0,x",
        "If-None-Match: *, W/\x80",
        "Upgrade: h2c\r\nHTTP2-Settings: x",
        f"X-HTTP-Method-Override: DELETE\r\nX-Original-URL: /{EVIL}",
        f"Authorization: Bearer {EVIL}{'x' * 50_000}",
        "Content-Length: 0\r\nContent-Type: ;;=\x80",
    ],
    ids=lambda header: repr(header[:24]),
)
def test_an_odd_header_is_passed_over(send: "Send", header: str | bytes) -> None:
    response = send(request_of("GET /health", header))

    assert (response.status, response.body) == (200, b'{"status":"ok"}')


@pytest.mark.parametrize(
    ("header", "statuses"),
    [
        ("X-Long: " + "a" * 1_000_000, REFUSED_UNREAD),
        ("\r\n".join(f"X-{number}: x" for number in range(20_000)), REFUSED_UNREAD),
        (b"X-Nul: a\x00b", (400,)),
        (b"X-Carriage: a\rSet-Cookie: evil.example", (400,)),
        (b"X-\xc3\xa9: a", (400,)),
        ("X-Space : a", (400,)),
        (": a", (400,)),
        ("no colon", (400,)),
        ("Host: other.example", (400,)),
        (f"Origin: {FRONTEND}\x0bSet-Cookie: x", (400,)),
    ],
    ids=lambda value: repr(value[:24]),
)
def test_a_header_that_cannot_be_one_is_refused(send: "Send", header: str | bytes, statuses: tuple[int | None]) -> None:
    assert send(request_of("GET /health", header)).status in statuses


@pytest.mark.parametrize("host", [EVIL, f'"><script>{EVIL}', "a" * 10_000, "[::1", "\xff"])
def test_a_forged_host_is_never_repeated(send: "Send", host: str) -> None:
    body = json.dumps({"url": f"youtube.com/@forged-host-{uuid4().hex}"}).encode()

    refused = send(request_of(CREATE, host=host, body=body))

    assert refused.status == 421
    assert "location" not in refused.head


@pytest.mark.parametrize(
    ("headers", "sent", "status"),
    [
        ([LENGTH, LENGTH], BODY, 422),
        ([LENGTH, "Content-Length: 5"], BODY, 400),
        (["Content-Length: -1"], BODY, 400),
        (["Content-Length: +18"], BODY, 400),
        (["Content-Length: 0x12"], BODY, 400),
        (["Content-Length: \xb2"], BODY, 400),
        (["Content-Length: " + "9" * 30], BODY, 400),
        (["Content-Length: 99999999999"], BODY, 413),
        (["Content-Length: 5"], BODY, 422),
        ([LENGTH, "Transfer-Encoding: chunked"], b"0\r\n\r\n", 422),
        ([LENGTH, "Transfer-Encoding : chunked"], BODY, 400),
        ([LENGTH, "Transfer-Encoding:\x0bchunked"], BODY, 400),
        (["Transfer-Encoding: xchunked"], BODY, 400),
        (["Transfer-Encoding: gzip, chunked"], b"0\r\n\r\n", 400),
        (["Transfer-Encoding: chunked", "Transfer-Encoding: chunked"], b"0\r\n\r\n", 400),
        (["Transfer-Encoding: chunked"], b"zz\r\n", 400),
        (["Transfer-Encoding: chunked"], b"-1\r\n\r\n", 400),
        (["Transfer-Encoding: chunked"], b"0" * 100_000 + b"1\r\n{\r\n0\r\n\r\n", 400),
        (["Transfer-Encoding: chunked"], b"1;" + b"x" * 50_000 + b"\r\n{\r\n0\r\n\r\n", 422),
        (["Transfer-Encoding: chunked"], b"12\r\n" + BODY + b"\r\n0\r\nSet-Cookie: a\r\n\r\n", 422),
        (["Expect: 200-please", LENGTH], BODY, 422),
    ],
    ids=lambda value: repr(value)[:40],
)
def test_no_way_of_telling_a_length_makes_one_request_two(
    send: "Send", headers: list[str], sent: bytes, status: int
) -> None:
    smuggled = request_of("DELETE /api/channels/x")

    response = send(request_of(CREATE, *headers) + sent + smuggled)

    assert response.status == status
    assert response.raw.count(b"HTTP/1.1 ") == 1


@pytest.mark.parametrize(
    ("line", "status"),
    [
        ("GET /" + "a" * 50_000, 404),
        ("GET /api/channels/" + "a" * 50_000, 404),
        ("GET /api/stocks/" + "a" * 50_000 + "/price", 200),
        ("GET /api/channels/" + "%F0%9F%99%82" * 4_000 + "/timeline", 404),
        ("GET /api/channels?page=" + "9" * 50_000, 422),
        ("GET /api/channels?" + "page=1&" * 8_000, 422),
        ("GET /api/channels?" + "&".join(f"a{number}=1" for number in range(5_000)), 200),
        ("GET /api/channels?%zz=%&&=&page=1;drop", 422),
        ("GET /api/channels?nextToken=%00%ff%0d%0aSet-Cookie:evil.example", 400),
        ("GET /api/channels/..%2f..%2f", 404),
        ("GET /api/channels/%0d%0aLocation:%20https:%2f%2fevil.example", 404),
        ("GET /api/stocks/%0d%0aSet-Cookie:%20evil.example/price", 200),
        ("GET /api/stocks/%00%ed%a0%80%c0%ae/price", 200),
        ("GET //api/channels", 404),
        ("GET //evil.example/%2e%2e", 404),
        ("GET /api/./channels", 404),
        ("GET /health/../api/channels", 404),
        ("GET http://evil.example/health", 404),
        ("GET http://[::1/health", 404),
        ("GET /health#fragment", 404),
        ("GET /%zz%", 404),
        ("GET /\xff\xfe", 400),
        ("GET /a b", 400),
        ("GET", 400),
        ("get /health", 405),
        ("GeT /health", 405),
        ("G\xc9T /health", 400),
        ("A" * 10_000 + " /health", 405),
        ("TRACE /health", 405),
        ("CONNECT evil.example:443", 404),
        ("OPTIONS *", 204),
    ],
    ids=lambda value: repr(value)[:40],
)
def test_a_hostile_path_or_method_is_handled_like_any_that_leads_nowhere(send: "Send", line: str, status: int) -> None:
    response = send(request_of(line))

    assert response.status == status
    assert response.values("location") == []


def test_a_path_of_100_kb_hurts_nobody(send: "Send") -> None:
    assert send(request_of("GET /" + "a" * 100_000)).status in (404, *REFUSED_UNREAD)


@pytest.mark.parametrize(
    "path",
    [
        "/../../../../etc/passwd",
        "/%2e%2e/%2e%2e/%2e%2e/%2e%2e/etc/passwd",
        "/%252e%252e/%252e%252e/etc/passwd",
        "/..%2f..%2f..%2f..%2fetc/passwd",
        "/..%5c..%5c..%5c..%5cetc%5cpasswd",
        "/..\\..\\..\\..\\etc\\passwd",
        "/%c0%ae%c0%ae/%c0%ae%c0%ae/etc/passwd",
        "/....//....//etc/passwd",
        "/assets/..;/..;/etc/passwd",
        "//etc/passwd",
        "/etc/passwd",
        "/index.html%00/../../etc/passwd",
        "file:///etc/passwd",
        "/../package.json",
        "/%2e%2e/%2e%2e/pyproject.toml",
        "/.env",
        "/../../.git/config",
    ],
)
def test_no_path_leads_to_a_file_that_is_not_the_dashboards(send: "Send", path: str) -> None:
    as_a_program, as_a_browser = send(request_of(f"GET {path}")), send(request_of(f"GET {path}", AS_A_PAGE))

    assert as_a_program.status == 404
    assert as_a_browser.status == 404 or as_a_browser.body == send(request_of("GET /", AS_A_PAGE)).body


@pytest.mark.parametrize(
    "body",
    [
        b"[" * 100_000 + b"]" * 100_000,
        b'{"url":' * 100_000 + b"1" + b"}" * 100_000,
        b'{"url": "nowhere", "url": {"url": "nowhere"}}',
        b'{"url": ' + b"9" * 1_000_000 + b"}",
        b'{"url": -1e999999999}',
        b'{"url": "youtube.com/@a", "time_range_months": 1e300}',
        b'{"url": "\xff\xfe"}',
        b'{"url": "\xed\xa0\x80"}',
        b'{"url": "\\ud83d"}',
        '{"url": "youtube.com/@a"}'.encode("utf-16"),
        b"\x00" * 1_000,
        b'{"url": "https://youtube.com/@a\\r\\nSet-Cookie: evil.example"}',
        b'{"url": "javascript://youtube.com/@a"}',
        b'{"__proto__": {"url": "youtube.com/@a"}, "constructor": 1}',
        b"<?xml version='1.0'?><!DOCTYPE a [<!ENTITY b SYSTEM 'file:///etc/passwd'>]><a>&b;</a>",
        b" " * MAX_BODY_BYTES,
        gzip.compress(b" " * 50_000_000, mtime=0),
    ],
    ids=lambda body: repr(body[:24]),
)
@pytest.mark.parametrize("kind", ["application/json", "text/html; charset=utf-7", "application/octet-stream"])
def test_a_hostile_body_is_unprocessable_whatever_it_is_called(send: "Send", body: bytes, kind: str) -> None:
    response = send(request_of(CREATE, f"Content-Type: {kind}", "Content-Encoding: gzip", body=body))

    assert response.status == 422
    assert isinstance(json.loads(response.body)["detail"], list)
    assert len(response.body) < 2_000


def test_a_body_over_the_limit_is_refused(send: "Send") -> None:
    assert send(request_of(CREATE, body=b" " * (MAX_BODY_BYTES + 1_000_000))).status in (413, None)


@pytest.mark.parametrize(
    "key",
    ["k" * 50_000, "\xff\xc3\x28", "a, b", "../x", "CHANNEL#1", "\x1b[31m", '{"PK": 1}', "%0d%0a"],
    ids=lambda key: repr(key[:12]),
)
def test_any_idempotency_key_gives_the_first_response_again(send: "Send", key: str) -> None:
    body = json.dumps({"url": f"youtube.com/@any-key-{uuid4().hex}"}).encode()

    first, again = (send(request_of(CREATE, f"Idempotency-Key: {key}", body=body)) for _ in range(2))

    assert first.status == again.status == 201
    assert first.body == again.body


def test_a_key_can_come_with_a_body_that_is_no_text(send: "Send") -> None:
    request = request_of("POST /api/channels/x/cancel", f"Idempotency-Key: {uuid4().hex}", body=b"\xff\x00\xfe")

    assert send(request).status == 404


def test_many_requests_at_once_on_one_connection_are_responded_to_in_order(send: "Send") -> None:
    lines = ["GET /health HTTP/1.1", "PUT /health HTTP/1.1", "GET /nowhere HTTP/1.1"] * 10
    pipelined = "".join(f"{line}\r\nHost: 127.0.0.1\r\n\r\n" for line in lines).encode()

    responses = send(pipelined + request_of("GET /health")).raw.split(b"HTTP/1.1 ")[1:]

    assert [int(response[:3]) for response in responses] == [200, 405, 404] * 10 + [200]
