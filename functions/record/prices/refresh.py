"""Refreshes stale stored prices, and fills in missing prices of mentions."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextvars import copy_context
from dataclasses import dataclass
from typing import TypeVar

from functions.reading.listings import listing
from functions.record.channels.channels import channel_and
from functions.record.models.records import LogLevel, Stock
from functions.record.prices.calls import price_channel, prices_changed, tickers_with_prices
from functions.record.prices.current import is_fresh, price_timestamp, quote
from functions.record.prices.series import check_soon
from functions.record.score_requests import request_scores, request_scores_of_stocks
from functions.record.sources.protocols import Quote
from functions.record.store.logs import write_log
from functions.record.store.stocks import describe_stock, set_stock_price, stocks_by_ticker
from functions.record.store.videos import count_unpriced_calls, tickers_of_channel
from functions.runtime.dispatch import BackfillPrices, RefreshPrices, ScoreMentions, dispatcher
from functions.runtime.observability import logger
from functions.runtime.provider_errors import ProviderError, Unavailable

REQUEST_SECONDS = 8
"""How long a refresh request waits for prices; a job fetches the rest."""
WORK_SECONDS = 180
"""How long a job or a step waits, well below its function's timeout."""
FETCHES_AT_ONCE = 8
FAR = 1.4
"""A price that changed by this factor since the last one may be on another share basis."""

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Refreshed:
    prices: dict[str, float]
    updated_at: str


@dataclass(frozen=True, slots=True)
class Backfill:
    status: str
    missing: int | None = None


def refresh_prices(channel_id: str) -> Refreshed:
    """Returns the prices of a channel's stocks. Fetches stale ones while time allows; a job fetches the rest."""
    _, mentioned = channel_and(channel_id, lambda: tickers_of_channel(channel_id))
    tickers = tickers_with_prices(sorted(mentioned))
    stocks = stocks_by_ticker(tickers)
    latest = {stock.ticker: stock.last_price for stock in stocks.values() if stock.last_price is not None}
    fetched, late = _fetch_in_time(tickers, stocks, REQUEST_SECONDS)
    if late:
        dispatcher().send(RefreshPrices(tuple(late)))
    if fetched:
        request_scores([channel_id])
        dispatcher().send(ScoreMentions(tuple(fetched)))
    return Refreshed(dict(sorted({**latest, **fetched}.items())), price_timestamp())


def request_backfill(channel_id: str) -> Backfill:
    channel, missing = channel_and(channel_id, lambda: count_unpriced_calls(channel_id))
    if not channel.video_count:
        return Backfill("no_videos")
    if not missing:
        return Backfill("complete", 0)
    dispatcher().send(BackfillPrices(channel_id))
    return Backfill("started", missing)


def store_stocks(tickers: Iterable[str]) -> None:
    """Stores the names of listed stocks. Their prices come from their series."""
    wanted = sorted(set(tickers))
    stocks = stocks_by_ticker(wanted)
    for ticker in wanted:
        is_named = ticker in stocks and stocks[ticker].name
        if not is_named and (listed := listing(ticker)):
            describe_stock(ticker, listed.name, listed.exchange)


def refresh_stocks(tickers: Sequence[str]) -> None:
    """Fetches the stale prices; raises Unavailable if some must be retried."""
    fetched, late = _fetch_in_time(tickers, stocks_by_ticker(tickers), WORK_SECONDS)
    request_scores_of_stocks(fetched)
    if late:
        raise Unavailable(f"no price in time of {', '.join(late)}")


def backfill_mentions(channel_id: str) -> int:
    """Prices mentions without a price, and returns how many it priced. The others follow with their series."""
    priced = price_channel(channel_id).priced
    if priced.filled:
        write_log(channel_id, LogLevel.INFO, f"Prices were found for {priced.filled} mentions that had none.")
    if priced.filled or priced.restated:
        prices_changed([channel_id])
    return priced.filled


def _stale(tickers: Iterable[str], stocks: Mapping[str, Stock]) -> list[str]:
    return [ticker for ticker in tickers if ticker not in stocks or not is_fresh(stocks[ticker])]


def _fetch_in_time(
    tickers: Iterable[str], stocks: Mapping[str, Stock], seconds: float
) -> tuple[dict[str, float], list[str]]:
    """Stores and returns the stale prices that arrived in time, and returns the tickers to retry later."""
    fetched, late = _fetch_each_in_time(quote, _stale(tickers, stocks), seconds)
    credible = {ticker: each for ticker, each in fetched.items() if _is_credible(each, stocks.get(ticker))}
    for ticker, each in credible.items():
        set_stock_price(ticker, each.price, price_timestamp(), as_of=each.as_of)
    return {ticker: each.price for ticker, each in credible.items()}, late


def _is_credible(newest: Quote, stock: Stock | None) -> bool:
    """False if a quote is so far from the known price that a split is likely: then the series is checked first."""
    if stock is None or not stock.last_price:
        return True
    larger, smaller = max(newest.price, stock.last_price), min(newest.price, stock.last_price)
    return larger / smaller <= FAR or not check_soon(stock.ticker)


def _fetch_each_in_time(
    fetch: Callable[[str], Result], tickers: Iterable[str], seconds: float
) -> tuple[dict[str, Result], list[str]]:
    """Returns the results that arrived in time, by ticker, and the tickers to retry later. Omits refused tickers."""
    threads = ThreadPoolExecutor(FETCHES_AT_ONCE, thread_name_prefix="prices")
    # Each runs in a copy of this context, so its log lines name the run.
    futures = {ticker: threads.submit(copy_context().run, fetch, ticker) for ticker in tickers}
    wait(futures.values(), timeout=seconds)
    threads.shutdown(wait=False, cancel_futures=True)
    fetched: dict[str, Result] = {}
    late: list[str] = []
    for ticker, future in futures.items():
        problem = future.exception() if future.done() and not future.cancelled() else Unavailable("not in time")
        if problem is None:
            fetched[ticker] = future.result()
        elif isinstance(problem, Unavailable):
            late.append(ticker)
        elif not isinstance(problem, ProviderError):
            logger.error("The price source failed", ticker=ticker, exc_info=problem)
            late.append(ticker)
    return fetched, late
