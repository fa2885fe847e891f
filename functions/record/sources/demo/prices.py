"""Real daily closes of 20 US stocks and the S&P 500 index, from a file; its last day is the demo's today.

The rate of the 3-month Treasury bill is served the same way, as the mean of each month on its sessions.
"""

import csv
from bisect import bisect_left, bisect_right
from datetime import date
from functools import cache
from operator import attrgetter
from pathlib import Path

from functions.record.sources.protocols import DEMO_SOURCE, RISK_FREE_TICKER, DailyClose, History, Quote
from functions.runtime.provider_errors import NotFound

_day = attrgetter("day")


class DemoPrices:
    def history(self, ticker: str, start: date, end: date) -> History:
        """The file's stocks are adjusted for dividends, its index is not: a total close is the close in both."""
        closes = _closes_of(ticker)
        period = slice(bisect_left(closes, start, key=_day), bisect_right(closes, end, key=_day))
        return History(tuple(closes[period]), DEMO_SOURCE, currency="USD")

    def quote(self, ticker: str) -> Quote:
        newest = _closes_of(ticker)[-1]
        return Quote(newest.close, newest.day)

    def today(self) -> date:
        return max(history[-1].day for history in _histories().values())


def _closes_of(ticker: str) -> list[DailyClose]:
    closes = _histories().get(ticker.upper())
    if not closes:
        raise NotFound(f"The demo has no prices of {ticker}. It has those of {', '.join(_histories())}.")
    return closes


@cache
def _histories() -> dict[str, list[DailyClose]]:
    """Each ticker's closes, oldest first."""
    with Path(__file__).with_name("prices.csv").open(encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    days = [date.fromisoformat(row[0]) for row in rows]
    rates = _rates_by_month()
    monthly = [DailyClose(day, rates[f"{day:%Y-%m}"], rates[f"{day:%Y-%m}"]) for day in days]
    return {
        RISK_FREE_TICKER: monthly,
        **_closes_by_ticker(header, rows, days),
    }


@cache
def _rates_by_month() -> dict[str, float]:
    with Path(__file__).with_name("bill_rates.csv").open(encoding="utf-8", newline="") as file:
        return {row["month"]: float(row["percent"]) for row in csv.DictReader(file)}


def _closes_by_ticker(header: list[str], rows: list[list[str]], days: list[date]) -> dict[str, list[DailyClose]]:
    return {
        ticker: [
            DailyClose(day, close, close) for day, close in zip(days, (float(row[column]) for row in rows), strict=True)
        ]
        for column, ticker in enumerate(header[1:], start=1)
    }
