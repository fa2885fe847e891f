"""Queues stories for analysis, several per job."""

from collections.abc import Iterable

from functions.news.store import NewsKey
from functions.runtime.dispatch import AnalyseNews, dispatcher
from functions.runtime.dynamodb.requests import chunked

ITEMS_PER_JOB = 25


def request_analysis(keys: Iterable[NewsKey]) -> None:
    for some in chunked(keys, ITEMS_PER_JOB):
        # Source ids contain no spaces.
        dispatcher().send(AnalyseNews(tuple(" ".join(key) for key in some)))


def keys_in(items: Iterable[str]) -> list[NewsKey]:
    """Parses the keys in a job."""
    return [(source_id, timestamp) for source_id, _, timestamp in (item.partition(" ") for item in items)]
