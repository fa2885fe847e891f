"""News of stocks: lists, counts by day, and stories that people add."""

from collections import Counter
from collections.abc import Iterable
from datetime import date, datetime
from zoneinfo import ZoneInfo

from functions.core.attributes import Item
from functions.core.errors import NewsAlreadyKnown, NotAccepted
from functions.core.incoming_news import IncomingNews
from functions.core.news import NewsSentiment
from functions.core.news_items import NewsItem, NewsStatus, SourceType
from functions.dispatch import AnalyseNews, dispatcher
from functions.providers.listings import listing_on
from functions.store.news import AFTER_ALL, page_of_sentiment, page_of_tag, put_news, tones_of_tag
from functions.store.requests import Page

NEW_YORK = ZoneInfo("America/New_York")


def page_of_news(
    tag: str | None,
    sentiment: NewsSentiment | None,
    since: str | None,
    before: str | None,
    start: Item | None,
    limit: int,
) -> Page[NewsItem]:
    """Of a tag or of a sentiment, newest first."""
    if sentiment is not None:
        return page_of_sentiment(sentiment, since, limit, start, before)
    assert tag is not None
    return page_of_tag(tag, since, limit, start, before)


def tones_by_day(tag: str, since: str | None, before: str | None) -> dict[str, dict[str, int]]:
    """The days with news, oldest first, and how many of each tone there were."""
    days: dict[str, Counter[str]] = {}
    for moment, sentiment in tones_of_tag(tag, since or "", before or AFTER_ALL):
        days.setdefault(_day(moment), Counter())[sentiment or NewsStatus.PENDING] += 1
    return {day: {tone: found[tone] for tone in (*NewsSentiment, NewsStatus.PENDING)} for day, found in days.items()}


def add_by_hand(story: IncomingNews) -> NewsItem:
    """NotAccepted for a tag that is no listed share, NewsAlreadyKnown for a URL that is stored."""
    tags = listed_tags(story.tags, story.published_at.date())
    if len(tags) < len(set(story.tags)):
        unknown = next(tag for tag in story.tags if listing_on(tag, story.published_at.date()) is None)
        raise NotAccepted("tags", "Give tickers of shares listed in the United States on that day", unknown)
    item = story.model_copy(update={"tags": tags}).to_item(SourceType.MANUAL)
    if not put_news(item):
        raise NewsAlreadyKnown(item.source_url)
    dispatcher().send(AnalyseNews((message_key(item),)))
    return item


def listed_tags(tags: Iterable[str], day: date) -> list[str]:
    """Tags as mentions have them: what a ticker meant on the day of publication, under the company's ticker of today.
    Those that are no listed shares are dropped."""
    return list(dict.fromkeys(share.ticker for tag in tags if (share := listing_on(tag, day))))


def message_key(item: NewsItem) -> str:
    """By which a job names an item: no source id holds a space."""
    return f"{item.source_id} {item.timestamp}"


def _day(moment: str) -> str:
    return datetime.fromisoformat(moment).astimezone(NEW_YORK).date().isoformat()
