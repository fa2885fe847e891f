"""Analyses the tone of stories that have none yet. Idempotent; failures are left to the scheduled job."""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from enum import Enum, auto

from functions.news import providers
from functions.news.jobs import keys_in
from functions.news.models import MAX_ATTEMPTS, NewsItem
from functions.news.store import (
    count_attempt,
    give_up_news,
    news_by_key,
    set_tone,
    set_tone_of_new_tags,
    uncount_attempt,
)
from functions.record.scoring.headlines import SHOWN_BEFORE
from functions.runtime.clock import timestamp
from functions.runtime.dispatch import ScoreMentionsOfDays, dispatcher
from functions.runtime.new_york import market_day
from functions.runtime.observability import describe, logger
from functions.runtime.provider_errors import Declined, Nonsense, ProviderError

LATE = timedelta(days=1)
"""Stories published longer ago may change calls that have been scored already."""


INTERRUPTED = f"Its analysis failed or was interrupted {MAX_ATTEMPTS} times."


class Result(Enum):
    ANALYSED = auto()
    KNOWN = auto()
    """It already had a tone."""
    PENDING = auto()


def analyse_news(items: Iterable[str]) -> int:
    """Analyses the items of a job and returns how many got a tone. Items stay pending if the provider fails."""
    found = [item for key in keys_in(items) if (item := news_by_key(*key))]
    # Those that may end this worker go last.
    found.sort(key=lambda item: item.attempts or 0)
    results = [(item, _analyse(item) if item.tags_to_read and not item.problem else Result.KNOWN) for item in found]
    _request_scores(item for item, result in results if result is not Result.PENDING)
    return sum(result is Result.ANALYSED for _, result in results)


def _analyse(item: NewsItem) -> Result:
    if (item.attempts or 0) >= MAX_ATTEMPTS:
        return _give_up(item, INTERRUPTED)
    if not count_attempt(item):
        return Result.PENDING
    try:
        analyst = providers.news_analyst()
        tones = {tag: analyst.read(item.title, tag) for tag in item.tags_to_read}
    except Exception as problem:
        return _failed(item, problem)
    by_tag = {tag: (tone.sentiment, tone.score) for tag, tone in tones.items()}
    if item.sentiment:
        is_new = set_tone_of_new_tags(item, by_tag, analyst.version)
    else:
        is_new = set_tone(item, *by_tag[item.matched_tags[0]], analyst.version, by_tag)
    return Result.ANALYSED if is_new else Result.KNOWN


def _failed(item: NewsItem, problem: Exception) -> Result:
    """Decides whether it is tried again. An unavailable provider isn't the story's fault; nonsense may be."""
    fields = {"source_id": item.source_id, **describe(problem)}
    if isinstance(problem, Declined):
        return _give_up(item, str(problem))
    if not isinstance(problem, ProviderError):
        logger.exception("News could not be analysed", extra=fields)
    else:
        logger.warning("News could not be analysed", extra=fields)
        if not isinstance(problem, Nonsense):
            uncount_attempt(item)
    return Result.PENDING


def _give_up(item: NewsItem, reason: str) -> Result:
    logger.error("A story is given up", extra={"source_id": item.source_id, "reason": reason})
    give_up_news(item, reason)
    return Result.KNOWN


def _request_scores(items: Iterable[NewsItem]) -> None:
    """Includes items analysed by another worker, which may have died before it requested scores."""
    before = timestamp(datetime.now(UTC) - LATE)
    late = [item for item in items if item.timestamp < before]
    if not late:
        return
    tags = {tag for item in late for tag in item.matched_tags}
    told = sorted(datetime.fromisoformat(item.timestamp) for item in late)
    # The days of the calls that the stories are shown or counted before. One job, so that a burst is scored once.
    first, last = market_day(told[0]), market_day(told[-1] + SHOWN_BEFORE)
    dispatcher().send(ScoreMentionsOfDays(tuple(sorted(tags)), first.isoformat(), last.isoformat()))
