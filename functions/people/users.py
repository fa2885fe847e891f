"""The people who use the system, noted when they visit."""

from functions.people.models import User
from functions.people.user_store import record_visit
from functions.runtime.clock import now


def visit(user_id: str, email: str | None) -> User:
    """The user who is asking. When they were last here is noted once an hour at the most."""
    return record_visit(user_id, email, now())
