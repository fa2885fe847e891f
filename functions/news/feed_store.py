"""Stores the state of each news feed: when it was last read, and its cache validators."""

from collections.abc import Iterable
from contextlib import suppress

from functions.news.models import Feed
from functions.runtime.dynamodb import tables
from functions.runtime.dynamodb.connection import main_table
from functions.runtime.dynamodb.requests import ConditionNotMet, batch_get, set_and_remove, update

Place = tuple[str, str]
"""A source and a ticker."""


def feeds_by_place(places: Iterable[Place]) -> dict[Place, Feed]:
    """Returns the feeds that have been read before."""
    items = batch_get(main_table(), (tables.feed_key(source, ticker) for source, ticker in places))
    return {(feed.source, feed.ticker): feed for feed in map(Feed.from_item, items)}


def claim_feed(feed: Feed, read_before: str | None) -> bool:
    """Claims a feed with an optimistic lock on `read_at`. Returns False if another worker claimed it first."""
    values = {
        "source": feed.source,
        "ticker": feed.ticker,
        "read_at": feed.read_at,
        "problem": feed.problem,
        "expires_at": feed.expires_at,
        "entity": Feed.__name__,
    }
    condition = "#read_at = :before" if read_before else "attribute_not_exists(PK)"
    try:
        update(feed.keys(), set_and_remove(values), condition, {**values, "before": read_before})
    except ConditionNotMet:
        return False
    return True


def save_feed(feed: Feed) -> None:
    """Saves the result of a read, unless the feed has been claimed again since."""
    values = {
        "etag": feed.etag,
        "last_modified": feed.last_modified,
        "seen": feed.seen,
        "problem": feed.problem,
        "entity": Feed.__name__,
    }
    with suppress(ConditionNotMet):
        update(feed.keys(), set_and_remove(values), "#read_at = :read_at", {**values, "read_at": feed.read_at})
