"""The exchanges' time zone: every close, video and headline belongs to a day in New York."""

from datetime import date, datetime
from zoneinfo import ZoneInfo

NEW_YORK = ZoneInfo("America/New_York")


def market_day(time: datetime) -> date:
    return time.astimezone(NEW_YORK).date()
