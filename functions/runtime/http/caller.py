"""Identifies the caller from API Gateway's authorizer. No id is ever taken from the request itself."""

import hashlib
import re
from collections.abc import Mapping
from typing import Any

from functions.runtime.text import EMAIL, MAX_EMAIL_LENGTH

OWNER = "owner"
"""Anyone who has the API token, which is shared."""
LOCAL = "local"
"""Anyone using an API without authentication."""
MAX_LENGTH = 200
JWT = "jwt"
"""The authorizer field with the JWT's claims."""


def caller_of(event: Mapping[str, Any]) -> str:
    """Returns the subject of the caller's JWT, or a fixed name where callers are not distinguished."""
    authorizer = event["requestContext"].get("authorizer")
    if not authorizer:
        return LOCAL
    if JWT not in authorizer:
        return OWNER
    subject = _subject(event)
    if not subject:
        raise ValueError("a JWT without a subject was let through")
    return subject if len(subject) <= MAX_LENGTH else _shortened(subject)


def lacks_subject(event: Mapping[str, Any]) -> bool:
    """True if the caller has a valid JWT without a subject."""
    authorizer = event["requestContext"].get("authorizer") or {}
    return JWT in authorizer and not _subject(event)


def email_of(event: Mapping[str, Any]) -> str | None:
    """Returns the e-mail address in the caller's JWT; None if it is missing or not verified by the issuer."""
    claims = _claims(event)
    email = claims.get("email")
    # API Gateway passes every claim as text.
    is_unverified = str(claims.get("email_verified", "true")).lower() == "false"
    if not isinstance(email, str) or is_unverified or len(email) > MAX_EMAIL_LENGTH:
        return None
    return email if re.fullmatch(EMAIL, email) else None


def _claims(event: Mapping[str, Any]) -> Mapping[str, Any]:
    authorizer = event["requestContext"].get("authorizer") or {}
    claims: Mapping[str, Any] = (authorizer.get(JWT) or {}).get("claims") or {}
    return claims


def _subject(event: Mapping[str, Any]) -> str:
    subject = _claims(event).get("sub")
    return str(subject) if subject and str(subject).strip() else ""


def _shortened(subject: str) -> str:
    """Unique per subject, even with a long common prefix: it is part of the key of everything a person owns."""
    digest = hashlib.sha256(subject.encode(errors="surrogatepass")).hexdigest()
    return subject[: MAX_LENGTH - len(digest)] + digest
