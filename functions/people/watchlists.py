"""A person's watchlist: the stocks and channels that they follow."""

from functions.record.models.watchlists import Watchlist
from functions.record.store.watchlists import save_watchlist, watchlist_of_user
from functions.runtime.errors import ChangedMeanwhile


def get_watchlist(user_id: str) -> Watchlist:
    """Returns an empty one with version 0 if there is none yet."""
    return watchlist_of_user(user_id, consistent=True) or Watchlist(user_id)


def put_watchlist(user_id: str, version: int, tickers: list[str], channel_ids: list[str]) -> Watchlist:
    """Replaces the version that the person saw. Idempotent, so it can be repeated after a lost response."""
    wanted = Watchlist(user_id, version + 1, tuple(dict.fromkeys(tickers)), tuple(dict.fromkeys(channel_ids)))
    if save_watchlist(wanted):
        return wanted
    present = get_watchlist(user_id)
    if present == wanted:
        return present
    stocks = ", ".join(present.tickers) or "no stocks"
    raise ChangedMeanwhile(
        f"The watchlist has been changed meanwhile: version {present.version} has {stocks} "
        f"and {len(present.channel_ids)} channels. Read it again.",
        present,
    )
