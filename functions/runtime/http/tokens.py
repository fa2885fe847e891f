"""Checks if a request carries the API token."""

import hmac
import time
from collections.abc import Mapping
from functools import lru_cache

from functions.runtime.settings import settings

TOKEN_REMEMBERED_SECONDS = 300
"""How long the authorizer may still accept a replaced token. API Gateway caches its result for as long again."""


def bears_token(headers: Mapping[str, str]) -> bool:
    """True if a request carries the API token. The secret is read only if there is a token to compare."""
    scheme, _, token = headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer":
        return False
    # A lone surrogate must not raise; no valid token contains one.
    presented = token.strip().encode(errors="surrogatepass")
    expected = _token(int(time.monotonic() // TOKEN_REMEMBERED_SECONDS)).encode()
    return hmac.compare_digest(presented, expected)


@lru_cache(maxsize=1)
def _token(period: int) -> str:
    # Imported here: public reads without a token do not need it.
    from functions.runtime.secrets import Keys

    keys = Keys({}, settings().api_token_secret_id, region=settings().region)
    return keys.get("token", "tell who may change something")
