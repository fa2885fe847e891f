"""Prices calls from the stored series: a channel's calls, or a ticker's in every channel."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date

from functions.reading.company_names import is_known_ticker
from functions.record.channels.changes import new_channel_change
from functions.record.models.records import ChangeKind, Stock, Video
from functions.record.models.series import LEAD, PriceProblem, SeriesHeader
from functions.record.prices.current import price_timestamp
from functions.record.prices.entry import MAX_AGE, new_price, pricing_day, why_unpriced
from functions.record.prices.restatement import CHECKED
from functions.record.prices.schedule import LASTING
from functions.record.score_requests import request_scores
from functions.record.sources import selection
from functions.record.store.call_prices import (
    Priced,
    set_prices,
    tell_restatement,
    untold_restatements,
    videos_of_mentions,
)
from functions.record.store.mentions import mentions_of_ticker
from functions.record.store.price_series import Stored, headers_and_series_of, headers_of, want_series, whole_series_of
from functions.record.store.stocks import set_price_problem, set_stock_price, stocks_by_ticker
from functions.record.store.videos import each_video_of_channel
from functions.runtime.clock import now, seconds_from_now
from functions.runtime.dispatch import UpdateSeries, dispatcher
from functions.runtime.dynamodb.requests import chunked

TICKERS_PER_JOB = 20
"""Few enough to be fetched within a job's time limit, at the rate limit of the slowest source."""
VIDEOS_READ_AT_ONCE = 50
PASSES = 3
"""How often a channel is repriced while its series change; the next check of each series fixes the rest."""
OVERDUE_SECONDS = 60
"""A series overdue for this long has lost its job."""


@dataclass(frozen=True, slots=True)
class ChannelPrices:
    """The result of pricing a channel's calls from the stored series."""

    priced: Priced = field(default_factory=Priced)
    fetching: tuple[SeriesHeader, ...] = ()
    """Series that are still being fetched."""
    unpriced: Mapping[PriceProblem, Mapping[str, int]] = field(default_factory=dict)
    """The number of calls without a price, by reason and ticker."""


def price_channel(channel_id: str) -> ChannelPrices:
    """Prices every call of a channel. Idempotent: also used to recover from a crash and to migrate older data."""
    days: set[date] = set()
    tickers: set[str] = set()
    # Streamed twice instead of held in memory, so memory does not grow with the channel.
    for video in each_video_of_channel(channel_id):
        days |= {pricing_day(call) for call in video.calls}
        tickers |= set(video.tickers)
    if not days:
        return ChannelPrices()
    request_series([*sorted(tickers), *selection.tickers_in_every_score()], min(days))
    priced = Priced()
    to_report: set[tuple[str, str, str]] = set()
    for _ in range(PASSES):
        stored = headers_and_series_of(sorted(tickers), min(days) - MAX_AGE, max(*days, selection.last_price_day()))
        as_of = _as_of_by_ticker(stored)
        newly_priced, unpriced = _price_videos(channel_id, stored, as_of)
        priced += newly_priced
        to_report |= {
            (channel_id, ticker, timestamp) for ticker, timestamp in as_of.items() if not _is_restated(stored[ticker])
        }
        if not _changed_meanwhile(stored, as_of):
            break
    if priced.restated:
        _tell(to_report)
    _store_current_prices(stored)
    return ChannelPrices(priced, _fetching(stored), unpriced)


def price_video(video: Video) -> bool:
    """Prices the calls of one video read outside a run, since no run will; returns True if a price changed."""
    if not video.calls:
        return False
    days = {pricing_day(call) for call in video.calls}
    stored = headers_and_series_of(sorted(video.tickers), min(days) - MAX_AGE, max(days))
    priced = set_prices(video.channel_id, [video], lambda each: prices_of(each, stored), _as_of_by_ticker(stored))
    return bool(priced.filled or priced.restated)


def price_ticker(ticker: str) -> tuple[set[str], set[str]]:
    """Prices every call of a ticker in every channel, and reports restated prices in each channel's log.

    Returns the channels that mention it, and those with a call whose price differed or was missing. Idempotent: it can
    be killed anywhere and repeated.
    """
    header, series = whole_series_of(ticker)
    if header is None or header.as_of is None:
        return set(), set()
    as_of = header.as_of
    stored: dict[str, Stored] = {ticker: (header, series)}
    _store_current_prices(stored)
    mentions = mentions_of_ticker(ticker)
    differing = [each for each in mentions if new_price(each, header, series) != each.price_at_mention]
    by_channel: dict[str, list[Video]] = defaultdict(list)
    for video in videos_of_mentions(differing):
        by_channel[video.channel_id].append(video)
    for channel_id, videos in by_channel.items():
        set_prices(channel_id, videos, lambda video: prices_of(video, stored), {ticker: as_of})
    channels = {mention.channel_id for mention in mentions}
    _tell(((channel_id, ticker, as_of) for channel_id in channels), header.restating or CHECKED)
    return channels, set(by_channel)


def prices_changed(channel_ids: Collection[str]) -> None:
    """Call whenever prices of these channels' stocks may have changed: after a refresh, a backfill, new closes or a
    restatement. Everything computed from prices is recomputed from here; after a run, from its end."""
    request_scores(channel_ids)


def request_series(tickers: Iterable[str], oldest: date) -> None:
    """Requests the closes of these tickers if they are not stored, from some weeks before a day on. Of several
    concurrent requests for a ticker, one sends a job."""
    send_updates(want_closes(tickers, oldest))


def want_closes(tickers: Iterable[str], oldest: date) -> list[str]:
    """Marks the closes of these tickers as needed, and returns those to fetch. No source is asked for a ticker that no
    list of shares knows, since it may be anybody's."""
    return want_series(tickers_with_prices(tickers), first_day_wanted(oldest))


def tickers_with_prices(tickers: Iterable[str]) -> list[str]:
    besides = selection.tickers_in_every_score()
    return [ticker for ticker in tickers if ticker in besides or is_known_ticker(ticker)]


def first_day_wanted(oldest: date) -> date:
    """Returns the first day of a year, so an older video seldom needs another request."""
    return date((oldest - LEAD).year, 1, 1)


def send_updates(tickers: Iterable[str]) -> None:
    for some in chunked(tickers, TICKERS_PER_JOB):
        dispatcher().send(UpdateSeries(tuple(some)))


def send_lost_updates(headers: Iterable[SeriesHeader]) -> None:
    """Sends a job again for each series whose retry is due, or that has waited so long that its job must be lost."""
    due, lost = now(), seconds_from_now(-OVERDUE_SECONDS)
    send_updates([each.ticker for each in headers if (each.next_check_at or due) < (due if each.problem else lost)])


def prices_of(video: Video, stored: Mapping[str, Stored]) -> dict[str, float | None]:
    """Returns the prices of a video's calls according to the series."""
    return {call.ticker: new_price(call, *stored[call.ticker]) for call in video.calls if call.ticker in stored}


def _price_videos(
    channel_id: str, stored: Mapping[str, Stored], as_of: Mapping[str, str]
) -> tuple[Priced, Mapping[PriceProblem, Mapping[str, int]]]:
    """Returns how many prices changed, and how many calls have none."""
    priced = Priced()
    unpriced: dict[PriceProblem, Counter[str]] = defaultdict(Counter)
    for videos in chunked(each_video_of_channel(channel_id), VIDEOS_READ_AT_ONCE):
        priced += set_prices(channel_id, videos, lambda video: prices_of(video, stored), as_of)
        for problem, ticker in _reasons(videos, stored):
            unpriced[problem][ticker] += 1
    return priced, unpriced


def _as_of_by_ticker(stored: Mapping[str, Stored]) -> dict[str, str]:
    return {ticker: header.as_of for ticker, (header, _) in stored.items() if header and header.as_of}


def _changed_meanwhile(stored: Mapping[str, Stored], fetched: Iterable[str]) -> bool:
    """True if a fetched series has changed since, so its calls may have been given prices from before a split."""
    current = headers_of(fetched, consistent=True)
    before = {ticker: stored[ticker][0] for ticker in current}
    return any(
        header is None or (header.basis, header.as_of) != (current[ticker].basis, current[ticker].as_of)
        for ticker, header in before.items()
    )


def _tell(of: Iterable[tuple[str, str, str]], what: str = CHECKED) -> None:
    for restatement in untold_restatements(of):
        number = restatement.prices - restatement.told
        prices = "1 price" if number == 1 else f"{number} prices"
        message = f"{restatement.ticker} {what}: {prices} restated."
        kind, ticker = ChangeKind.RESTATED, restatement.ticker
        tell_restatement(restatement, new_channel_change(kind, restatement.channel_id, message, ticker=ticker))


def _store_current_prices(stored: Mapping[str, Stored]) -> None:
    """Stores the last close of each series as the stock's price, unless a newer one is known, and its problem."""
    known = stocks_by_ticker(stored)
    for ticker, (header, series) in stored.items():
        stock = known.get(ticker) or Stock(ticker)
        if header is None:
            continue
        has_last_close = series.days and series.days[-1].isoformat() == header.last_day
        if has_last_close and (stock.last_price, stock.price_as_of) != (series.closes[-1], header.last_day):
            set_stock_price(ticker, series.closes[-1], price_timestamp(), as_of=series.days[-1])
        if stock.price_problem != header.problem:
            set_price_problem(ticker, header.problem)


def _is_restated(stored: Stored) -> bool:
    """True while a restatement of the ticker's calls is in progress, which reports the prices itself."""
    header, _ = stored
    return header is not None and header.restating is not None


def _fetching(stored: Mapping[str, Stored]) -> tuple[SeriesHeader, ...]:
    """Returns the series that are not fetched yet and may still arrive within the same run."""
    headers = (header for header, _ in stored.values() if header)
    return tuple(header for header in headers if not is_fetched(header) and _may_come_soon(header))


def _may_come_soon(header: SeriesHeader) -> bool:
    return header.problem is None or (header.problem not in LASTING and header.misses < 2)


def is_fetched(header: SeriesHeader) -> bool:
    """True if all needed days were requested from the source."""
    return header.fetched_from is not None and header.fetched_from <= header.wanted_from


def _reasons(videos: Iterable[Video], stored: Mapping[str, Stored]) -> Iterator[tuple[PriceProblem, str]]:
    """Yields why calls have no price, each with its ticker."""
    for call in (call for video in videos for call in video.calls if call.ticker in stored):
        header, series = stored[call.ticker]
        if new_price(call, header, series) is None:
            yield why_unpriced(call, header), call.ticker
