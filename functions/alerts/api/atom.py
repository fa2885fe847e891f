"""Atom feeds as responses, with a 304 for readers that already have the newest version."""

import hashlib
import re
from collections.abc import Callable, Mapping
from typing import Any

from aws_lambda_powertools.event_handler import Response

from functions.routes import ATOM
from functions.runtime.settings import settings

CONTENT_TYPE = f"{ATOM}; charset=utf-8"


def feed_response(event: Mapping[str, Any], make_feed: Callable[[str], str]) -> "Response[str]":
    """Responds with the feed that `make_feed` builds for its own URL."""
    feed = make_feed(_own_address(event))
    # Weak, because the same feed is sent with and without compression.
    tag = f'W/"{hashlib.sha256(feed.encode()).hexdigest()[:32]}"'
    if _is_known(tag, event.get("headers", {}).get("if-none-match", "")):
        return Response(304, content_type=CONTENT_TYPE, body="", headers={"ETag": tag})
    return Response(200, content_type=CONTENT_TYPE, body=feed, headers={"ETag": tag})


def _own_address(event: Mapping[str, Any]) -> str:
    """Behind CloudFront only the path is known: the host is the API's, which is not meant for callers."""
    path, host = event["rawPath"], event.get("headers", {}).get("host")
    if settings().origin_secret_id or not host:
        return str(path)
    is_local = bool(settings().dynamodb_endpoint)
    return f"{'http' if is_local else 'https'}://{host}{path}"


def _is_known(tag: str, if_none_match: str) -> bool:
    return if_none_match.strip() == "*" or tag.removeprefix("W/") in re.findall(r'"[^"]*"', if_none_match)
