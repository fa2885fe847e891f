"""Feeds as responses: their content type, and nothing but a 304 to a reader that has the newest one."""

import hashlib
import re
from collections.abc import Callable, Mapping
from typing import Any

from aws_lambda_powertools.event_handler import Response

from functions.routes import ATOM
from functions.runtime.settings import settings

CONTENT_TYPE = f"{ATOM}; charset=utf-8"


def feed_response(event: Mapping[str, Any], make_feed: Callable[[str], str]) -> "Response[str]":
    """The feed that `make_feed` gives for its own address."""
    feed = make_feed(_own_address(event))
    # Weak, since the same feed is sent with and without compression.
    tag = f'W/"{hashlib.sha256(feed.encode()).hexdigest()[:32]}"'
    if _is_known(tag, event.get("headers", {}).get("if-none-match", "")):
        return Response(304, content_type=CONTENT_TYPE, body="", headers={"ETag": tag})
    return Response(200, content_type=CONTENT_TYPE, body=feed, headers={"ETag": tag})


def _own_address(event: Mapping[str, Any]) -> str:
    """Behind CloudFront only the path is known: the host is that of the API, which is not for callers."""
    path, host = event["rawPath"], event.get("headers", {}).get("host")
    if settings().origin_secret or not host:
        return str(path)
    is_local = bool(settings().dynamodb_endpoint)
    return f"{'http' if is_local else 'https'}://{host}{path}"


def _is_known(tag: str, if_none_match: str) -> bool:
    return if_none_match.strip() == "*" or tag.removeprefix("W/") in re.findall(r'"[^"]*"', if_none_match)
