"""The risk-free rate at each session."""

import math
from collections.abc import Sequence
from datetime import date

from functions.record.models.series import Series

LOWEST, HIGHEST = -5.0, 50.0
"""Annual rates in percent beyond these are errors of the source."""
SESSIONS_A_YEAR = 252


def daily_rates(annual_percent: Series | None, sessions: Sequence[date]) -> list[float] | None:
    """Returns the fraction earned at each session: by the rate of its day, or of the last day before it that has one.

    It is zero before the first known rate. None if no session has a rate.
    """
    known = _plausible(annual_percent)
    rate, number = None, 0
    rates: list[float] = []
    for session in sessions:
        while number < len(known) and known[number][0] <= session:
            rate = known[number][1]
            number += 1
        rates.append(0.0 if rate is None else rate / 100 / SESSIONS_A_YEAR)
    return None if rate is None else rates


def _plausible(annual_percent: Series | None) -> list[tuple[date, float]]:
    if annual_percent is None:
        return []
    rows = zip(annual_percent.days, annual_percent.closes, strict=True)
    return [(day, rate) for day, rate in rows if math.isfinite(rate) and LOWEST <= rate <= HIGHEST]
