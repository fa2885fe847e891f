"""Real daily closes of 20 US stocks and the S&P 500 index, from a file; its last day is the demo's today."""

import csv
from bisect import bisect_left, bisect_right
from datetime import date
from functools import cache
from operator import attrgetter
from pathlib import Path

from functions.providers.protocols import Close, DailyClose, History, NotFound, Quote

_day = attrgetter("day")


SOURCE = "demo"


class DemoPrices:
    def history(self, ticker: str, start: date, end: date) -> History:
        """The file's stocks are adjusted for dividends, its index is not: a total close is the close in both."""
        if ticker.upper() not in _histories():
            raise _unknown(ticker)
        closes = tuple(DailyClose(close.day, close.price, close.price) for close in self.closes(ticker, start, end))
        return History(closes, SOURCE, currency="USD")

    def closes(self, ticker: str, start: date, end: date) -> list[Close]:
        history = _histories().get(ticker.upper(), [])
        return history[bisect_left(history, start, key=_day) : bisect_right(history, end, key=_day)]

    def quote(self, ticker: str) -> Quote:
        history = _histories().get(ticker.upper())
        if not history:
            raise _unknown(ticker)
        return Quote(history[-1].price, history[-1].day)

    def today(self) -> date:
        return max(history[-1].day for history in _histories().values())


def _unknown(ticker: str) -> NotFound:
    return NotFound(f"The demo has no prices of {ticker}. It has those of {', '.join(_histories())}.")


@cache
def _histories() -> dict[str, list[Close]]:
    """Each ticker's closes, oldest first."""
    with Path(__file__).with_name("prices.csv").open(encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    days = [date.fromisoformat(row[0]) for row in rows]
    return {
        ticker: [Close(day, float(row[column])) for day, row in zip(days, rows, strict=True)]
        for column, ticker in enumerate(header[1:], start=1)
    }
