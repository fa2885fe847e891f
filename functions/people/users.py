"""The people who use the system, recorded when they visit."""

from functions.people.models import User
from functions.people.user_store import record_visit
from functions.record.models.audit import AuditEntry
from functions.record.store.audit import newest_audit_entries
from functions.runtime.clock import now
from functions.runtime.dynamodb.attributes import Item
from functions.runtime.dynamodb.requests import Page


def visit(user_id: str, email: str | None) -> User:
    """Returns the calling user. Their last visit is recorded at most once an hour."""
    return record_visit(user_id, email, now())


def audit_entries(start: Item | None, limit: int) -> Page[AuditEntry]:
    """Who changed what, newest first."""
    return newest_audit_entries(limit, start)
