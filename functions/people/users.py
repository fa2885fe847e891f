"""The people who use the system, recorded when they visit."""

from functions.people.models import User
from functions.people.user_store import record_visit
from functions.runtime.clock import now


def visit(user_id: str, email: str | None) -> User:
    """Returns the calling user. Their last visit is recorded at most once an hour."""
    return record_visit(user_id, email, now())
