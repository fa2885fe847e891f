"""Checks all providers for missing settings."""

from collections.abc import Callable
from functools import partial

from functions.news.providers import news_analyst, news_source
from functions.reading.analysts import analyst, provider
from functions.record.sources.selection import prices, transcripts, videos
from functions.runtime.provider_errors import MissingSetting
from functions.runtime.provider_settings import provider_keys
from functions.runtime.settings import settings


def missing_settings() -> list[MissingSetting]:
    """Returns the settings that the selected providers need and do not have."""
    missing = []
    news = [partial(news_source, name) for name in settings().news_providers]
    providers: list[Callable[[], object]] = [videos, transcripts, analyst, prices, *news, news_analyst]
    for make in providers:
        try:
            make()
        except MissingSetting as problem:
            missing.append(problem)
    return missing


def reset_cache() -> None:
    """For tests that change the settings."""
    from functions.reading.models.ollama import installed_model

    for cached in (
        *(videos, transcripts, analyst, provider, installed_model),
        *(prices, news_source, news_analyst, provider_keys),
    ):
        cached.cache_clear()
