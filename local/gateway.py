"""A local API Gateway: turns HTTP into payload-2.0 events for the route's handler, and its result into a response."""

import asyncio
import re
from base64 import b64decode, b64encode
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl
from uuid import uuid4

from functions.routes import FALLBACK, find_route
from functions.runtime.http.browser_rules import is_foreign
from functions.runtime.http.caller import JWT
from functions.runtime.http.resolver import cors_headers, error_result
from functions.runtime.observability import logger
from functions.runtime.settings import settings
from local.downloads import Download, download_of, export_path_of, send_file
from local.environments import Environments
from local.pages import Pages

if TYPE_CHECKING:
    from local.authorizer import Authorizer

OWN_NAMES = ("127.0.0.1", "localhost", "[::1]")
UNAUTHORIZED = "Unauthorized"
WRONG_NAME = "This server does not go by that name. The setting ALLOWED_HOSTS adds names."
FOREIGN_DOWNLOAD = "A web page of another origin may not download exports"
TEXT_TYPE = re.compile(r"\s*(text/|application/(json|xml|javascript|x-www-form-urlencoded)\b)", re.IGNORECASE)
MAX_BODY_BYTES = 10 * 1024 * 1024
"""API Gateway's own limit."""
MAX_BODY_SECONDS = 30.0
"""Time limit for a request's body to arrive."""

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]


class BodyTooLarge(Exception):
    """The body exceeds API Gateway's limit."""


class BodyTooSlow(Exception):
    """The body did not arrive within the time limit."""


class ClientGone(Exception):
    """The client disconnected before the request was complete, so it is not handled."""


class Gateway:
    """An ASGI application."""

    def __init__(
        self,
        environments: Environments,
        authorizer: "Authorizer | None" = None,
        max_concurrency: int = 64,
        body_seconds: float = MAX_BODY_SECONDS,
    ) -> None:
        self._environments = environments
        self._authorizer = authorizer
        self._body_seconds = body_seconds
        self._pages = Pages()
        self._waiting = ThreadPoolExecutor(max_concurrency, thread_name_prefix="gateway")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        if not is_own_name(_headers(scope["headers"])[0].get("host", "")):
            await _send(_error_response(scope, 421, WRONG_NAME), send)
            return
        try:
            body = await _read_body(scope, receive, self._body_seconds)
            response = await self._respond(scope, body)
            if isinstance(response, Download):
                await send_file(response, send)
                return
        except ClientGone:
            return
        except BodyTooLarge:
            response = _error_response(
                scope, 413, f"A request may hold {MAX_BODY_BYTES // 1024 // 1024} MB at the most"
            )
        except BodyTooSlow:
            response = _error_response(scope, 408, "The request did not arrive as a whole in time")
        await _send(response, send)

    async def _respond(self, scope: Scope, body: bytes) -> Mapping[str, Any] | Download:
        page = self._pages.respond(scope["method"], scope["path"], _headers(scope["headers"])[0])
        if page:
            return page
        loop = asyncio.get_running_loop()
        export_path = export_path_of(scope["path"])
        if export_path and scope["method"] == "GET":
            return await loop.run_in_executor(self._waiting, self._download, scope, export_path)
        if export_path and scope["method"] != "OPTIONS":
            return _only_get(scope)
        return await loop.run_in_executor(self._waiting, self._invoke, scope, body)

    def _invoke(self, scope: Scope, body: bytes) -> Mapping[str, Any]:
        route = find_route(scope["method"], scope["path"]) or FALLBACK
        event = event_of(scope, body)
        claims: dict[str, str] = {}
        if self._authorizer and not route.is_open(settings().auth):
            claims = self._authorizer.claims_of(event["headers"]) or {}
            if not claims:
                return _error_response(scope, 401, UNAUTHORIZED)
            event["requestContext"]["authorizer"] = {JWT: {"claims": claims, "scopes": None}}
        try:
            response = self._environments.invoke(route, event)
        except BrokenProcessPool:
            logger.exception("An environment died", request_id=event["requestContext"]["requestId"])
            return _error_response(scope, 500, "Internal Server Error")
        fields = {"method": scope["method"], "path": scope["path"], "status": response["statusCode"]}
        logger.info("Request", **fields, subject=claims.get("sub"))
        return response

    def _download(self, scope: Scope, export_path: str) -> Mapping[str, Any] | Download:
        """Returns the file, if the route of its export shows it to the caller."""
        headers, _ = _headers(scope["headers"])
        if is_foreign(headers):
            return _error_response(scope, 403, FOREIGN_DOWNLOAD)
        # Without its other headers the response is not compressed.
        token = [pair for pair in scope["headers"] if pair[0] == b"authorization"]
        asked = {**scope, "path": export_path, "query_string": b"", "headers": token}
        return download_of(self._invoke(asked, b""), lambda status, sentence: _error_response(scope, status, sentence))

    def stop(self) -> None:
        self._waiting.shutdown(cancel_futures=True)


def is_own_name(host: str) -> bool:
    """True if the `Host` header names this server, at any port. Refusing others prevents DNS rebinding.

    A request without one does not come from a browser, and is accepted.
    """
    name = re.sub(r":\d+\Z", "", host).lower()
    return name in ("", *OWN_NAMES, *settings().allowed_hosts)


def event_of(scope: Scope, body: bytes) -> dict[str, Any]:
    """The event that API Gateway's HTTP API sends, in payload format 2.0. It decodes the path, and so does ASGI."""
    headers, cookies = _headers(scope["headers"])
    route = find_route(scope["method"], scope["path"])
    raw_query = scope["query_string"].decode("latin-1")
    received_at = datetime.now(UTC)
    text, is_base64 = _body(body, headers.get("content-type", ""))
    match = route.pattern.match(scope["path"]) if route else None
    event: dict[str, Any] = {
        "version": "2.0",
        "routeKey": f"{route.method} {route.path}" if route else "$default",
        "rawPath": scope["path"],
        "rawQueryString": raw_query,
        "headers": headers,
        "requestContext": {
            "accountId": "000000000000",
            "apiId": "local",
            "domainName": headers.get("host", "localhost"),
            "domainPrefix": "local",
            "http": {
                "method": scope["method"],
                "path": scope["path"],
                "protocol": f"HTTP/{scope['http_version']}",
                "sourceIp": (scope.get("client") or ("127.0.0.1", 0))[0],
                "userAgent": headers.get("user-agent", ""),
            },
            "requestId": str(uuid4()),
            "routeKey": f"{route.method} {route.path}" if route else "$default",
            "stage": "$default",
            "time": received_at.strftime("%d/%b/%Y:%H:%M:%S +0000"),
            "timeEpoch": int(received_at.timestamp() * 1000),
        },
        "isBase64Encoded": is_base64,
    }
    if cookies:
        event["cookies"] = cookies
    if raw_query:
        event["queryStringParameters"] = _joined(parse_qsl(raw_query, keep_blank_values=True))
    if match and match.groupdict():
        event["pathParameters"] = match.groupdict()
    if body:
        event["body"] = text
    return event


async def _read_body(scope: Scope, receive: Receive, seconds: float) -> bytes:
    announced = dict(scope["headers"]).get(b"content-length", b"0")
    if announced.isdigit() and int(announced) > MAX_BODY_BYTES:
        raise BodyTooLarge
    try:
        async with asyncio.timeout(seconds):
            return await _received(receive)
    except TimeoutError:
        raise BodyTooSlow from None


async def _received(receive: Receive) -> bytes:
    body = bytearray()
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ClientGone
        body += message.get("body", b"")
        if len(body) > MAX_BODY_BYTES:
            raise BodyTooLarge
        if not message.get("more_body"):
            return bytes(body)


async def _send(response: Mapping[str, Any], send: Send) -> None:
    text = response.get("body") or ""
    body = b64decode(text) if response.get("isBase64Encoded") else text.encode()
    pairs = [*response["headers"].items(), *(("set-cookie", cookie) for cookie in response.get("cookies", []))]
    headers = [(name.lower().encode("latin-1"), str(value).encode("latin-1")) for name, value in pairs]
    if response["statusCode"] not in (204, 304):
        headers.append((b"content-length", str(len(body)).encode()))
    await send({"type": "http.response.start", "status": response["statusCode"], "headers": headers})
    await send({"type": "http.response.body", "body": body})


def _headers(raw: list[tuple[bytes, bytes]]) -> tuple[dict[str, str], list[str]]:
    """Lower-case header names, repeated headers joined by commas, cookies separate."""
    pairs = [(name.decode("latin-1").lower(), value.decode("latin-1")) for name, value in raw]
    cookies = [cookie.strip() for name, value in pairs if name == "cookie" for cookie in value.split(";")]
    return _joined([pair for pair in pairs if pair[0] != "cookie"]), cookies


def _joined(pairs: list[tuple[str, str]]) -> dict[str, str]:
    joined: dict[str, str] = {}
    for name, value in pairs:
        joined[name] = f"{joined[name]},{value}" if name in joined else value
    return joined


def _body(body: bytes, content_type: str) -> tuple[str, bool]:
    """API Gateway passes text bodies unchanged, and all others as base64."""
    with suppress(UnicodeDecodeError):
        if not content_type or TEXT_TYPE.match(content_type):
            return body.decode(), False
    return b64encode(body).decode(), True


def _only_get(scope: Scope) -> Mapping[str, Any]:
    response = _error_response(scope, 405, "Method Not Allowed")
    return {**response, "headers": {**response["headers"], "Allow": "GET"}}


def _error_response(scope: Scope, status: int, sentence: str) -> Mapping[str, Any]:
    """An error of the gateway itself, readable by allowed origins."""
    headers = cors_headers(dict(scope["headers"]).get(b"origin", b"").decode("latin-1"))
    if status in (408, 413, 421):
        # The rest of the request is not read, so the connection cannot be used again.
        headers["Connection"] = "close"
    return error_result(status, sentence, headers)
