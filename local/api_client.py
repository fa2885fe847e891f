"""Sends requests to an API, local or deployed, for the command-line tools."""

import json
import time
from collections.abc import Mapping
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import HTTPRedirectHandler, Request, build_opener

from functions.runtime.text import one_line

TRIES = 4
LONGEST_WAIT = 60.0
REQUEST_SECONDS = 60
MAX_SHOWN = 100
"""Maximum characters of a file name or a reason."""
RETRIED = (408, 409, 429)
NO_ACCESS = (401, 403)


class CannotUse(Exception):
    """Nothing can be done; the message says why."""


class Refused(Exception):
    """The API rejected a request; the message says why."""


class ApiClient:
    def __init__(self, address: str, token: str | None = None) -> None:
        self._address = address
        self._headers = {"Authorization": f"Bearer {token}"} if token else {}
        # The token must not be sent to any other address.
        self._opener = build_opener(_NoRedirects)

    def send(
        self,
        method: str,
        path: str,
        body: bytes | None = None,
        headers: Mapping[str, str] | None = None,
        *,
        tries: int = TRIES,
    ) -> bytes:
        """Retries transient errors with backoff."""
        request = Request(self._address + path, body, {**self._headers, **(headers or {})}, method=method)
        for attempt in range(1, tries + 1):
            try:
                with self._opener.open(request, timeout=REQUEST_SECONDS) as response:
                    content: bytes = response.read()
                    return content
            except HTTPError as response:
                reason = _reason(response)
                if response.code in NO_ACCESS:
                    raise CannotUse(f"The API refuses access ({response.code}): {reason}") from None
                if attempt == tries or not (response.code in RETRIED or response.code >= 500):
                    raise Refused(reason) from None
            except (URLError, OSError, HTTPException) as problem:
                if attempt == tries:
                    why = one_line(str(getattr(problem, "reason", problem)), MAX_SHOWN)
                    raise CannotUse(f"{self._address} cannot be reached: {why}") from None
            time.sleep(min(LONGEST_WAIT, 2.0 ** (attempt - 1)))
        raise AssertionError("the last try returns or raises")

    def not_this_api(self) -> CannotUse:
        return CannotUse(f"{self._address} is not the address of this API.")


class _NoRedirects(HTTPRedirectHandler):
    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


def _reason(response: HTTPError) -> str:
    """Returns the sentence of an error, or a substitute."""
    try:
        detail = json.loads(response.read())["detail"]
        sentence = detail if isinstance(detail, str) else detail[0]["msg"]
    except (ValueError, LookupError, TypeError, OSError, HTTPException):
        sentence = f"HTTP {response.code}"
    return one_line(str(sentence), 2 * MAX_SHOWN)
