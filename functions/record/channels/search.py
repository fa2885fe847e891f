"""Searches channels and stocks by text."""

from dataclasses import dataclass
from itertools import islice

from functions.reading.listings import all_listings, departed_listings
from functions.record.models.records import Channel, Stock
from functions.record.store.channels import every_channel
from functions.record.store.stocks import stocks_by_ticker
from functions.runtime.concurrency import run_parallel

MOST = 10
"""Maximum results of each kind."""
CANDIDATES = 100
"""Listed shares that are looked up, in one request."""


@dataclass(frozen=True, slots=True)
class Found:
    channels: list[Channel]
    stocks: list[Stock]


def search(text: str) -> Found:
    """Finds channels by part of their name or URL, and stocks by the start of their ticker or a word in their name."""
    wanted = " ".join(text.casefold().split())
    channels, stocks = run_parallel(lambda: _channels(wanted), lambda: _stocks(wanted))
    return Found(channels, stocks)


def _channels(wanted: str) -> list[Channel]:
    found = (
        channel
        for channel in every_channel()
        if not channel.deleting and (wanted in channel.name.casefold() or wanted in channel.url.casefold())
    )
    return list(islice(found, MOST))


def _stocks(wanted: str) -> list[Stock]:
    """Returns stocks that any channel has mentioned: an exact ticker first, then the largest companies."""
    shares = [*all_listings().values(), *departed_listings().values()]
    matching = [
        share.ticker
        for share in shares
        if share.ticker.casefold().startswith(wanted) or f" {wanted}" in f" {share.name.casefold()}"
    ]
    matching.sort(key=lambda ticker: ticker.casefold() != wanted)
    candidates = matching[:CANDIDATES]
    known = stocks_by_ticker(candidates)
    return [known[ticker] for ticker in candidates if ticker in known][:MOST]
