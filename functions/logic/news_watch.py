"""Finds news that wait for their analysis, counts them, and sends them to it once more."""

from datetime import UTC, datetime, timedelta

from functions.core.clock import timestamp
from functions.logic.news_jobs import request_analysis
from functions.store.news import count_pending_news, pending_news

STUCK_AFTER = timedelta(minutes=5)
SENT_AT_ONCE = 500
"""Most items that are sent again at a look: a backlog is worked off over several."""


def resend_stuck_news() -> int:
    """How many items have waited for longer than five minutes, or were published then and have just been stored."""
    before = timestamp(datetime.now(UTC) - STUCK_AFTER)
    stuck = count_pending_news(before)
    if stuck:
        request_analysis(pending_news(before, SENT_AT_ONCE))
    return stuck
