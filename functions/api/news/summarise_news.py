"""GET /api/news/summary: how many stories of each tone a stock had on each day."""

from functions.api.news_schemas import DayOfNews, NewsBefore, NewsSince, NewsSummary, RequiredTag, check_period
from functions.api.resolver import create_app, create_handler
from functions.api.schemas import timestamp_or_none
from functions.logic.news import tones_by_day

app = create_app(__name__)


@app.endpoint()
def summarise_news(tag: RequiredTag, since: NewsSince = None, before: NewsBefore = None) -> NewsSummary:
    check_period(since, before)
    days = tones_by_day(tag, timestamp_or_none(since), timestamp_or_none(before))
    return NewsSummary(tag=tag, days=[DayOfNews(date=day, **counts) for day, counts in days.items()])


handler = create_handler(app)
