"""One Prices made of two sources, since few of them give both a history and a live quote."""

from datetime import date
from typing import Protocol

from functions.providers.market_days import Clock, market_day, utc_now
from functions.providers.protocols import Close, Quote


class Closes(Protocol):
    def closes(self, ticker: str, start: date, end: date) -> list[Close]: ...


class Quotes(Protocol):
    def quote(self, ticker: str) -> Quote: ...


class PriceSources:
    def __init__(self, closes: Closes, quote: Quotes, *, clock: Clock = utc_now) -> None:
        self._closes = closes
        self._quotes = quote
        self._clock = clock

    def closes(self, ticker: str, start: date, end: date) -> list[Close]:
        return self._closes.closes(ticker, start, end)

    def quote(self, ticker: str) -> Quote:
        return self._quotes.quote(ticker)

    def today(self) -> date:
        return market_day(self._clock())
