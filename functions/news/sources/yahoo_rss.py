"""Headlines of a stock from Yahoo Finance's RSS, which requires no key."""

from urllib.parse import urlencode

from functions.news.models import SourceType
from functions.news.protocols import FeedReading, Headline, Validators
from functions.news.sources.feeds import FeedClient
from functions.news.sources.title_tickers import tickers_named
from functions.news.sources.xml_feeds import Entry, read_entries
from functions.reading.tickers import with_dash
from functions.runtime.http.json_client import RateLimit

BASE_URL = "https://feeds.finance.yahoo.com/rss/2.0/headline"
# Yahoo rejects clients that don't look like a browser.
USER_AGENT = "Mozilla/5.0 (compatible; StockTrackRecord)"
SOURCE = "Yahoo Finance"


class YahooHeadlines:
    source_type = SourceType.RSS
    feeds_at_once = 60
    seconds_between = 0

    def __init__(self, base_url: str = BASE_URL, *, rate: RateLimit | None = None) -> None:
        self._base_url = base_url
        self._client = FeedClient("Yahoo's feed", base_url, user_agent=USER_AGENT, rate=rate)

    def headlines(self, ticker: str, known: Validators) -> FeedReading:
        query = urlencode({"s": with_dash(ticker), "region": "US", "lang": "en-US"})
        response = self._client.get(f"{self._base_url}?{query}", known)
        if response.content is None:
            return FeedReading(validators=known, is_unchanged=True)
        entries = read_entries(response.content, response.content_type)
        problem = entries.problem or ("it is larger than is read" if response.is_cut else None)
        headlines = tuple(_headline(entry, ticker) for entry in entries.found)
        # Without validators, the next read retries the missing part.
        return FeedReading(headlines, Validators() if problem else response.validators, problem=problem)


def _headline(entry: Entry, ticker: str) -> Headline:
    title = entry.fields.get("title", "")
    return Headline(
        url=entry.url,
        title=title,
        published_at=entry.published_at,
        tags=(ticker, *tickers_named(title)),
        text=entry.text,
        source_name=entry.fields.get("source") or SOURCE,
        author=entry.fields.get("creator") or entry.fields.get("author"),
    )
