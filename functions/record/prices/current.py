"""Prices of a stock: the latest, on a day, and its history."""

import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache

from functions.record.errors import PricesUnavailable
from functions.record.models.records import Stock
from functions.record.models.series import Series
from functions.record.prices.problems import problem_of
from functions.record.prices.validation import checked_series, is_price
from functions.record.sources import selection
from functions.record.sources.protocols import Quote
from functions.record.sources.selection import prices
from functions.record.store.price_series import history_of
from functions.record.store.stocks import stock_by_ticker
from functions.runtime.clock import seconds_after, timestamp
from functions.runtime.http.tokens import bears_token
from functions.runtime.observability import logger
from functions.runtime.provider_errors import Nonsense, NotFound, ProviderError, Unavailable
from functions.runtime.settings import settings

_TICKER = re.compile(r"[A-Z][A-Z0-9]{0,5}([.-][A-Z0-9]{1,3})?")


@dataclass(frozen=True, slots=True)
class StockPrice:
    ticker: str
    price: float | None = None
    updated_at: str | None = None
    as_of: str | None = None
    """The day on which it traded at that price."""
    error: str | None = None


def may_use_source(headers: Mapping[str, str]) -> bool:
    """True if this request may fetch from the price source: the demo is free, others are metered."""
    current = settings()
    if current.providers.prices == "demo" or current.metered_reads == "everyone":
        return True
    return current.metered_reads == "token" and _bears_token(headers)


def price_of(ticker: str, *, from_source: bool) -> StockPrice:
    """Returns the stored price, or fetches one if it is stale and the source may be used. Failures go in `error`."""
    if not is_ticker(ticker):
        return StockPrice(ticker, error="This is not a ticker of a US-listed share.")
    stock = stock_by_ticker(ticker)
    if stock and is_fresh(stock):
        return _stored_price(ticker, stock)
    if not from_source:
        return _stored_price(ticker, stock)
    try:
        return _recent_price(ticker, time.monotonic() // settings().price_cache_seconds)
    except ProviderError as problem:
        return StockPrice(ticker, error=str(problem))


def closes_of(ticker: str, start: date, end: date, *, from_source: bool) -> Series:
    """Returns daily closes, empty for a ticker without data. Missing ones are fetched if the source may be used."""
    if not is_ticker(ticker):
        return Series(ticker)
    header, stored = history_of(ticker, start, end)
    if not from_source or (header and header.covers(start, end)):
        return stored
    try:
        return _fetched_closes(ticker, start, end)
    except NotFound:
        return stored
    except ProviderError as problem:
        logger.warning("Closes were not fetched", ticker=ticker, problem=problem_of(problem), reason=str(problem))
        raise PricesUnavailable(str(problem)) from problem


def _fetched_closes(ticker: str, start: date, end: date) -> Series:
    last_day = min(end, selection.last_price_day())
    if start > last_day:
        return Series(ticker)
    return checked_series(ticker, prices().history(ticker, start, last_day), start, last_day)


def is_ticker(text: str) -> bool:
    return bool(_TICKER.fullmatch(text))


def price_timestamp() -> str:
    """Returns the timestamp for a price fetched now. If the source's history has ended, the end of its last day."""
    last_day = selection.last_price_day()
    current = datetime.now(UTC)
    if last_day >= current.date() - timedelta(days=1):
        return timestamp(current)
    return timestamp(datetime.combine(last_day, datetime.max.time(), UTC))


def is_fresh(stock: Stock) -> bool:
    if stock.last_price is None or stock.price_updated_at is None:
        return False
    return stock.price_updated_at > seconds_after(price_timestamp(), -settings().price_cache_seconds)


def _bears_token(headers: Mapping[str, str]) -> bool:
    """Like `bears_token`, but False if the secret cannot be read: the route is public and must still respond."""
    try:
        return bears_token(headers)
    except ProviderError:
        logger.exception("The API's token cannot be read")
        return False


def _stored_price(ticker: str, stock: Stock | None) -> StockPrice:
    if stock is None or stock.last_price is None:
        return StockPrice(ticker, error=f"No price of {ticker} is stored. A request with the API's token fetches one.")
    return StockPrice(ticker, stock.last_price, stock.price_updated_at, stock.price_as_of)


@lru_cache(maxsize=1000)
def _recent_price(ticker: str, period: float) -> StockPrice:
    """Cached in memory, because a read route may not write to the table."""
    newest = quote(ticker)
    return StockPrice(ticker, newest.price, price_timestamp(), newest.as_of.isoformat())


def quote(ticker: str) -> Quote:
    """Returns the latest price and its day. Any failure is a ProviderError."""
    try:
        newest = prices().quote(ticker)
    except ProviderError:
        raise
    except Exception:
        logger.exception("The price source failed", ticker=ticker)
        raise Unavailable(f"The price source failed unexpectedly for {ticker}.") from None
    if not is_price(newest.price):
        raise Nonsense(f"The price source returned no usable price of {ticker}.")
    if newest.as_of > datetime.now(UTC).date():
        raise Nonsense(f"The price source returned a price of {ticker} for a day to come, {newest.as_of.isoformat()}.")
    return newest
