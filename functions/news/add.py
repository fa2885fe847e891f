"""Stories that people add by hand."""

from collections.abc import Iterable
from datetime import date

from functions.news.errors import NewsAlreadyKnown
from functions.news.incoming import IncomingNews
from functions.news.jobs import request_analysis
from functions.news.models import NewsItem, SourceType
from functions.news.store import put_news, put_or_find, retry_news
from functions.reading.listings import listing_on
from functions.runtime.caller import OPERATOR, Caller
from functions.runtime.errors import NotAccepted
from functions.runtime.observability import logger


def add_by_hand(story: IncomingNews, by: Caller = OPERATOR) -> NewsItem:
    """Raises NotAccepted for a tag that isn't a listed share, NewsAlreadyKnown for a URL that is stored already.

    A stored story whose analysis was given up is analysed once more.
    """
    day = story.published_at.date()
    unknown = next((tag for tag in story.tags if listing_on(tag, day) is None), None)
    if unknown:
        raise NotAccepted("tags", "Give tickers of shares listed in the United States on that day", unknown)
    item = story.model_copy(update={"tags": listed_tags(story.tags, day)}).to_item(SourceType.MANUAL)
    if not put_news(item, by):
        item = _given_up(item)
    try:
        request_analysis([item.key])
    except Exception:
        # The story is stored: after an error the caller would retry and get a conflict.
        logger.exception(
            "A story was stored, but not sent to be analysed; the scheduler will send it", source_id=item.source_id
        )
    return item


def _given_up(item: NewsItem) -> NewsItem:
    """Returns the stored story of the same address, made pending again. Raises NewsAlreadyKnown if there is no need."""
    known = put_or_find(item)
    given_up = retry_news(known) if known else None
    if given_up is None:
        raise NewsAlreadyKnown(item.source_url)
    return given_up


def listed_tags(tags: Iterable[str], day: date) -> list[str]:
    """Resolves tickers as of the day of publication to today's tickers, as in mentions. Drops unlisted ones."""
    return list(dict.fromkeys(share.ticker for tag in tags if (share := listing_on(tag, day))))
