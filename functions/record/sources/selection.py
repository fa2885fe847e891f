"""The providers chosen by the settings. Each is imported on first use, because some take long to load."""

from datetime import UTC, date, datetime
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from functions.reading.analysts import analyst
from functions.record.sources.protocols import RISK_FREE_TICKER, Benchmark, Prices, Transcripts, Videos
from functions.runtime.new_york import market_day
from functions.runtime.provider_settings import provider_keys, provider_url
from functions.runtime.settings import settings

if TYPE_CHECKING:
    from functions.record.sources.prices.yahoo import YahooPrices
    from functions.runtime.http.json_client import RateLimit


def check() -> None:
    """Creates all four, so a missing setting is found before any work is done."""
    videos(), transcripts(), analyst(), prices()


@cache
def videos() -> Videos:
    if settings().providers.videos == "demo":
        from functions.record.sources.demo import DemoVideos

        return DemoVideos(settings().demo_pause_seconds)
    from functions.record.sources.youtube import BASE_URL, YouTubeVideos

    key = provider_keys().get("YOUTUBE_API_KEY", "list the videos of a YouTube channel")
    return YouTubeVideos(key, provider_url("YOUTUBE_BASE_URL", BASE_URL))


@cache
def transcripts() -> Transcripts:
    if settings().providers.transcripts == "demo":
        from functions.record.sources.demo import DemoTranscripts

        return DemoTranscripts(settings().demo_pause_seconds)
    from functions.record.sources.rate_limit import CaptionsRateLimit
    from functions.record.sources.youtube_captions import BASE_URL, TranscriptsFolder, YouTubeTranscripts

    languages = (provider_keys().find("TRANSCRIPT_LANGUAGES") or "en,en-US,en-GB").split(",")
    youtube = YouTubeTranscripts(
        [language.strip() for language in languages],
        proxy_url=provider_keys().find("TRANSCRIPT_PROXY_URL"),
        webshare_username=provider_keys().find("WEBSHARE_USERNAME"),
        webshare_password=provider_keys().find("WEBSHARE_PASSWORD"),
        base_url=provider_url("TRANSCRIPT_BASE_URL", BASE_URL),
        pace=CaptionsRateLimit(),
    )
    folder = provider_keys().find("TRANSCRIPTS_FOLDER")
    return TranscriptsFolder(Path(folder), youtube) if folder else youtube


@cache
def prices() -> Prices:
    from functions.record.sources.prices.combined import CurrentPrices, WithRiskFreeRate

    chosen = settings().providers.prices
    source = _price_source(chosen)
    return CurrentPrices(
        source if chosen == "demo" else WithRiskFreeRate(source, rates=_yahoo()),
        keeps_departed=chosen == "tiingo",
        besides=frozenset(tickers_in_every_score()),
    )


def last_price_day() -> date:
    """The last day the price source has prices for. Live sources share it, so that none of their keys is needed."""
    if settings().providers.prices == "demo":
        return prices().today()
    return market_day(datetime.now(UTC))


def _price_source(chosen: str) -> Prices:
    if chosen == "demo":
        from functions.record.sources.demo import DemoPrices

        return DemoPrices()
    if chosen == "tiingo":
        from functions.record.sources.prices.tiingo import BASE_URL, TiingoPrices

        key = provider_keys().get("TIINGO_API_KEY", "fetch prices from Tiingo")
        return TiingoPrices(key, provider_url("TIINGO_BASE_URL", BASE_URL), rate=_pace("Tiingo", 2))
    if chosen == "yahoo":
        return _yahoo()
    from functions.record.sources.prices import finnhub
    from functions.record.sources.prices.combined import PriceSources

    key = provider_keys().get("FINNHUB_API_KEY", "fetch quotes from Finnhub")
    quotes = finnhub.FinnhubQuotes(key, provider_url("FINNHUB_BASE_URL", finnhub.BASE_URL), rate=_pace("Finnhub", 1))
    return PriceSources(history=_yahoo(), quote=quotes)


def _yahoo() -> "YahooPrices":
    from functions.record.sources.prices.yahoo import BASE_URL, YahooPrices

    return YahooPrices(provider_url("YAHOO_BASE_URL", BASE_URL), rate=_pace("Yahoo", 2))


def _pace(service: str, per_second: float) -> "RateLimit":
    from functions.record.sources.rate_limit import SharedRateLimit

    return SharedRateLimit(service, per_second)


def benchmark() -> Benchmark:
    """The benchmark that calls are compared with."""
    if settings().providers.prices == "demo":
        return Benchmark("^GSPC", "S&P 500", with_dividends=False)
    return Benchmark("SPY", "S&P 500", with_dividends=True)


def tickers_in_every_score() -> tuple[str, ...]:
    """The benchmark, and the risk-free rate."""
    return benchmark().ticker, RISK_FREE_TICKER
