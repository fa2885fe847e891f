"""Receivers of webhooks on this machine: one that keeps what it is sent, and some that misbehave."""

import base64
import hashlib
import hmac
import json
import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest


@dataclass
class Received:
    headers: dict[str, str]
    body: bytes

    @property
    def content(self) -> dict[str, Any]:
        content: dict[str, Any] = json.loads(self.body)
        return content

    def is_signed_with(self, key: str) -> bool:
        """As docs/alerts.md tells receivers to check it."""
        secret = base64.b64decode(key.removeprefix("whsec_"))
        signed = f"{self.headers['webhook-id']}.{self.headers['webhook-timestamp']}.".encode() + self.body
        expected = "v1," + base64.b64encode(hmac.new(secret, signed, hashlib.sha256).digest()).decode()
        return hmac.compare_digest(self.headers["webhook-signature"], expected)


Behaviour = Callable[[BaseHTTPRequestHandler], None]


@dataclass
class Receiver:
    received: list[Received] = field(default_factory=list)
    status: int = 204
    behave: Behaviour | None = None
    """Instead of a response with the status."""
    url: str = ""
    lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def alert_ids(self) -> list[str]:
        return [alert["id"] for message in self.received for alert in message.content["alerts"]]


@contextmanager
def receiver(certificate: Path | None = None) -> Iterator[Receiver]:
    """With TLS, if a certificate is given with its key."""
    state = Receiver()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            headers = {name.lower(): value for name, value in self.headers.items()}
            with state.lock:
                state.received.append(Received(headers, body))
            if state.behave:
                state.behave(self)
                return
            self.send_response(state.status)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    if certificate:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
        server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    state.url = f"http{'s' if certificate else ''}://127.0.0.1:{server.server_port}/alerts?to=me"
    try:
        yield state
    finally:
        server.shutdown()
        server.server_close()


def names_are_not_resolved(monkeypatch: pytest.MonkeyPatch, host: str) -> None:
    """As when the name server does not respond; other names are resolved."""
    resolve = socket.getaddrinfo

    def fail(name: str, *arguments: Any, **options: Any) -> Any:
        if name == host:
            raise socket.gaierror(socket.EAI_AGAIN, "Temporary failure in name resolution")
        return resolve(name, *arguments, **options)

    monkeypatch.setattr(socket, "getaddrinfo", fail)
