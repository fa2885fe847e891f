"""Validates the data that a price source returns for a ticker. Pure, no I/O."""

from datetime import date
from itertools import pairwise

from functions.record.models.series import Series, series_of_rows
from functions.record.sources.protocols import DailyClose, History
from functions.runtime.provider_errors import Nonsense

SMALLEST, LARGEST = 1e-9, 1e12
"""Bounds of split-adjusted prices: after many reverse splits, early ones are very large."""


def checked_series(ticker: str, history: History, start: date, end: date) -> Series:
    """Returns the closes as a series; raises Nonsense that names the first invalid value.

    `end` is today or earlier, so future days are outside the period.
    """
    problem = _problem(history, start, end)
    if problem:
        raise Nonsense(f"{history.source} sent {problem} for {ticker}: nothing of it was used.")
    return series_of_rows(ticker, ((row.day, row.close, row.total_close) for row in history.closes))


def is_price(number: object) -> bool:
    return isinstance(number, int | float) and not isinstance(number, bool) and SMALLEST < number < LARGEST


def _problem(history: History, start: date, end: date) -> str | None:
    for row in history.closes:
        wrong = _wrong_number(row)
        if wrong is not None:
            return f"{_shown(wrong)} as the close of {row.day.isoformat()}"
        if not start <= row.day <= end:
            return f"{row.day.isoformat()}, a day outside {start.isoformat()} to {end.isoformat()},"
    for one, other in pairwise(history.closes):
        if one.day == other.day:
            return f"{one.day.isoformat()} twice"
        if one.day > other.day:
            return f"{other.day.isoformat()} after {one.day.isoformat()}"
    if not isinstance(history.currency, str | None):
        return f"{_shown(history.currency)} as the currency"
    wrong_split = next((split for split in history.splits if not is_price(split.ratio)), None)
    return f"{_shown(wrong_split.ratio)} as a split's ratio" if wrong_split else None


def _wrong_number(row: DailyClose) -> object | None:
    numbers: tuple[object, object] = (row.close, row.total_close)
    return next((number if number is not None else "nothing" for number in numbers if not is_price(number)), None)


def _shown(value: object) -> str:
    return repr(value)[:40]
