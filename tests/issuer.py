"""An issuer of JWTs on this machine: its keys over HTTP, and tokens signed with them."""

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from joserfc import jwt
from joserfc.jwk import KeySet, RSAKey

AUDIENCE = "the-page"


class Issuer:
    def __init__(self) -> None:
        self.url = ""
        self.keys = KeySet([RSAKey.generate_key(2048, {"kid": "first"}, auto_kid=False)])

    def token(self, subject: str, *groups: str, key: RSAKey | None = None, **claims: Any) -> str:
        now = int(time.time())
        payload = {
            "iss": self.url,
            "aud": AUDIENCE,
            "sub": subject,
            "iat": now,
            "exp": now + 600,
            "cognito:groups": list(groups),
            **claims,
        }
        header = {"alg": "RS256", "kid": "first"}
        return jwt.encode(header, payload, key or self.keys.keys[0])

    def settings(self, auth: str) -> dict[str, str]:
        """The settings of a local server that trusts this issuer."""
        return {"API_AUTH": auth, "JWT_ISSUER": self.url, "JWT_AUDIENCE": AUDIENCE}

    def document(self, path: str) -> object:
        if path == "/keys":
            return self.keys.as_dict(private=False)
        return {"issuer": self.url, "jwks_uri": f"{self.url}/keys"}


@contextmanager
def issuer() -> Iterator[Issuer]:
    issuing = Issuer()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = json.dumps(issuing.document(self.path)).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Says nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    issuing.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield issuing
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
