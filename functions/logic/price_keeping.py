"""Stored prices: refreshed when stale, fetched for new stocks, backfilled for mentions without one."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextvars import copy_context
from dataclasses import dataclass
from datetime import date
from typing import TypeVar

from functions.core.models import LogLevel, Stock, Video
from functions.core.observability import logger
from functions.dispatch import BackfillPrices, Job, RefreshPrices, dispatcher
from functions.logic.channels import channel_and
from functions.logic.prices import closes_around, is_fresh, last_close, price_moment, quote
from functions.providers.listings import listing
from functions.providers.protocols import Close, ProviderError, Unavailable
from functions.store.logs import write_log
from functions.store.stocks import describe_stock, set_stock_price, stocks_by_ticker
from functions.store.videos import (
    count_unpriced_calls,
    price_calls,
    tickers_of_channel,
    videos_with_unpriced_calls,
)

REQUEST_SECONDS = 8
"""How long a refresh request waits for prices; a job fetches the rest."""
WORK_SECONDS = 180
"""How long a job or a step waits, well below the timeout of its function."""
FETCHES_AT_ONCE = 8

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
    """The prices of a channel's stocks. Stale ones are fetched as far as time allows; a job fetches the rest."""
    _, mentioned = channel_and(channel_id, lambda: tickers_of_channel(channel_id))
    tickers = sorted(mentioned)
    stocks = stocks_by_ticker(tickers)
    latest = {stock.ticker: stock.last_price for stock in stocks.values() if stock.last_price is not None}
    stale = _stale(tickers, stocks)
    fetched, late = _fetch_in_time(stale, REQUEST_SECONDS)
    if late:
        dispatcher().send(RefreshPrices(tuple(late)))
    return Refreshed(dict(sorted({**latest, **fetched}.items())), price_moment())


def request_backfill(channel_id: str) -> Backfill:
    channel, missing = channel_and(channel_id, lambda: count_unpriced_calls(channel_id))
    if not channel.video_count:
        return Backfill("no_videos")
    if not missing:
        return Backfill("complete", 0)
    dispatcher().send(BackfillPrices(channel_id))
    return Backfill("started", missing)


def store_stocks(tickers: Iterable[str], seconds: float = REQUEST_SECONDS) -> None:
    """Stores the name and the newest price of each stock, unless they are stored and fresh."""
    wanted = sorted(set(tickers))
    stocks = stocks_by_ticker(wanted)
    for ticker in wanted:
        is_named = ticker in stocks and stocks[ticker].name
        if not is_named and (listed := listing(ticker)):
            describe_stock(ticker, listed.name, listed.exchange)
    stale = _stale(wanted, stocks)
    _fetch_in_time(stale, seconds)


def do_job(job: Job) -> None:
    """Runs a job that a request has queued. Idempotent: the queue may deliver it twice."""
    if isinstance(job, RefreshPrices):
        refresh_stocks(job.tickers)
    elif isinstance(job, BackfillPrices):
        backfill_mentions(job.channel_id)


def refresh_stocks(tickers: Sequence[str]) -> None:
    """Fetches the stale prices; Unavailable when some have to be tried again."""
    stocks = stocks_by_ticker(tickers)
    stale = _stale(tickers, stocks)
    _, late = _fetch_in_time(stale, WORK_SECONDS)
    if late:
        raise Unavailable(f"no price in time of {', '.join(late)}")


def backfill_mentions(channel_id: str) -> int:
    """Prices the mentions that have no price, and returns how many it priced.

    Unavailable when the source failed for some of them, so that the job is retried.
    """
    videos = videos_with_unpriced_calls(channel_id)
    days = _days_to_price(videos)
    histories, late = _fetch_each_in_time(
        lambda ticker: closes_around(ticker, days[ticker]), sorted(days), WORK_SECONDS
    )
    priced = sum(price_calls(video, _prices_that_day(video, histories)) for video in videos)
    if priced:
        write_log(channel_id, LogLevel.INFO, f"Prices were found for {priced} mentions that had none.")
    if late:
        raise Unavailable(f"no price in time of {', '.join(late)}")
    return priced


def _stale(tickers: Iterable[str], stocks: Mapping[str, Stock]) -> list[str]:
    return [ticker for ticker in tickers if ticker not in stocks or not is_fresh(stocks[ticker])]


def _days_to_price(videos: Iterable[Video]) -> dict[str, list[date]]:
    """The days of the unpriced calls, by ticker."""
    days: dict[str, list[date]] = defaultdict(list)
    for video in videos:
        for call in video.calls:
            if call.price_at_mention is None:
                days[call.ticker].append(date.fromisoformat(video.published_at))
    return days


def _prices_that_day(video: Video, histories: Mapping[str, Sequence[Close]]) -> dict[str, float]:
    day = date.fromisoformat(video.published_at)
    prices_then = {ticker: last_close(histories.get(ticker, ()), day) for ticker in video.tickers}
    return {ticker: price for ticker, price in prices_then.items() if price is not None}


def _fetch_in_time(tickers: Iterable[str], seconds: float) -> tuple[dict[str, float], list[str]]:
    """Stores and returns the prices that came in time, and returns the tickers to try again later."""
    fetched, late = _fetch_each_in_time(quote, tickers, seconds)
    for ticker, price in fetched.items():
        set_stock_price(ticker, price, price_moment())
    return fetched, late


def _fetch_each_in_time(
    fetch: Callable[[str], Result], tickers: Iterable[str], seconds: float
) -> tuple[dict[str, Result], list[str]]:
    """The results that came in time, by ticker, and the tickers to try again later. Refused tickers are in neither."""
    threads = ThreadPoolExecutor(FETCHES_AT_ONCE, thread_name_prefix="prices")
    # Each in a copy of this context, so that its log lines name the run.
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
