"""Reads every news feed in full, for a plan task: some at each poll; failed feeds are retried at the next attempt."""

from functions.news.feed_store import feeds_by_place
from functions.news.ingest import ingest_news, tickers_with_news
from functions.runtime.provider_errors import Unavailable
from functions.runtime.settings import settings
from functions.runtime.text import some_of


def replay_news(since: str, retried_at: str | None) -> str | None:
    """Returns a summary of the feeds read since a timestamp and of the failures; None while some are left.

    Raises the problem of a source that refuses, and Unavailable if no feed could be read.
    """
    tick = ingest_news(since, from_scratch=True, failed_before=retried_at)
    problem = next((source.problem for source in tick.sources if source.problem), None)
    if problem:
        raise problem
    if any(source.left for source in tick.sources):
        return None
    return _outcome(since)


def _outcome(since: str) -> str:
    """Derived from the stored feeds, because several workers may have read them, and some may have died."""
    watched, others = tickers_with_news()
    places = [(name, ticker) for name in settings().news_providers for ticker in (*watched, *others)]
    feeds = feeds_by_place(places)
    tried = [feeds[place] for place in places if place in feeds and feeds[place].read_at >= since]
    failed = [feed for feed in tried if feed.problem]
    if failed and len(failed) == len(tried):
        raise Unavailable(f"None of {len(failed)} feeds of news could be read in full. The first: {failed[0].problem}")
    summary = f"Feeds of news read in full: {len(tried) - len(failed)}; not read, or only in part: {len(failed)}"
    names = some_of([f"{feed.ticker} ({feed.source})" for feed in failed])
    return f"{summary}, namely {names}." if names else f"{summary}."
