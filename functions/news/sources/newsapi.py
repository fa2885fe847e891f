"""Headlines that name a company, from NewsAPI, which requires a key."""

import re
from typing import Any

from functions.news.models import SourceType
from functions.news.protocols import FeedReading, Headline, Validators
from functions.reading.listings import listing
from functions.runtime.http.json_client import JsonClient, RateLimit, documented_shape
from functions.runtime.http.outbound import Limits
from functions.runtime.provider_errors import Blocked, NotFound, ProviderError, QuotaUsedUp, Throttled

BASE_URL = "https://newsapi.org/v2"
PAGE_SIZE = 50
_LEGAL_FORM = re.compile(r",? (Inc|Incorporated|Corp|Corporation|Company|Co|Ltd|Limited|PLC|N\.V|S\.A)\b\.?.*$", re.I)


class NewsApi:
    source_type = SourceType.NEWSAPI
    feeds_at_once = 1
    seconds_between = 870
    """Stays below the 100 requests a day of a free key, without delaying a scheduler that fires every 15 minutes, at
    times a little early."""

    def __init__(self, key: str, base_url: str = BASE_URL, *, rate: RateLimit | None = None) -> None:
        self._base_url = base_url
        limits = Limits(read_seconds=10, total_seconds=20, bytes=3_000_000)
        self._client = JsonClient("NewsAPI", headers={"X-Api-Key": key}, limits=limits, rate=rate, explain=_explain)

    def headlines(self, ticker: str, known: Validators) -> FeedReading:
        share = listing(ticker)
        if share is None:
            raise NotFound(f"The name of {ticker} is not known.")
        name = _LEGAL_FORM.sub("", share.name).replace('"', "")
        query = {
            "q": f'"{name}"',
            "searchIn": "title",
            "language": "en",
            "sortBy": "publishedAt",
            "pageSize": str(PAGE_SIZE),
        }
        response = self._client.get_json(f"{self._base_url}/everything", query)
        with documented_shape("NewsAPI"):
            return FeedReading(tuple(_headline(article, ticker) for article in response["articles"]))


def _headline(article: dict[str, Any], ticker: str) -> Headline:
    return Headline(
        url=_text(article.get("url")),
        title=_text(article.get("title")),
        published_at=_text(article.get("publishedAt")) or None,
        tags=(ticker,),
        text=_text(article.get("description")) or None,
        source_name=_text((article.get("source") or {}).get("name")) or None,
        author=_text(article.get("author")) or None,
    )


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _explain(status: int, body: Any) -> ProviderError | None:
    match body.get("code"):
        case "apiKeyDisabled" | "apiKeyInvalid" | "apiKeyMissing":
            return Blocked("NewsAPI refuses the key that NEWSAPI_KEY names.")
        case "apiKeyExhausted" | "maximumResultsReached":
            return QuotaUsedUp("The requests of the NewsAPI key are used up.")
        case "rateLimited":
            return Throttled("NewsAPI asks us to slow down.")
    return None
