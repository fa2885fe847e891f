"""The people who use the system."""

from dataclasses import dataclass

from functions.runtime.dynamodb import tables
from functions.runtime.dynamodb.entity import Entity


@dataclass(frozen=True, slots=True)
class User(Entity):
    """Somebody who has been here."""

    user_id: str
    """As `functions/runtime/http/caller.py` finds it: the subject of a JWT, or a fixed word without one."""
    first_seen_at: str
    last_seen_at: str
    """To the hour."""
    email: str | None = None
    """From the token, where it has one."""

    def keys(self) -> dict[str, str]:
        key = tables.user_key(self.user_id)
        return {**key, "GSI1PK": tables.email_pk(self.email), "GSI1SK": self.user_id} if self.email else key
