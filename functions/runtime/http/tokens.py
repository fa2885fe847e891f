"""Whether a request carries the API's token."""

import hmac
import time
from collections.abc import Mapping
from functools import lru_cache

from functions.runtime.settings import settings

TOKEN_REMEMBERED_SECONDS = 300
"""How long the authorizer may still accept a token that was replaced. API Gateway caches its result as long again."""


def bears_token(headers: Mapping[str, str]) -> bool:
    """Whether a request carries the API's token. The secret is read only when there is something to compare."""
    scheme, _, token = headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer":
        return False
    # A lone surrogate must not raise; no token contains one.
    presented = token.strip().encode(errors="surrogatepass")
    expected = _token(int(time.monotonic() // TOKEN_REMEMBERED_SECONDS)).encode()
    return hmac.compare_digest(presented, expected)


@lru_cache(maxsize=1)
def _token(period: int) -> str:
    # Imported here: an open read without a token has no use for it.
    from functions.runtime.secrets import Keys

    keys = Keys({}, settings().api_token_secret_id, region=settings().region)
    return keys.get("token", "tell who may change something")
