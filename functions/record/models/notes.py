"""People's notes on a stock of a channel."""

from dataclasses import dataclass

from functions.runtime.dynamodb import tables
from functions.runtime.dynamodb.entity import Entity


@dataclass(frozen=True, slots=True)
class Note(Entity):
    id: str
    """A ULID, so that notes sort by their creation."""
    channel_id: str
    ticker: str
    text: str
    author: str
    """The id of the user who wrote it: only they may change or delete it."""
    created_at: str
    updated_at: str
    version: int = 1
    """Rises with each change, so that of two edits at once the second can be told."""

    def keys(self) -> dict[str, str]:
        return {
            **tables.note_key(self.channel_id, self.ticker, self.id),
            "GSI1PK": tables.notes_pk(self.ticker),
            "GSI1SK": f"{self.created_at}#{self.id}",
        }
