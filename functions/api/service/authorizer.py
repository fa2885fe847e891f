"""Lets a request through to a route that is kept for those who bear the API's token."""

import hmac
import time
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from functions.core.settings import settings
from functions.providers.secrets import Keys
from functions.routes import TOKEN_REMEMBERED_SECONDS


def handler(event: Mapping[str, Any], context: object) -> dict[str, bool]:
    scheme, _, token = event.get("headers", {}).get("authorization", "").partition(" ")
    # Half a character is no reason to fail: it is in no token either.
    presented = token.strip().encode(errors="surrogatepass")
    expected = _token(int(time.monotonic() // TOKEN_REMEMBERED_SECONDS)).encode()
    return {"isAuthorized": scheme.lower() == "bearer" and hmac.compare_digest(presented, expected)}


@lru_cache(maxsize=1)
def _token(period: int) -> str:
    keys = Keys({}, settings().api_token_secret_id, region=settings().region)
    return keys.get("token", "tell who may change something")
