"""Counts the tokens of each reading, and stops reading for the day once MODEL_DAILY_TOKENS are spent."""

from datetime import UTC, datetime, timedelta

from functions.reading.analyst import TokenUsage
from functions.reading.analysts import WITHOUT_MODEL, provider
from functions.record.store.token_counts import count_tokens, tokens_of_day
from functions.runtime.provider_settings import model_daily_tokens


def count_reading(usage: TokenUsage) -> None:
    if usage.total:
        count_tokens(_now().date(), usage)


def why_reading_waits() -> str | None:
    """Returns a sentence for the channel's log while the day's tokens are spent; None if a video may be read."""
    most = None if provider() in WITHOUT_MODEL else model_daily_tokens()
    today = _now().date()
    if most is None or tokens_of_day(today).total < most:
        return None
    return (
        f"Waiting: the {most:,} tokens of today are spent (MODEL_DAILY_TOKENS). "
        f"Reading goes on at 00:00 UTC on {today + timedelta(days=1)}."
    )


def _now() -> datetime:
    return datetime.now(UTC)
