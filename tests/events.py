"""Events as API Gateway's HTTP API sends them, in payload format 2.0, and the responses of a handler to them."""

import gzip
import json
from base64 import b64decode, b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any
from urllib.parse import parse_qsl
from uuid import uuid4

from functions.routes import FALLBACK, Route, find_route
from local.environments import Context


@dataclass(frozen=True)
class Response:
    status: int
    headers: Mapping[str, str]
    """By lower-case name."""
    content: bytes
    """As the reader sees it: not base64 any more, but still compressed if it was."""

    @property
    def text(self) -> str:
        is_compressed = self.headers.get("content-encoding") == "gzip"
        return (gzip.decompress(self.content) if is_compressed else self.content).decode()

    def json(self) -> Any:
        return json.loads(self.text, parse_constant=_refuse)


def api_event(
    method: str,
    path: str,
    *,
    query: str = "",
    body: str | bytes | None = None,
    headers: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """The event of a request whose path is already decoded."""
    route = find_route(method, path)
    key = f"{route.method} {route.path}" if route else "$default"
    event: dict[str, Any] = {
        "version": "2.0",
        "routeKey": key,
        "rawPath": path,
        "rawQueryString": query,
        "headers": {
            "content-length": str(len(body or "")),
            "host": "abcdefghij.execute-api.eu-central-1.amazonaws.com",
            "user-agent": "tests",
            "x-amzn-trace-id": "Root=1-65a4f3c0-0123456789abcdef01234567",
            **{name.lower(): value for name, value in (headers or {}).items()},
        },
        "requestContext": {
            "accountId": "123456789012",
            "apiId": "abcdefghij",
            "domainName": "abcdefghij.execute-api.eu-central-1.amazonaws.com",
            "domainPrefix": "abcdefghij",
            "http": {
                "method": method,
                "path": path,
                "protocol": "HTTP/1.1",
                "sourceIp": "203.0.113.7",
                "userAgent": "tests",
            },
            "requestId": str(uuid4()),
            "routeKey": key,
            "stage": "$default",
            "time": "15/Jan/2025:08:30:00 +0000",
            "timeEpoch": 1736929800000,
        },
        "isBase64Encoded": isinstance(body, bytes),
    }
    if query:
        joined: dict[str, str] = {}
        for name, value in parse_qsl(query, keep_blank_values=True):
            joined[name] = f"{joined[name]},{value}" if name in joined else value
        event["queryStringParameters"] = joined
    if route and (match := route.pattern.match(path)) and match.groupdict():
        event["pathParameters"] = match.groupdict()
    if body:
        event["body"] = b64encode(body).decode() if isinstance(body, bytes) else body
    return event


def call(method: str, path: str, *, json_body: Any = None, **request: Any) -> Response:
    """Calls the handler of the module that the route table names for a request."""
    if json_body is not None:
        request["body"] = json.dumps(json_body)
        request["headers"] = {"content-type": "application/json", **(request.get("headers") or {})}
    route = find_route(method, path)
    return invoke(route or FALLBACK, api_event(method, path, **request))


def invoke(route: Route, event: Mapping[str, Any]) -> Response:
    response = import_module(route.import_name).handler(event, Context(route.module, timeout_seconds=10))
    # What Lambda hands over is JSON.
    response = json.loads(json.dumps(response))
    body = response.get("body") or ""
    content = b64decode(body) if response.get("isBase64Encoded") else body.encode()
    return Response(
        response["statusCode"], {name.lower(): value for name, value in response["headers"].items()}, content
    )


def _refuse(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")
