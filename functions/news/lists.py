"""News of stocks: lists, and counts by day."""

from collections import Counter
from datetime import datetime

from functions.news.models import NewsItem, NewsStatus
from functions.news.store import page_of_sentiment, page_of_tag
from functions.record.models.tones import NewsSentiment
from functions.record.store.headlines import AFTER_ALL, tones_of_tag
from functions.runtime.dynamodb.attributes import Item
from functions.runtime.dynamodb.requests import Page
from functions.runtime.new_york import market_day


def page_of_news(
    tag: str | None,
    sentiment: NewsSentiment | None,
    since: str | None,
    start: Item | None,
    limit: int,
    before: str | None = None,
) -> Page[NewsItem]:
    """Returns the news of a tag or of a sentiment, newest first."""
    if sentiment is not None:
        return page_of_sentiment(sentiment, since, limit, start, before)
    assert tag is not None
    return page_of_tag(tag, since, limit, start, before)


def tones_by_day(tag: str, since: str | None, before: str | None = None) -> dict[str, dict[str, int]]:
    """Returns the days with news, oldest first, with the number of stories of each tone."""
    days: dict[str, Counter[str]] = {}
    for timestamp, sentiment in tones_of_tag(tag, since or "", before or AFTER_ALL):
        day = market_day(datetime.fromisoformat(timestamp)).isoformat()
        days.setdefault(day, Counter())[sentiment or NewsStatus.PENDING] += 1
    return {day: {tone: found[tone] for tone in (*NewsSentiment, NewsStatus.PENDING)} for day, found in days.items()}
