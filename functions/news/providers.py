"""Creates the news sources and the tone analyst chosen in the settings, each imported on first use."""

from functools import cache

from functions.news.protocols import NewsAnalyst, NewsSource
from functions.runtime.provider_settings import model_temperature, provider_keys, provider_url
from functions.runtime.settings import settings


@cache
def news_source(name: str) -> NewsSource:
    """Creates one of the sources in NEWS_PROVIDERS."""
    if name == "demo":
        from functions.news.sources.demo import DemoNews

        return DemoNews()
    from functions.record.sources.rate_limit import SharedRateLimit

    if name == "newsapi":
        from functions.news.sources import newsapi

        key = provider_keys().get("NEWSAPI_KEY", "search news with NewsAPI")
        address = provider_url("NEWSAPI_BASE_URL", newsapi.BASE_URL)
        return newsapi.NewsApi(key, address, rate=SharedRateLimit("NewsAPI", 1))
    if name == "edgar":
        from functions.news.sources import edgar

        contact = provider_keys().get(
            "NEWS_CONTACT", "tell the SEC whom to write to: its EDGAR requires an e-mail address"
        )
        address = provider_url("EDGAR_BASE_URL", edgar.BASE_URL)
        return edgar.EdgarFilings(contact, address, rate=SharedRateLimit("SEC EDGAR", edgar.PER_SECOND))
    from functions.news.sources import yahoo_rss

    address = provider_url("YAHOO_RSS_BASE_URL", yahoo_rss.BASE_URL)
    return yahoo_rss.YahooHeadlines(address, rate=SharedRateLimit("Yahoo's feeds", 2))


@cache
def news_analyst() -> NewsAnalyst:
    if settings().news_analyst == "rules":
        from functions.news.tone.rules import HeadlineRules

        return HeadlineRules()
    from functions.news.tone.bedrock import BedrockHeadlines

    model = provider_keys().get("BEDROCK_MODEL_ID", "read headlines with a model on Amazon Bedrock")
    return BedrockHeadlines(model, settings().region, temperature=model_temperature())
