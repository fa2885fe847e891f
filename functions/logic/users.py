"""The people who use the system, noted when they visit."""

from functions.core.clock import now
from functions.core.people import User
from functions.store.users import record_visit


def visit(user_id: str, email: str | None) -> User:
    """The user who is asking. When they were last here is noted once an hour at the most."""
    return record_visit(user_id, email, now())
