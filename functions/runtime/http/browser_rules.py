"""Protects an API without a token from web pages of other origins, which could use a visitor's browser to change data.

Browsers add `Origin` and `Sec-Fetch-Site` themselves: a page can neither omit nor forge them. Other clients, such as
curl, send neither and are not restricted.
"""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from functions.runtime.settings import settings

READS = {"GET", "HEAD", "OPTIONS"}
FOREIGN_ORIGIN = 403, "A web page of another origin may not change anything here"
NOT_JSON = 415, "Send the body as application/json"


def refusal_of(event: Mapping[str, Any], *, takes_file: bool = False) -> tuple[int, str] | None:
    """Returns the status and message to refuse a request with, or None."""
    headers = event.get("headers", {})
    if event["requestContext"]["http"]["method"] in READS:
        return None
    if is_foreign(headers):
        return FOREIGN_ORIGIN
    # A page can POST text/plain to any server without a preflight. JSON needs one, and so does a file, which is PUT.
    if event.get("body") and _is_browser(headers) and not (takes_file or _is_json(headers)):
        return NOT_JSON
    return None


def is_foreign(headers: Mapping[str, str]) -> bool:
    """True if a browser sends the request on behalf of a web page of another origin."""
    origin, site = headers.get("origin"), headers.get("sec-fetch-site")
    if origin is None:
        return site in ("cross-site", "same-site")
    if origin in settings().allowed_origins or site == "same-origin":
        return False
    # Browsers too old for Sec-Fetch-Site. Behind CloudFront, which changes the Host header, they are refused.
    return _host_of(origin) != headers.get("host")


def _host_of(origin: str) -> str | None:
    try:
        return urlsplit(origin).netloc or None
    except ValueError:
        return None


def _is_browser(headers: Mapping[str, str]) -> bool:
    return any(name == "origin" or name.startswith("sec-fetch-") for name in headers)


def _is_json(headers: Mapping[str, str]) -> bool:
    return headers.get("content-type", "").partition(";")[0].strip().lower() == "application/json"
