"""Which day it is at the exchanges: a price belongs to a day in New York, wherever the program runs."""

from collections.abc import Callable
from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

NEW_YORK = ZoneInfo("America/New_York")

Clock = Callable[[], datetime]


def utc_now() -> datetime:
    return datetime.now(UTC)


def market_day(moment: datetime) -> date:
    return moment.astimezone(NEW_YORK).date()


def day_of(epoch_seconds: float, zone: ZoneInfo = NEW_YORK) -> date:
    return datetime.fromtimestamp(epoch_seconds, zone).date()
