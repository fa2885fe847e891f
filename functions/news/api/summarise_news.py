"""GET /api/news/summary: the number of stories of each tone for a stock, by day."""

from functions.news.api.schemas import DayOfNews, NewsBefore, NewsSince, NewsSummary, RequiredTag, check_period
from functions.news.lists import tones_by_day
from functions.record.api.schemas import timestamp_or_none
from functions.runtime.http.resolver import create_app, create_handler

app = create_app(__name__)


@app.endpoint()
def summarise_news(tag: RequiredTag, since: NewsSince = None, before: NewsBefore = None) -> NewsSummary:
    check_period(since, before)
    days = tones_by_day(tag, timestamp_or_none(since), timestamp_or_none(before))
    return NewsSummary(tag=tag, days=[DayOfNews(date=day, **counts) for day, counts in days.items()])


handler = create_handler(app)
