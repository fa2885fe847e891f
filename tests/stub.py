"""A loopback HTTP server with scripted responses, so that providers are tested over a real socket."""

import json
import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit


@dataclass(frozen=True)
class Request:
    method: str
    path: str
    query: dict[str, str]
    headers: dict[str, str]
    """Names in lower case."""
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass(frozen=True)
class Response:
    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    declared_length: int | None = None
    """The value of Content-Length; more than the body has means a truncated response."""
    silent: bool = False
    """Takes the request and says nothing."""
    chunks: Iterable[bytes] | None = None
    """Instead of a body: what is sent as it is produced, without a length."""


Script = Response | Callable[[Request], Response]


def json_response(content: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    return Response(status, json.dumps(content).encode(), {"Content-Type": "application/json", **(headers or {})})


def html_response(status: int = 200) -> Response:
    return Response(status, b"<html><body>One moment please</body></html>", {"Content-Type": "text/html"})


def cut_off_response() -> Response:
    return Response(200, b'{"items": [', declared_length=5_000)


class Stub:
    """Serves the scripts of a path in turn; the last one stays. Unknown paths get 404 without JSON."""

    def __init__(self) -> None:
        self.requests: list[Request] = []
        self._scripts: dict[str, list[Script]] = {}
        self._closing = threading.Event()
        self._server = _Server(("127.0.0.1", 0), _handler(self))
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    def on(self, path: str, *scripts: Script) -> None:
        self._scripts[path] = list(scripts)

    def everywhere(self, script: Script) -> None:
        self.on("*", script)

    def respond(self, request: Request) -> Response:
        self.requests.append(request)
        scripts = self._scripts.get(request.path) or self._scripts.get("*") or [html_response(404)]
        script = scripts.pop(0) if len(scripts) > 1 else scripts[0]
        return script if isinstance(script, Response) else script(request)

    def wait_until_closing(self) -> None:
        self._closing.wait()

    def close(self) -> None:
        self._closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


class _Server(ThreadingHTTPServer):
    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that hangs up early is part of some tests."""


def _handler(stub: Stub) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            response = stub.respond(self._request())
            if response.silent:
                stub.wait_until_closing()
                return
            self.send_response(response.status)
            for name, value in response.headers.items():
                self.send_header(name, value)
            if response.chunks is not None:
                self._send_chunks(response.chunks)
                return
            length = len(response.body) if response.declared_length is None else response.declared_length
            self.send_header("Content-Length", str(length))
            self.end_headers()
            self.wfile.write(response.body)

        do_POST = do_GET

        def _send_chunks(self, chunks: Iterable[bytes]) -> None:
            self.end_headers()
            for chunk in chunks:
                self.wfile.write(chunk)
                self.wfile.flush()

        def _request(self) -> Request:
            parts = urlsplit(self.path)
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            headers = {name.lower(): value for name, value in self.headers.items()}
            query = dict(parse_qsl(parts.query, keep_blank_values=True))
            return Request(self.command, unquote(parts.path), query, headers, body)

        def log_message(self, format: str, *arguments: Any) -> None:
            """Requests are recorded by the stub; nothing is printed."""

    return Handler
