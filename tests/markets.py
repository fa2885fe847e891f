"""Stored closes for tests: a benchmark that stands still, and stocks that rise or fall from one day on."""

from collections.abc import Callable
from datetime import date, timedelta

from functions.record.models.series import Series, SeriesHeader, series_of_rows
from functions.record.prices.market import benchmark
from functions.record.store.price_series import save_series, whole_series_of

FIRST, LAST = date(2024, 1, 1), date(2025, 6, 30)


def sessions(first: date = FIRST, last: date = LAST) -> list[date]:
    """The weekdays."""
    days = (first + timedelta(number) for number in range((last - first).days + 1))
    return [day for day in days if day.weekday() < 5]


def flat(_: int) -> float:
    return 100.0


def rising(number: int) -> float:
    return 100.0 + number


def falling(number: int) -> float:
    return 1000.0 - number


def store_closes(ticker: str, close: Callable[[int], float] = flat, last: date = LAST) -> None:
    """Replaces the closes of a ticker by those of a function of the session's number."""
    header, stored = whole_series_of(ticker)
    days = sessions(last=last)
    series = series_of_rows(ticker, [(day, close(number), close(number)) for number, day in enumerate(days)])
    save_series(header or SeriesHeader(ticker, FIRST.isoformat()), series, stored or Series(ticker))


def store_benchmark(close: Callable[[int], float] = flat, last: date = LAST) -> None:
    store_closes(benchmark().ticker, close, last)
