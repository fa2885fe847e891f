"""When a session has closed in New York, and when a series is checked next. Needs no list of holidays."""

from datetime import UTC, date, datetime, time, timedelta

from functions.record.models.series import PriceProblem
from functions.runtime.new_york import NEW_YORK

CLOSE = time(16, 0)
PUBLISHED_AFTER = timedelta(minutes=30)
"""Delay after which the sources have a close."""
SETTLED_AFTER = timedelta(hours=4)
"""A weekday whose close no source has by then was a holiday, or the share was not traded."""
FIRST_PAUSE = timedelta(minutes=30)
"""Delay after the first check that found nothing; doubles with each further one."""
RETRY_PAUSE = timedelta(minutes=1)
"""The same, if the source failed."""
LONGEST_PAUSE = timedelta(days=7)
DAILY_CHECKS = 10
"""After this many checks without a new close, a share is no longer checked after each session."""
LASTING = frozenset(
    {
        PriceProblem.UNKNOWN_TICKER,
        PriceProblem.NOT_AT_SOURCE,
        PriceProblem.DEPARTED,
        PriceProblem.DELISTED,
        PriceProblem.NO_TRADING,
    }
)
"""Problems that retrying does not solve."""


def close_of(day: date) -> datetime:
    return datetime.combine(day, CLOSE, NEW_YORK).astimezone(UTC)


def last_session_day(at: datetime) -> date:
    """Returns the newest day whose session, if there was one, had closed by then."""
    local = at.astimezone(NEW_YORK)
    return local.date() if local.time() >= CLOSE else local.date() - timedelta(days=1)


def weekday_at_or_before(day: date) -> date:
    return day - timedelta(days=max(0, day.weekday() - 4))


def is_settled(day: date, as_of: datetime) -> bool:
    """True if a source that responded at `as_of` would have had the close of that day, if there was one."""
    return as_of >= close_of(weekday_at_or_before(day)) + SETTLED_AFTER


def is_current(last_day: date | None, now: datetime) -> bool:
    """True if no later close can be expected yet."""
    return last_day is not None and _next_close_expected(last_day) > now


def next_check(now: datetime, last_day: date | None, misses: int, problem: PriceProblem | None = None) -> datetime:
    """Returns when the next close is expected, if the series is current. Otherwise backs off, doubling with each miss.

    A share that may trade again, or a source that may recover, is checked after each session for some time.
    """
    if last_day is not None and problem is None and is_current(last_day, now):
        return _next_close_expected(last_day)
    first = FIRST_PAUSE if problem is None or problem in LASTING else RETRY_PAUSE
    paused = now + min(LONGEST_PAUSE, first * int(2 ** min(max(misses - 1, 0), 20)))
    gives_up = problem in LASTING or (problem is None and misses > DAILY_CHECKS)
    return paused if gives_up else min(paused, _next_close_expected(last_session_day(now - PUBLISHED_AFTER)))


def _next_close_expected(day: date) -> datetime:
    """Returns when the sources should have the close of the first weekday after that day."""
    following = day + timedelta(days=1)
    weekday = following + timedelta(days=(7 - following.weekday()) % 7 if following.weekday() > 4 else 0)
    return close_of(weekday) + PUBLISHED_AFTER
