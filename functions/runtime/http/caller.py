"""Who sends a request, as API Gateway has found out. No id is taken from the request itself."""

import hashlib
import re
from collections.abc import Mapping
from typing import Any

from functions.runtime.text import EMAIL, MAX_EMAIL_LENGTH

OWNER = "owner"
"""Whoever holds the API's token: there is one for all."""
LOCAL = "local"
"""Whoever uses an API that asks for nothing."""
MAX_LENGTH = 200
JWT = "jwt"
"""Under which API Gateway hands over what it has read in a JWT."""


def caller_of(event: Mapping[str, Any]) -> str:
    """The subject of the caller's JWT, or a word where callers are not told apart."""
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
    """Whether the caller has a valid JWT that says of nobody that it is theirs."""
    authorizer = event["requestContext"].get("authorizer") or {}
    return JWT in authorizer and not _subject(event)


def email_of(event: Mapping[str, Any]) -> str | None:
    """The e-mail address in the caller's JWT; None where it has none, or one that the issuer has not verified."""
    claims = _claims(event)
    email = claims.get("email")
    # API Gateway hands every claim over as text.
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
    """Different for different subjects, however far they agree: what a person owns is stored under it."""
    digest = hashlib.sha256(subject.encode(errors="surrogatepass")).hexdigest()
    return subject[: MAX_LENGTH - len(digest)] + digest
