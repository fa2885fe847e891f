"""Price sources composed of others: one of two sources, and one that maps old tickers to current ones."""

from datetime import date
from typing import Protocol

from functions.reading.listings import current_ticker, listing
from functions.record.sources.prices.market_days import Clock, utc_now
from functions.record.sources.protocols import History, Prices, Quote
from functions.runtime.new_york import market_day
from functions.runtime.provider_errors import Delisted


class Histories(Protocol):
    def history(self, ticker: str, start: date, end: date) -> History: ...


class Quotes(Protocol):
    def quote(self, ticker: str) -> Quote: ...


class PriceSources:
    def __init__(self, history: Histories, quote: Quotes, *, clock: Clock = utc_now) -> None:
        self._histories = history
        self._quotes = quote
        self._clock = clock

    def history(self, ticker: str, start: date, end: date) -> History:
        return self._histories.history(ticker, start, end)

    def quote(self, ticker: str) -> Quote:
        return self._quotes.quote(ticker)

    def today(self) -> date:
        return market_day(self._clock())


class CurrentPrices:
    """Looks up renamed companies by their new ticker, and skips delisted ones: their ticker may be reused."""

    def __init__(self, source: Prices) -> None:
        self._source = source

    def history(self, ticker: str, start: date, end: date) -> History:
        _require_listed(ticker)
        return self._source.history(current_ticker(ticker), start, end)

    def quote(self, ticker: str) -> Quote:
        _require_listed(ticker)
        return self._source.quote(current_ticker(ticker))

    def today(self) -> date:
        return self._source.today()


def _require_listed(ticker: str) -> None:
    found = listing(ticker)
    if found and found.left:
        raise Delisted(f"{ticker} ({found.name}) left the exchanges on {found.left.isoformat()}.")
