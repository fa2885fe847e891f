"""People's watchlists of stocks and channels."""

import time
from collections.abc import Iterator
from functools import lru_cache

from functions.record.models.watchlists import Watchlist
from functions.runtime.dynamodb import tables
from functions.runtime.dynamodb.attributes import encode
from functions.runtime.dynamodb.connection import main_table
from functions.runtime.dynamodb.requests import get, put_versioned, query

REUSED_SECONDS = 300


def watchlist_of_user(user_id: str, *, consistent: bool = False) -> Watchlist | None:
    item = get(main_table(), tables.watchlist_key(user_id), consistent=consistent)
    return Watchlist.from_item(item) if item else None


def all_watchlists() -> dict[str, Watchlist]:
    """By user."""
    return {watchlist.user_id: watchlist for watchlist in _every_watchlist()}


def watched_tickers() -> set[str]:
    """Returns the tickers on any watchlist."""
    return {ticker for watchlist in _every_watchlist() for ticker in watchlist.tickers}


def watched_channels() -> set[str]:
    """Returns the ids of the channels on any watchlist."""
    return {channel_id for watchlist in _every_watchlist() for channel_id in watchlist.channel_ids}


def recently_watched_channels() -> frozenset[str]:
    """Returns the same as of the last few minutes, without reading every watchlist each time."""
    return _watched_in(main_table(), int(time.time() / REUSED_SECONDS))


@lru_cache(maxsize=1)
def _watched_in(table: str, period: int) -> frozenset[str]:
    return frozenset(watched_channels())


def save_watchlist(watchlist: Watchlist) -> bool:
    """Returns False if the stored version is not the previous one, because of a concurrent change."""
    return put_versioned(watchlist.to_item(), watchlist.version - 1)


def _every_watchlist() -> Iterator[Watchlist]:
    items = query(
        TableName=main_table(),
        IndexName=tables.BY_TICKER_OR_LISTING.name,
        KeyConditionExpression="GSI1PK = :pk",
        ExpressionAttributeValues=encode({":pk": tables.ALL_WATCHLISTS}),
    )
    return map(Watchlist.from_item, items)
