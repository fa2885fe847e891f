"""The providers that the settings choose. Each is imported on first use, because some take long to load."""

from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from functions.core.errors import InvalidSetting
from functions.core.settings import base_url, settings
from functions.providers.protocols import (
    Analyst,
    Benchmark,
    MissingSetting,
    NewsAnalyst,
    NewsSource,
    Prices,
    Transcripts,
    Videos,
)

if TYPE_CHECKING:
    from functions.providers.https import Pace
    from functions.providers.secrets import Keys


def check() -> None:
    """Creates all four, so that a missing setting is found before any work is done."""
    videos(), transcripts(), analyst(), prices()


def missing_settings() -> list[MissingSetting]:
    """The settings that the chosen providers need and do not have."""
    missing = []
    news = [partial(news_source, name) for name in settings().news_providers]
    providers: list[Callable[[], object]] = [videos, transcripts, analyst, prices, *news, news_analyst]
    for provider in providers:
        try:
            provider()
        except MissingSetting as problem:
            missing.append(problem)
    return missing


@cache
def videos() -> Videos:
    if settings().providers.videos == "demo":
        from functions.providers.demo import DemoVideos

        return DemoVideos(settings().demo_pause_seconds)
    from functions.providers.youtube import BASE_URL, YouTubeVideos

    key = _keys().get("YOUTUBE_API_KEY", "list the videos of a YouTube channel")
    return YouTubeVideos(key, _base_url("YOUTUBE_BASE_URL", BASE_URL))


@cache
def transcripts() -> Transcripts:
    if settings().providers.transcripts == "demo":
        from functions.providers.demo import DemoTranscripts

        return DemoTranscripts(settings().demo_pause_seconds)
    from functions.providers.pace import CaptionsPace
    from functions.providers.transcripts import BASE_URL, HandedInTranscripts, YouTubeTranscripts

    languages = (_keys().find("TRANSCRIPT_LANGUAGES") or "en,en-US,en-GB").split(",")
    youtube = YouTubeTranscripts(
        [language.strip() for language in languages],
        proxy_url=_keys().find("TRANSCRIPT_PROXY_URL"),
        webshare_username=_keys().find("WEBSHARE_USERNAME"),
        webshare_password=_keys().find("WEBSHARE_PASSWORD"),
        base_url=_base_url("TRANSCRIPT_BASE_URL", BASE_URL),
        pace=CaptionsPace(),
    )
    folder = _keys().find("TRANSCRIPTS_FOLDER")
    return HandedInTranscripts(Path(folder), youtube) if folder else youtube


@cache
def analyst() -> Analyst:
    return analyst_named(settings().providers.analyst)


def analyst_named(chosen: str) -> Analyst:
    if chosen == "rules":
        from functions.providers.rules import RulesAnalyst

        return RulesAnalyst(settings().call_threshold)
    temperature = _temperature()
    if chosen == "bedrock":
        from functions.providers.bedrock import BedrockAnalyst

        model = _keys().get("BEDROCK_MODEL_ID", "read transcripts with a model of Amazon Bedrock")
        return BedrockAnalyst(model, settings().region, temperature=temperature)
    from functions.providers.openai_compatible import BASE_URL, OpenAIAnalyst

    purpose = "read transcripts with an OpenAI-compatible model"
    return OpenAIAnalyst(
        _keys().get("OPENAI_API_KEY", purpose),
        _keys().get("OPENAI_MODEL", purpose),
        _base_url("OPENAI_BASE_URL", BASE_URL),
        temperature=temperature,
    )


def _temperature() -> float | None:
    """None leaves it unset: current models refuse any."""
    given = _keys().find("MODEL_TEMPERATURE")
    try:
        temperature = float(given) if given else None
    except ValueError:
        temperature = -1.0
    if temperature is not None and not 0 <= temperature <= 2:
        raise InvalidSetting(f"MODEL_TEMPERATURE must be a number from 0 to 2, not {given!r}")
    return temperature


@cache
def prices() -> Prices:
    from functions.providers.price_sources import CurrentPrices

    return CurrentPrices(_price_source(settings().providers.prices))


def _price_source(chosen: str) -> Prices:
    if chosen == "demo":
        from functions.providers.demo import DemoPrices

        return DemoPrices()
    if chosen == "tiingo":
        from functions.providers.tiingo import BASE_URL, TiingoPrices

        key = _keys().get("TIINGO_API_KEY", "fetch prices from Tiingo")
        return TiingoPrices(key, _base_url("TIINGO_BASE_URL", BASE_URL), rate=_pace("Tiingo", 2))
    from functions.providers import yahoo

    yahoo_prices = yahoo.YahooPrices(_base_url("YAHOO_BASE_URL", yahoo.BASE_URL), rate=_pace("Yahoo", 2))
    if chosen == "yahoo":
        return yahoo_prices
    from functions.providers import finnhub
    from functions.providers.price_sources import PriceSources

    key = _keys().get("FINNHUB_API_KEY", "fetch quotes from Finnhub")
    quotes = finnhub.FinnhubQuotes(key, _base_url("FINNHUB_BASE_URL", finnhub.BASE_URL), rate=_pace("Finnhub", 1))
    return PriceSources(history=yahoo_prices, quote=quotes)


@cache
def news_source(name: str) -> NewsSource:
    """One of those that NEWS_PROVIDERS names."""
    if name == "demo":
        from functions.providers.headlines.demo import DemoNews

        return DemoNews()
    if name == "newsapi":
        from functions.providers.headlines import newsapi

        key = _keys().get("NEWSAPI_KEY", "search news with NewsAPI")
        address = _base_url("NEWSAPI_BASE_URL", newsapi.BASE_URL)
        return newsapi.NewsApi(key, address, rate=_pace("NewsAPI", 1))
    if name == "edgar":
        from functions.providers.headlines import edgar

        contact = _keys().get("NEWS_CONTACT", "tell the SEC whom to write to: its EDGAR requires an e-mail address")
        address = _base_url("EDGAR_BASE_URL", edgar.BASE_URL)
        return edgar.EdgarFilings(contact, address, rate=_pace("SEC EDGAR", edgar.PER_SECOND))
    from functions.providers.headlines import yahoo_rss

    address = _base_url("YAHOO_RSS_BASE_URL", yahoo_rss.BASE_URL)
    return yahoo_rss.YahooHeadlines(address, rate=_pace("Yahoo's feeds", 2))


@cache
def news_analyst() -> NewsAnalyst:
    if settings().news_analyst == "rules":
        from functions.providers.headlines.rules import HeadlineRules

        return HeadlineRules()
    from functions.providers.headlines.bedrock import BedrockHeadlines

    model = _keys().get("BEDROCK_MODEL_ID", "read headlines with a model of Amazon Bedrock")
    return BedrockHeadlines(model, settings().region, temperature=_temperature())


def _base_url(name: str, default: str) -> str:
    given = _keys().find(name)
    return base_url(name, given) if given else default


def _pace(service: str, per_second: float) -> "Pace":
    from functions.providers.pace import SharedPace

    return SharedPace(service, per_second)


def benchmark() -> Benchmark:
    """What calls are compared with."""
    if settings().providers.prices == "demo":
        return Benchmark("^GSPC", "S&P 500", with_dividends=False)
    return Benchmark("SPY", "S&P 500", with_dividends=True)


def reset_cache() -> None:
    """For tests that change the settings."""
    for provider in (videos, transcripts, analyst, prices, news_source, news_analyst, _keys):
        provider.cache_clear()


@cache
def _keys() -> "Keys":
    from functions.providers.secrets import Keys

    return Keys(settings().keys, settings().secret_id, region=settings().region)
