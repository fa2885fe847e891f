"""Identifies the caller from API Gateway's authorizer. No id is ever taken from the request itself."""

import hashlib
import re
from collections.abc import Mapping
from typing import Any

from functions.runtime.caller import Caller, Role
from functions.runtime.settings import settings
from functions.runtime.text import EMAIL, MAX_EMAIL_LENGTH, one_line

OWNER = "owner"
"""Anyone who has the API token, which is shared."""
LOCAL = "local"
"""Anyone using an API without authentication."""
SHARED = (OWNER, LOCAL)
"""Callers that are not a person, and therefore may be shown to anyone."""
MAX_LENGTH = 200
MAX_NAME_LENGTH = 80
JWT = "jwt"
"""The authorizer field with the JWT's claims."""
JWT_AUTH = ("jwt", "private")
"""The values of the setting `auth` with which callers are told apart."""
NAME_CLAIMS = ("name", "nickname")

Event = Mapping[str, Any]


def caller_of(event: Event) -> str:
    """Returns the subject of the caller's JWT, or a fixed name where callers are not distinguished."""
    authorizer = event["requestContext"].get("authorizer")
    if not authorizer:
        return LOCAL
    if JWT not in authorizer:
        return OWNER
    subject = subject_of(event)
    if not subject:
        raise ValueError("a JWT without a subject was let through")
    return subject


def subject_of(event: Event) -> str | None:
    """Returns the subject of the caller's JWT, shortened if it is long; None without one."""
    subject = _subject(event)
    return (subject if len(subject) <= MAX_LENGTH else _shortened(subject)) or None


def person_of(event: Event) -> Caller:
    """Returns the caller of a route that has a role: their id, their role and their display name."""
    role = role_of(event)
    assert role, "the resolver refuses callers without a role"
    return Caller(caller_of(event), role, _display_name(event))


def role_of(event: Event) -> Role | None:
    """Returns the highest role that the JWT names, or reader. Where callers are not told apart, everyone who gets past
    the authorizer is an admin. None if the caller is not signed in."""
    authorizer = event["requestContext"].get("authorizer")
    if authorizer and JWT in authorizer:
        named = _words(_claims(event).get(settings().jwt_role_claim))
        prefix = settings().jwt_role_prefix
        return next((role for role in reversed(Role) if f"{prefix}{role}" in named), Role.READER)
    # Open routes have no authorizer, regardless of their caller.
    return None if settings().auth in JWT_AUTH else Role.ADMIN


def lacks_subject(event: Event) -> bool:
    """True if the caller has a valid JWT without a subject."""
    authorizer = event["requestContext"].get("authorizer") or {}
    return JWT in authorizer and not _subject(event)


def shown_to(event: Event, person: str | None, name: str | None) -> str | None:
    """Returns who did something as the caller may see it: a subject is often an e-mail address, so callers who are not
    signed in get the display name, if there is one."""
    return person if person in SHARED or role_of(event) else name


def email_of(event: Event) -> str | None:
    """Returns the e-mail address in the caller's JWT; None if it is missing or the issuer says it is not verified."""
    claims = _claims(event)
    email = claims.get("email")
    # API Gateway passes every claim as text.
    is_unverified = str(claims.get("email_verified", "true")).lower() == "false"
    if not isinstance(email, str) or is_unverified or len(email) > MAX_EMAIL_LENGTH:
        return None
    return email if re.fullmatch(EMAIL, email) else None


def verified_email_of(event: Event) -> str | None:
    """Returns the e-mail address in the caller's JWT, if its issuer has verified it."""
    is_verified = str(_claims(event).get("email_verified", "")).lower() == "true"
    return email_of(event) if is_verified else None


def _claims(event: Event) -> Mapping[str, Any]:
    authorizer = event["requestContext"].get("authorizer") or {}
    claims: Mapping[str, Any] = (authorizer.get(JWT) or {}).get("claims") or {}
    return claims


def _words(claim: object) -> set[str]:
    """Returns the names in a claim. API Gateway writes a list as `[one two]`; scopes are separated by spaces."""
    return set(claim.strip("[]").split()) if isinstance(claim, str) else set()


def _display_name(event: Event) -> str | None:
    """Returns the name in the JWT, unless it is an e-mail address."""
    given = (_claims(event).get(claim) for claim in NAME_CLAIMS)
    names = (one_line(name, MAX_NAME_LENGTH) for name in given if isinstance(name, str) and "@" not in name)
    return next((name for name in names if name), None)


def _subject(event: Event) -> str:
    subject = _claims(event).get("sub")
    return str(subject) if subject and str(subject).strip() else ""


def _shortened(subject: str) -> str:
    """Unique per subject, even with a long common prefix: it is part of the key of everything a person owns."""
    digest = hashlib.sha256(subject.encode(errors="surrogatepass")).hexdigest()
    return subject[: MAX_LENGTH - len(digest)] + digest
