"""The current day at the exchanges: a price belongs to a day in New York, wherever the program runs."""

from collections.abc import Callable, Iterable
from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

from functions.record.sources.protocols import DailyClose
from functions.runtime.new_york import NEW_YORK

Clock = Callable[[], datetime]


def utc_now() -> datetime:
    return datetime.now(UTC)


def day_of(epoch_seconds: float, zone: ZoneInfo = NEW_YORK) -> date:
    """Raises ValueError for zero and less, which sources send for an unknown time."""
    if epoch_seconds <= 0:
        raise ValueError("not a timestamp")
    return datetime.fromtimestamp(epoch_seconds, zone).date()


def without_later_days(closes: Iterable[DailyClose], end: date, today: date) -> tuple[DailyClose, ...]:
    """Drops days after the end that a source adds. Future days stay in, so that validation rejects them."""
    return tuple(close for close in closes if not end < close.day <= today)
