"""Reads the tone of stories that have none yet. Repeating it is harmless, and what fails is left to the clock."""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from enum import Enum, auto

from functions.news import providers
from functions.news.jobs import keys_in
from functions.news.models import NewsItem
from functions.news.store import news_by_key, set_tone, set_tone_of_new_tags
from functions.runtime.clock import timestamp
from functions.runtime.dispatch import ScoreMentions, dispatcher
from functions.runtime.observability import describe, logger
from functions.runtime.provider_errors import ProviderError

LATE = timedelta(days=1)
"""Stories that were published longer ago may change the score of calls that have been scored."""


class Result(Enum):
    ANALYSED = auto()
    KNOWN = auto()
    """It had a tone before."""
    PENDING = auto()


def analyse_news(items: Iterable[str]) -> int:
    """Of the items that a job names; how many got their tone. What a provider could not read stays pending."""
    found = [item for key in keys_in(items) if (item := news_by_key(*key))]
    results = [(item, _analyse(item) if item.tags_to_read else Result.KNOWN) for item in found]
    _request_scores(item for item, result in results if result is not Result.PENDING)
    return sum(result is Result.ANALYSED for _, result in results)


def _analyse(item: NewsItem) -> Result:
    try:
        analyst = providers.news_analyst()
        tones = {tag: analyst.read(item.title, tag) for tag in item.tags_to_read}
    except ProviderError as problem:
        fields = {"source_id": item.source_id, **describe(problem)}
        logger.warning("News could not be analysed", extra=fields)
        return Result.PENDING
    by_tag = {tag: (tone.sentiment, tone.score) for tag, tone in tones.items()}
    if item.sentiment:
        is_new = set_tone_of_new_tags(item, by_tag, analyst.version)
    else:
        is_new = set_tone(item, *by_tag[item.matched_tags[0]], analyst.version, by_tag)
    return Result.ANALYSED if is_new else Result.KNOWN


def _request_scores(items: Iterable[NewsItem]) -> None:
    """Also for those that another worker has analysed: it may have died before it came to this."""
    before = timestamp(datetime.now(UTC) - LATE)
    late = {tag for item in items if item.timestamp < before for tag in item.matched_tags}
    if late:
        dispatcher().send(ScoreMentions(tuple(sorted(late))))
