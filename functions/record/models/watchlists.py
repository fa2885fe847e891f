"""A person's watchlist."""

from dataclasses import dataclass

from functions.runtime.dynamodb import tables
from functions.runtime.dynamodb.entity import Entity


@dataclass(frozen=True, slots=True)
class Watchlist(Entity):
    """The stocks and channels that a person follows."""

    user_id: str
    version: int = 0
    tickers: tuple[str, ...] = ()
    channel_ids: tuple[str, ...] = ()

    def keys(self) -> dict[str, str]:
        return {**tables.watchlist_key(self.user_id), "GSI1PK": tables.ALL_WATCHLISTS, "GSI1SK": self.user_id}
