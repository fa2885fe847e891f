"""GET /api/news: the news of a stock or with a tone, newest first."""

from functions.news.api.schemas import News, NewsBefore, NewsPage, NewsSince, OfTag, OfTone, check_filters, check_period
from functions.news.lists import page_of_news
from functions.record.api.schemas import DEFAULT_LIMIT, Limit, NextToken, timestamp_or_none
from functions.runtime.http.page_tokens import page_token, start_key
from functions.runtime.http.resolver import create_app, create_handler

app = create_app(__name__)


@app.endpoint()
def list_news(
    tag: OfTag = None,
    sentiment: OfTone = None,
    since: NewsSince = None,
    before: NewsBefore = None,
    limit: Limit = None,
    next_token: NextToken = None,
) -> NewsPage:
    """Takes either `tag` or `sentiment`. A story that has not been analysed is found by its tags alone."""
    check_filters(tag, sentiment)
    check_period(since, before)
    # DynamoDB rejects a start key outside the period.
    scope = f"news/{tag}/{sentiment}/{since}/{before}"
    start = start_key(next_token, scope)
    page = page_of_news(
        tag, sentiment, timestamp_or_none(since), start, limit or DEFAULT_LIMIT, timestamp_or_none(before)
    )
    return NewsPage(items=[News.of(item) for item in page.items], nextToken=page_token(page.next_key, scope))


handler = create_handler(app)
