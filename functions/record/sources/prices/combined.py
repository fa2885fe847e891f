"""Price sources composed of others: of two, with the risk-free rate, and with old tickers mapped to current ones."""

from collections.abc import Collection
from dataclasses import replace
from datetime import date
from typing import Protocol

from functions.reading.listings import FORMER, Listing, current_ticker, listing
from functions.record.sources.prices.market_days import Clock, utc_now
from functions.record.sources.protocols import RISK_FREE_TICKER, History, Prices, Quote
from functions.runtime.new_york import market_day
from functions.runtime.provider_errors import Delisted, UnknownTicker


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


class WithRiskFreeRate:
    """Takes the risk-free rate from a source that has it, whichever source the prices come from."""

    def __init__(self, prices: Prices, rates: Histories) -> None:
        self._prices = prices
        self._rates = rates

    def history(self, ticker: str, start: date, end: date) -> History:
        if ticker != RISK_FREE_TICKER:
            return self._prices.history(ticker, start, end)
        history = self._rates.history(ticker, start, end)
        # Stored closes are above zero; a day without a rate has the one before it.
        return replace(history, closes=tuple(row for row in history.closes if row.close > 0))

    def quote(self, ticker: str) -> Quote:
        return self._prices.quote(ticker)

    def today(self) -> date:
        return self._prices.today()


class CurrentPrices:
    """Requests a share by its current ticker, and only one that a list of US shares has: another company may use the
    ticker of a share that has left."""

    def __init__(self, source: Prices, *, keeps_departed: bool = False, besides: Collection[str] = ()) -> None:
        """With `keeps_departed`, the source has the closes of shares that have left. It is asked for the tickers
        `besides`, such as the benchmark, although they are not shares."""
        self._source = source
        self._keeps_departed = keeps_departed
        self._besides = besides

    def history(self, ticker: str, start: date, end: date) -> History:
        share = self._share(ticker)
        if share is None or share.left is None:
            return self._source.history(current_ticker(ticker), start, end)
        if not self._keeps_departed or _is_reused(share):
            raise _delisted(share)
        history = self._source.history(share.ticker, start, end)
        # Later closes are another company's, or those of trading outside the exchanges.
        closes = tuple(row for row in history.closes if row.day <= share.left)
        if not closes:
            raise _delisted(share)
        return replace(history, closes=closes)

    def quote(self, ticker: str) -> Quote:
        share = self._share(ticker)
        if share and share.left:
            raise _delisted(share)
        return self._source.quote(current_ticker(ticker))

    def today(self) -> date:
        return self._source.today()

    def _share(self, ticker: str) -> Listing | None:
        share = listing(ticker)
        if share is None and ticker not in self._besides:
            raise UnknownTicker(f"No list of US shares has {ticker}.")
        return share


def _is_reused(share: Listing) -> bool:
    return share.ticker.endswith(FORMER)


def _delisted(share: Listing) -> Delisted:
    return Delisted(f"{share.ticker} ({share.name}) left the exchanges on {share.left}.")
