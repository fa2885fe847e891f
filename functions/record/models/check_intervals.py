"""When a channel is checked for new videos. Intervals are counted in UTC, so daylight saving doesn't shift them."""

from datetime import datetime, timedelta

from functions.record.models.records import SLOWED_AFTER, CheckEvery
from functions.runtime.clock import timestamp

DAY = timedelta(days=1)
INTERVALS = {CheckEvery.DAILY: DAY, CheckEvery.WEEKLY: 7 * DAY}
SLOWED = {CheckEvery.DAILY: 7 * DAY, CheckEvery.WEEKLY: 28 * DAY}
"""For channels whose runs keep failing."""
SLOWED_IN_WORDS = {CheckEvery.DAILY: "weekly", CheckEvery.WEEKLY: "every 28 days"}
FARTHEST = max(SLOWED.values()) + DAY
"""A check scheduled further ahead than this was set by a machine whose clock was wrong."""


def interval(check_every: CheckEvery | None, failed_runs: int) -> timedelta | None:
    """Returns None if the channel is not checked."""
    return (SLOWED if failed_runs >= SLOWED_AFTER else INTERVALS).get(check_every or CheckEvery.OFF)


def next_check(after: str, check_every: CheckEvery | None, failed_runs: int) -> str | None:
    """Returns one interval after `after`, however many checks were missed before it."""
    wait = interval(check_every, failed_runs)
    return timestamp(datetime.fromisoformat(after) + wait) if wait else None


def next_check_after_run(
    after: str, check_every: CheckEvery, planned: str | None, failed_before: int, failed_now: int
) -> str | None:
    """Returns what the start of the run planned, unless the run changed how often the channel is checked."""
    if planned and interval(check_every, failed_before) == interval(check_every, failed_now):
        return planned
    return next_check(after, check_every, failed_now)
