"""The Idempotency-Key header: the same key and request get the first response again, and nothing is done twice."""

from hashlib import sha256
from typing import Any

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.middlewares import NextMiddleware

from functions.runtime.http.caller import caller_of
from functions.runtime.http.resolver import Resolver


def once_per_key(app: Resolver, next_middleware: NextMiddleware) -> "Response[Any]":
    event = app.current_event
    key = event.headers.get("idempotency-key")
    if not key:
        return next_middleware(app)
    # Imported here: it loads Powertools' idempotency and boto3, which a request without a key does not need.
    from functions.runtime.dynamodb.idempotency_keys import respond_once

    def respond() -> dict[str, Any]:
        response = next_middleware(app)
        return {"status_code": response.status_code, "body": response.body, "headers": response.headers}

    # The caller is part of the key: nobody may receive the response to someone else's request.
    parts = (event.http_method, event.path.rstrip("/"), caller_of(event.raw_event), key)
    request = {"key": repr(parts), "body": event.body or ""}
    return Response(**respond_once(request, app.lambda_context, respond))


def request_of(app: Resolver, caller: str) -> str | None:
    """Identifies a request with an Idempotency-Key, to be stored with the write it makes: the response is recorded
    later, and the writer may crash in between. None without a key."""
    event = app.current_event
    key = event.headers.get("idempotency-key")
    return sha256(repr((caller, key, event.body)).encode()).hexdigest() if key else None
