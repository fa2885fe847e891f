"""People's notes on a stock of a channel."""

from dataclasses import dataclass

from functions.runtime.dynamodb import tables
from functions.runtime.dynamodb.entity import Entity


@dataclass(frozen=True, slots=True)
class Note(Entity):
    id: str
    """A ULID, so notes sort by creation time."""
    channel_id: str
    ticker: str
    text: str
    author: str
    """The id of the user who wrote it; only they may change or delete it."""
    created_at: str
    updated_at: str
    version: int = 1
    """Increases with each change; used for optimistic locking."""

    def keys(self) -> dict[str, str]:
        return {
            **tables.note_key(self.channel_id, self.ticker, self.id),
            "GSI1PK": tables.notes_pk(self.ticker),
            "GSI1SK": f"{self.created_at}#{self.id}",
        }
