"""Prices: of a stock now and over time, kept fresh, and filled in where a mention has none yet."""

import math
import re
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache

from functions.core.clock import now, seconds_from_now
from functions.core.concurrency import together
from functions.core.errors import PricesUnavailable
from functions.core.models import LogLevel, Stock
from functions.core.observability import logger
from functions.core.settings import settings
from functions.logic.channels import get_channel, known
from functions.providers.dispatch import BackfillPrices, Job, RefreshPrices, dispatcher
from functions.providers.listings import listing
from functions.providers.protocols import Close, NotFound, ProviderError, Unavailable
from functions.providers.selection import prices
from functions.store.logs import write_log
from functions.store.mentions import (
    count_unpriced_mentions,
    mentions_of_channel,
    set_mention_price,
    unpriced_mentions,
)
from functions.store.stocks import describe_stock, set_stock_price, stock_by_ticker, stocks_by_ticker

REQUEST_SECONDS = 8
"""How long a request to refresh waits for prices; what takes longer is fetched by a job."""
WORK_SECONDS = 180
"""How long a job or a step waits, well within the time its function has."""
AT_ONCE = 8
DAYS_TO_LOOK_BACK = 7
"""A video of a weekend or holiday takes the last close before it, if there is one this near."""
_TICKER = re.compile(r"[A-Z][A-Z0-9]{0,5}([.-][A-Z0-9]{1,3})?")


@dataclass(frozen=True, slots=True)
class StockPrice:
    ticker: str
    price: float | None = None
    updated_at: str | None = None
    error: str | None = None


@dataclass(frozen=True, slots=True)
class Refreshed:
    prices: dict[str, float]
    updated_at: str


@dataclass(frozen=True, slots=True)
class Backfill:
    status: str
    missing: int | None = None


def price_of(ticker: str) -> StockPrice:
    """The price as it is known, or fetched when it is not fresh; a failure is told in the answer."""
    if not is_ticker(ticker):
        return StockPrice(ticker, error="This is not a ticker of a US-listed share.")
    stock = stock_by_ticker(ticker)
    if stock and is_fresh(stock):
        return StockPrice(ticker, stock.last_price, stock.price_updated_at)
    try:
        return _recent_price(ticker, time.monotonic() // settings().price_cache_seconds)
    except ProviderError as problem:
        return StockPrice(ticker, error=str(problem))


def history_of(ticker: str, start: date, end: date) -> list[Close]:
    """Daily closes, oldest first; none for a ticker without data."""
    if not is_ticker(ticker):
        return []
    try:
        return prices().closes(ticker, start, end)
    except NotFound:
        return []
    except ProviderError as problem:
        raise PricesUnavailable(str(problem)) from problem


def refresh_prices(channel_id: str) -> Refreshed:
    """The prices of a channel's stocks. Stale ones are fetched anew as far as time allows, and by a job beyond that."""
    _, mentions = together(
        lambda: get_channel(channel_id),
        lambda: mentions_of_channel(known(channel_id), with_context=False),
    )
    tickers = sorted({mention.ticker for mention in mentions})
    stocks = stocks_by_ticker(tickers)
    latest = {stock.ticker: stock.last_price for stock in stocks.values() if stock.last_price is not None}
    stale = [ticker for ticker in tickers if ticker not in stocks or not is_fresh(stocks[ticker])]
    fetched, late = _fetch_in_time(stale, REQUEST_SECONDS)
    if late:
        dispatcher().send(RefreshPrices(tuple(late)))
    return Refreshed(dict(sorted({**latest, **fetched}.items())), now())


def request_backfill(channel_id: str) -> Backfill:
    channel, missing = together(
        lambda: get_channel(channel_id),
        lambda: count_unpriced_mentions(known(channel_id)),
    )
    if not channel.video_count:
        return Backfill("no_videos")
    if not missing:
        return Backfill("complete", 0)
    dispatcher().send(BackfillPrices(channel_id))
    return Backfill("started", missing)


def is_ticker(text: str) -> bool:
    return bool(_TICKER.fullmatch(text))


def is_fresh(stock: Stock) -> bool:
    if stock.last_price is None or stock.price_updated_at is None:
        return False
    return stock.price_updated_at > seconds_from_now(-settings().price_cache_seconds)


def is_price(number: object) -> bool:
    return isinstance(number, int | float) and math.isfinite(number) and number > 0


def price_on(ticker: str, day: date) -> float | None:
    """The last close on or before a day, if there is one near enough; None as well when the source cannot be asked."""
    try:
        return _close_on(ticker, day)
    except ProviderError:
        return None


def learn_stocks(tickers: Iterable[str], seconds: float = REQUEST_SECONDS) -> None:
    """Keeps the name and the newest price of each stock, as far as they are not known yet."""
    wanted = sorted(set(tickers))
    stocks = stocks_by_ticker(wanted)
    for ticker in wanted:
        is_named = ticker in stocks and stocks[ticker].name
        if not is_named and (listed := listing(ticker)):
            describe_stock(ticker, listed.name, listed.exchange)
    stale = [ticker for ticker in wanted if ticker not in stocks or not is_fresh(stocks[ticker])]
    _fetch_in_time(stale, seconds)


def do_job(job: Job) -> None:
    """What a request left to be done after its answer. Doing it twice is doing it once."""
    if isinstance(job, RefreshPrices):
        refresh_stocks(job.tickers)
    else:
        backfill_mentions(job.channel_id)


def refresh_stocks(tickers: Sequence[str]) -> None:
    """Fetches what is still stale; Unavailable when some of it has to be tried again."""
    stocks = stocks_by_ticker(tickers)
    stale = [ticker for ticker in tickers if ticker not in stocks or not is_fresh(stocks[ticker])]
    _, late = _fetch_in_time(stale, WORK_SECONDS)
    if late:
        raise Unavailable(f"no price in time of {', '.join(late)}")


def backfill_mentions(channel_id: str) -> int:
    """Prices the mentions that have none, as far as a price is found; how many that were.

    Unavailable when the source could not be asked for some of them, so that the job is tried again.
    """
    priced = 0
    late: set[str] = set()
    for mention in unpriced_mentions(channel_id):
        try:
            price = _close_on(mention.ticker, date.fromisoformat(mention.published_at))
        except Unavailable:
            late.add(mention.ticker)
            continue
        except ProviderError:
            continue
        if price is not None and set_mention_price(mention, price):
            priced += 1
    if priced:
        write_log(channel_id, LogLevel.INFO, f"Prices were found for {priced} mentions that had none.")
    if late:
        raise Unavailable(f"no price in time of {', '.join(sorted(late))}")
    return priced


def _close_on(ticker: str, day: date) -> float | None:
    closes = prices().closes(ticker, day - timedelta(days=DAYS_TO_LOOK_BACK), day)
    sound = [close.price for close in closes if close.day <= day and is_price(close.price)]
    return sound[-1] if sound else None


@lru_cache(maxsize=1000)
def _recent_price(ticker: str, period: float) -> StockPrice:
    """Reading a price writes nothing, so that what was fetched is remembered here and not in the table."""
    return StockPrice(ticker, _quote(ticker), now())


def _quote(ticker: str) -> float:
    """The newest price; whatever goes wrong with it is a ProviderError."""
    try:
        price = prices().quote(ticker).price
    except ProviderError:
        raise
    except Exception:
        logger.exception("The price source failed", ticker=ticker)
        raise Unavailable(f"The price source failed unexpectedly for {ticker}.") from None
    if not is_price(price):
        raise Unavailable(f"The price source answered no usable price of {ticker}.")
    return price


def _fetch_in_time(tickers: Iterable[str], seconds: float) -> tuple[dict[str, float], list[str]]:
    """The prices that came in time, and the tickers to try again later. A ticker without a price is in neither."""
    threads = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="quote")
    quotes = {ticker: threads.submit(_quote, ticker) for ticker in tickers}
    wait(quotes.values(), timeout=seconds)
    threads.shutdown(wait=False, cancel_futures=True)
    fetched: dict[str, float] = {}
    late: list[str] = []
    for ticker, quote in quotes.items():
        problem = quote.exception() if quote.done() and not quote.cancelled() else Unavailable("not in time")
        if problem is None:
            fetched[ticker] = quote.result()
            set_stock_price(ticker, fetched[ticker], now())
        elif isinstance(problem, Unavailable):
            late.append(ticker)
    return fetched, late
