"""Filings of a company with the SEC, from EDGAR's Atom feeds.

The SEC asks for a contact in the User-Agent, and for ten requests a second at the most.
"""

from urllib.parse import urlencode

from functions.news.models import SourceType
from functions.news.protocols import FeedReading, Headline, Validators
from functions.news.sources.feeds import FeedClient
from functions.news.sources.xml_feeds import Entry, read_entries
from functions.reading.tickers import with_dash
from functions.runtime.http.json_client import RateLimit
from functions.runtime.provider_errors import NotFound
from functions.runtime.version import VERSION

BASE_URL = "https://www.sec.gov/cgi-bin/browse-edgar"
PER_SECOND = 8
"""Below the allowed ten, because a slot may be used late."""
SOURCE = "SEC EDGAR"
COUNT = 20


class EdgarFilings:
    source_type = SourceType.EDGAR
    feeds_at_once = 120
    seconds_between = 0

    def __init__(self, contact: str, base_url: str = BASE_URL, *, rate: RateLimit | None = None) -> None:
        self._base_url = base_url
        agent = f"StockTrackRecord/{VERSION} ({contact})"
        self._client = FeedClient(SOURCE, base_url, user_agent=agent, rate=rate)

    def headlines(self, ticker: str, known: Validators) -> FeedReading:
        query = {"action": "getcompany", "CIK": with_dash(ticker), "owner": "exclude", "count": COUNT, "output": "atom"}
        response = self._client.get(f"{self._base_url}?{urlencode(query)}", known)
        if response.content is None:
            return FeedReading(validators=known, is_unchanged=True)
        if b"No matching" in response.content[:5000]:
            raise NotFound(f"{SOURCE} knows no company under {ticker}.")
        entries = read_entries(response.content, response.content_type)
        problem = entries.problem or ("it is larger than is read" if response.is_cut else None)
        told = tuple(_headline(entry, ticker) for entry in entries.found)
        return FeedReading(told, Validators() if problem else response.validators, problem=problem)


def _headline(entry: Entry, ticker: str) -> Headline:
    form = next(iter(entry.categories), "")
    title = entry.fields.get("title", "").strip()
    return Headline(
        url=entry.url,
        title=f"{ticker} files {title}" if title else f"{ticker} files {form}",
        published_at=entry.published_at,
        tags=(ticker,),
        text=entry.text,
        source_name=SOURCE,
    )
