"""The time of the exchanges: a close, a video and a headline each belong to a day in New York."""

from datetime import date, datetime
from zoneinfo import ZoneInfo

NEW_YORK = ZoneInfo("America/New_York")


def market_day(moment: datetime) -> date:
    return moment.astimezone(NEW_YORK).date()
