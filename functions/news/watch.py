"""Finds, counts and requeues the stories that are stuck before their analysis."""

from datetime import UTC, datetime, timedelta

from functions.news.jobs import request_analysis
from functions.news.store import count_pending_news, pending_news
from functions.runtime.clock import timestamp

STUCK_AFTER = timedelta(minutes=5)
SENT_AT_ONCE = 500
"""Maximum stories requeued per scheduled run: a backlog takes several."""


def resend_stuck_news() -> int:
    """Returns the number of stories older than five minutes without a tone, some of which may have just been stored."""
    before = timestamp(datetime.now(UTC) - STUCK_AFTER)
    stuck = count_pending_news(before)
    if stuck:
        request_analysis(pending_news(before, SENT_AT_ONCE))
    return stuck
