"""Alerts: the one that a reading writes, the lists of them, and their public form."""

from collections.abc import Iterable
from datetime import date, timedelta
from functools import lru_cache
from typing import Any

from functions.reading.terms import Sentiment
from functions.record.models.alerts import Alert, AlertKind
from functions.record.models.records import StockMention, Video, address_at
from functions.runtime import ids
from functions.runtime.clock import now

ALERT_DAYS = 7
"""Calls of a video older than this appear in the feed, but no message is sent."""
RUNS_CACHED = 16
SENTIMENT_OF_SIDE = {1: Sentiment.BUY, -1: Sentiment.SELL}

Said = tuple[str, str, int]
"""When a stock was called and how: day, timestamp or empty, and side."""


def calls_alert(video: Video, new_calls: Iterable[StockMention], today: date, run_id: str | None) -> Alert | None:
    """Returns the alert for calls that a reading has found or flipped; None without any.

    Earlier calls are taken from those stored with the channel's last score, so nothing is a reversal in a channel's
    first run.
    """
    calls = list(new_calls)
    if not calls:
        return None
    # Without a run, the current time is the cache key: the stored calls may have changed since.
    said = _said_before(video.channel_id, run_id or now())
    return Alert(
        id=ids.new_alert_id(),
        channel_id=video.channel_id,
        kind=AlertKind.CALLS,
        occurred_at=video.published_time or start_of(video.published_at),
        created_at=now(),
        details=tuple(_call_detail(video, call, said.get(call.ticker, ())) for call in calls),
        video_id=video.id,
        video_title=video.title,
        undelivered=date.fromisoformat(video.published_at) >= today - timedelta(days=ALERT_DAYS),
    )


def start_of(day: str) -> str:
    return f"{day}T00:00:00.000Z"


def _call_detail(video: Video, call: StockMention, said: Iterable[Said]) -> dict[str, Any]:
    published = video.published_at, video.published_time or ""
    earlier = max((each for each in said if each[:2] < published), default=None)
    before = SENTIMENT_OF_SIDE[earlier[2]] if earlier else None
    return {
        "ticker": call.ticker,
        "sentiment": call.sentiment,
        "before": before,
        "is_reversal": before is not None and before != call.sentiment,
        "quote": call.context_snippet,
        "quote_url": address_at(video.url, call.start_seconds),
    }


@lru_cache(maxsize=RUNS_CACHED)
def _said_before(channel_id: str, run_id: str) -> dict[str, list[Said]]:
    """Returns a channel's stored calls, by ticker. Read once per run by each process."""
    # Imported here, because most videos have no calls.
    from functions.record.models.scores import unpack
    from functions.record.scores.backtests import calls_of_rows
    from functions.record.scores.kept import version
    from functions.record.store.scorecards import kept_calls_of_channel

    kept = kept_calls_of_channel(channel_id)
    said: dict[str, list[Said]] = {}
    if kept and kept.content and kept.version == version():
        for call in calls_of_rows(unpack(kept.content)):
            said.setdefault(call.ticker, []).append((call.published_at, call.published_time or "", call.side))
    return said
