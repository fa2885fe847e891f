"""The secret that CloudFront adds to each request: a request without it bypassed CloudFront."""

import hmac
import time
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from typing import Any

from functions.runtime.provider_errors import ProviderError
from functions.runtime.secrets import read_secret
from functions.runtime.settings import ON_LAMBDA, ORIGIN_HEADER, settings

REREAD_AFTER_SECONDS = 60
"""A wrong value may mean that the secret was replaced, so it is read again, but no more often than this."""


def came_through_cloudfront(event: Mapping[str, Any]) -> bool:
    """True if the request has the secret, or if the API has no CloudFront; raises ProviderError if it is unreadable."""
    secret_id = settings().origin_secret_id
    presented = event.get("headers", {}).get(ORIGIN_HEADER, "")
    return secret_id is None or bool(presented and _origin_secret(secret_id).is_equal_to(presented))


class OriginSecret:
    """Read once, and again when a request presents another value."""

    def __init__(self, secret_id: str) -> None:
        self._secret_id = secret_id
        self._value: bytes | None = None
        self._read_at = 0.0

    def is_equal_to(self, presented: str) -> bool:
        given = presented.encode(errors="surrogatepass")
        if self._value is not None and hmac.compare_digest(given, self._value):
            return True
        if self._value is not None and time.monotonic() < self._read_at + REREAD_AFTER_SECONDS:
            return False
        return hmac.compare_digest(given, self.read())

    def read(self) -> bytes:
        self._value = read_secret(self._secret_id, settings().region).encode()
        self._read_at = time.monotonic()
        return self._value


@cache
def _origin_secret(secret_id: str) -> OriginSecret:
    return OriginSecret(secret_id)


if ON_LAMBDA and (_secret_id := settings().origin_secret_id):
    # A Lambda function has a full CPU during initialisation. If the read fails, the first request tries again.
    with suppress(ProviderError):
        _origin_secret(_secret_id).read()
