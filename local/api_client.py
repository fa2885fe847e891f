"""Sends requests to an API, local or deployed, for the command-line tools."""

import json
import time
from collections.abc import Mapping

from functions.runtime.http.outbound import CannotBeSent, Limits, Response, SendError, TooSlow, send
from functions.runtime.text import one_line

TRIES = 4
LONGEST_WAIT = 60.0
LIMITS = Limits(read_seconds=60, total_seconds=600, bytes=1_000_000_000)
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

    def send(
        self,
        method: str,
        path: str,
        body: bytes | None = None,
        headers: Mapping[str, str] | None = None,
        *,
        tries: int = TRIES,
    ) -> bytes:
        """Tries again, with growing waits, what may succeed later."""
        for attempt in range(1, tries + 1):
            try:
                response = send(method, self._address + path, {**self._headers, **(headers or {})}, body, LIMITS)
            except SendError as problem:
                if attempt == tries:
                    raise CannotUse(f"{self._address} cannot be reached: {_why(problem)}") from None
            else:
                if response.status < 300:
                    return response.body
                reason = _reason(response)
                if response.status in NO_ACCESS:
                    raise CannotUse(f"The API refuses access ({response.status}): {reason}") from None
                if attempt == tries or not (response.status in RETRIED or response.status >= 500):
                    raise Refused(reason) from None
            time.sleep(min(LONGEST_WAIT, 2.0 ** (attempt - 1)))
        raise AssertionError("the last try returns or raises")

    def not_this_api(self) -> CannotUse:
        return CannotUse(f"{self._address} is not the address of this API.")


def _why(problem: SendError) -> str:
    if isinstance(problem, TooSlow):
        return "it did not respond in time"
    if isinstance(problem, CannotBeSent):
        return "it is not an address"
    return one_line(str(problem) or "the connection broke off", MAX_SHOWN)


def _reason(response: Response) -> str:
    """The sentence of an error, or its status where it has none."""
    try:
        detail = json.loads(response.body)["detail"]
        sentence = detail if isinstance(detail, str) else detail[0]["msg"]
    except (ValueError, LookupError, TypeError):
        sentence = f"HTTP {response.status}"
    return one_line(str(sentence), 2 * MAX_SHOWN)
