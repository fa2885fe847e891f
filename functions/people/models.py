"""The people who use the system."""

from dataclasses import dataclass

from functions.runtime.dynamodb import tables
from functions.runtime.dynamodb.entity import Entity


@dataclass(frozen=True, slots=True)
class User(Entity):
    """A person who has used the system."""

    user_id: str
    """From `functions/runtime/http/caller.py`: the subject of a JWT, or a fixed name without one."""
    first_seen_at: str
    last_seen_at: str
    """To the hour."""
    email: str | None = None
    """From the token, if it has one."""

    def keys(self) -> dict[str, str]:
        key = tables.user_key(self.user_id)
        return {**key, "GSI1PK": tables.email_pk(self.email), "GSI1SK": self.user_id} if self.email else key
