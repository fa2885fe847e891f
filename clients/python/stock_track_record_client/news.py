"""News about stocks, with the tone of each story."""

from datetime import datetime

from stock_track_record_client.models import IncomingNews, News, NewsPage, NewsSentiment, NewsSummary
from stock_track_record_client.pages import Pages
from stock_track_record_client.routes import Routes


class NewsRoutes(Routes):
    def news(
        self,
        *,
        tag: str | None = None,
        sentiment: NewsSentiment | None = None,
        since: datetime | None = None,
        before: datetime | None = None,
    ) -> Pages[NewsPage, News]:
        """By stock or by sentiment, newest first. Takes either `tag` or `sentiment`."""
        period = {"since": _text(since), "before": _text(before)}
        return self._list(NewsPage, News, "news", tag=tag, sentiment=sentiment, **period)

    def news_summary(self, tag: str, *, since: datetime | None = None, before: datetime | None = None) -> NewsSummary:
        """Number of stories per sentiment for a stock, day by day."""
        return self._get(NewsSummary, "news", "summary", tag=tag, since=_text(since), before=_text(before))

    def add_news(self, story: IncomingNews) -> News:
        """Adds one story by hand. One that is known is a Conflict."""
        return self._post(News, "news", body=story)


def _text(time: datetime | None) -> str | None:
    return time.isoformat() if time else None
