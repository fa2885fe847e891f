"""The person on whose behalf something is changed, and what their role allows."""

from dataclasses import dataclass
from enum import StrEnum


class Role(StrEnum):
    """In ascending order: each may do what those before it may."""

    READER = "reader"
    """Has settings, a watchlist, alerts and exports of their own."""
    EDITOR = "editor"
    """Adds and processes channels, reviews calls, writes notes and plans."""
    ADMIN = "admin"
    """Deletes and imports, changes shared settings, and may change what others made."""

    def includes(self, needed: "Role") -> bool:
        ranks = list(Role)
        return ranks.index(self) >= ranks.index(needed)


@dataclass(frozen=True, slots=True)
class Caller:
    id: str
    """The subject of a JWT, or a fixed name where callers are not distinguished."""
    role: Role = Role.ADMIN
    name: str | None = None
    """The display name, which anyone may see."""

    def controls(self, owner: str | None) -> bool:
        """True for what they made themselves; an admin controls everything."""
        return self.id == owner or self.role is Role.ADMIN


OPERATOR = Caller("operator")
"""The programs that run beside the API."""
