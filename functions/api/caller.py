"""Who sends a request, as API Gateway has found out. No id is taken from the request itself."""

import hashlib
from collections.abc import Mapping
from typing import Any

OWNER = "owner"
"""Whoever holds the API's token: there is one for all."""
LOCAL = "local"
"""Whoever uses an API that asks for nothing."""
MAX_LENGTH = 200


def caller_of(event: Mapping[str, Any]) -> str:
    """The subject of the caller's JWT, or a word where callers are not told apart."""
    authorizer = event["requestContext"].get("authorizer")
    if not authorizer:
        return LOCAL
    claims = (authorizer.get("jwt") or {}).get("claims") or {}
    subject = str(claims.get("sub") or OWNER)
    return subject if len(subject) <= MAX_LENGTH else _shortened(subject)


def _shortened(subject: str) -> str:
    """Different for different subjects, however far they agree: what a person owns is stored under it."""
    digest = hashlib.sha256(subject.encode(errors="surrogatepass")).hexdigest()
    return subject[: MAX_LENGTH - len(digest)] + digest
