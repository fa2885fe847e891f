"""Finds the stories that wait for their analysis, counts them, and sends them to it again."""

from datetime import UTC, datetime, timedelta

from functions.news.jobs import request_analysis
from functions.news.store import count_pending_news, pending_news
from functions.runtime.clock import timestamp

STUCK_AFTER = timedelta(minutes=5)
SENT_AT_ONCE = 500
"""Most stories that are sent again at one tick of the clock: a backlog takes several."""


def resend_stuck_news() -> int:
    """How many stories of more than five minutes ago have no tone, though some may have been stored just now."""
    before = timestamp(datetime.now(UTC) - STUCK_AFTER)
    stuck = count_pending_news(before)
    if stuck:
        request_analysis(pending_news(before, SENT_AT_ONCE))
    return stuck
