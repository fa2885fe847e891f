"""Verifies JWTs on this machine, as API Gateway's JWT authorizer does on AWS."""

import json
import time
from collections.abc import Mapping
from functools import lru_cache
from typing import Any
from urllib.request import urlopen

from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import KeySet

from functions.runtime.errors import InvalidSetting
from functions.runtime.settings import Settings

KEYS_SECONDS = 300
"""How long the issuer's keys are used before they are fetched again."""
TIMEOUT_SECONDS = 5
ALGORITHMS = ["RS256"]
HERE = ("none", "jwt", "private")


class Authorizer:
    def __init__(self, issuer: str, audience: tuple[str, ...]) -> None:
        self._issuer = issuer
        self._audience = audience
        self._expected = jwt.JWTClaimsRegistry(iss={"essential": True, "value": issuer}, exp={"essential": True})

    def claims_of(self, headers: Mapping[str, str]) -> dict[str, str] | None:
        """Returns the claims of a request's JWT as API Gateway passes them; None if it is not valid."""
        scheme, _, token = headers.get("authorization", "").partition(" ")
        if scheme.lower() != "bearer":
            return None
        try:
            keys = _keys(self._issuer, int(time.monotonic() // KEYS_SECONDS))
            claims = jwt.decode(token.strip(), keys, algorithms=ALGORITHMS).claims
            self._expected.validate(claims)
        except (JoseError, ValueError):
            return None
        audience = claims.get("aud", claims.get("client_id"))
        named = audience if isinstance(audience, list) else [audience]
        return {name: _as_text(value) for name, value in claims.items()} if {*named} & {*self._audience} else None


def authorizer_of(settings: Settings) -> Authorizer:
    if settings.auth not in HERE:
        raise InvalidSetting(f"API_AUTH must be one of {', '.join(HERE)} on this machine, not {settings.auth!r}")
    if not (settings.jwt_issuer and settings.jwt_audience):
        raise InvalidSetting(f"API_AUTH={settings.auth} needs JWT_ISSUER and JWT_AUDIENCE")
    return Authorizer(settings.jwt_issuer, settings.jwt_audience)


@lru_cache(maxsize=1)
def _keys(issuer: str, period: int) -> KeySet:
    found = _fetched(f"{issuer.rstrip('/')}/.well-known/openid-configuration")
    return KeySet.import_key_set(_fetched(found["jwks_uri"]))


def _fetched(address: str) -> Any:
    with urlopen(address, timeout=TIMEOUT_SECONDS) as response:
        return json.load(response)


def _as_text(value: Any) -> str:
    """API Gateway passes every claim as text, and a list as `[one two]`."""
    if isinstance(value, list):
        return f"[{' '.join(map(_as_text, value))}]"
    return value if isinstance(value, str) else json.dumps(value)
