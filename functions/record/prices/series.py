"""Keeps the stored series up to date: fetches new closes, detects splits, and reprices the calls."""

import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta

from functions.record.errors import SeriesChanged
from functions.record.models.series import PriceProblem, Series, SeriesHeader, continued
from functions.record.prices.calls import is_fetched, price_ticker, prices_changed, send_updates
from functions.record.prices.current import price_timestamp
from functions.record.prices.entry import MAX_AGE
from functions.record.prices.problems import problem_of
from functions.record.prices.restatement import what_changed
from functions.record.prices.schedule import (
    LASTING,
    LONGEST_PAUSE,
    SETTLED_AFTER,
    is_settled,
    last_session_day,
    next_check,
    weekday_at_or_before,
)
from functions.record.prices.validation import checked_series
from functions.record.sources import selection
from functions.record.sources.protocols import DEMO_SOURCE, MAX_WAIT_SECONDS, History
from functions.record.store.channels import every_channel
from functions.record.store.mentions import channels_that_mention, is_mentioned
from functions.record.store.price_series import due_series, headers_of, save_header, save_series, whole_series_of
from functions.record.store.stocks import set_price_problem
from functions.record.store.watchlists import watched_tickers
from functions.runtime.clock import now, seconds_after, seconds_from_now, timestamp
from functions.runtime.observability import logger
from functions.runtime.provider_errors import Nonsense, ProviderError, Refused, Unavailable
from functions.runtime.settings import settings

WORK_SECONDS = 180
"""After this time a job starts no further ticker, well below its function's timeout."""
CLAIM_SECONDS = 300
"""How long a worker's claim on a series lasts: if the worker dies, the series becomes due again."""
OVERLAP = timedelta(days=10)
"""How far an update reaches back into known days, to compare their closes."""
RECENT_SECONDS = 60 * 60
TRIES = 3
END_OF_TIME = "9999"
MOST_SERIES = 20_000
"""More than there are listed shares."""


def update_series(tickers: Sequence[str]) -> None:
    """Brings the series of these tickers up to date if they are due. Idempotent.

    An unexpected error in one is raised after the others are done.
    """
    deadline = time.monotonic() + WORK_SECONDS
    changed: dict[str, set[str]] = {}
    failures: list[Exception] = []
    for ticker in tickers:
        if time.monotonic() > deadline:
            # The others stay due, so the scheduled job finds them.
            break
        try:
            channels = _update(ticker)
        except Exception as failure:
            logger.exception("A series was not updated", ticker=ticker)
            failures.append(failure)
            continue
        if channels is not None:
            changed[ticker] = channels
    prices_changed(set().union(*changed.values()))
    # Last, so if the worker is killed before this, everything is repeated.
    for ticker in changed:
        _finish(ticker)
    if failures:
        raise failures[0]


def check_soon(ticker: str) -> bool:
    """Requests an immediate check of a series; returns False if it was checked within the last hour."""
    header = headers_of([ticker]).get(ticker)
    if header is None or (header.as_of or "") > seconds_after(price_timestamp(), -RECENT_SECONDS):
        return False
    with suppress(SeriesChanged):
        save_header(replace(header, next_check_at=now()))
    send_updates([ticker])
    return True


def check_all_series() -> tuple[list[str], list[str]]:
    """Sends jobs for the series that are due: watched stocks first, then the longest overdue. Returns their tickers,
    and the series in use that lack the newest close although the source may have it."""
    in_use = due_series(END_OF_TIME, MOST_SERIES)
    due = [header.ticker for header in in_use if (header.next_check_at or END_OF_TIME) <= now()]
    if len(due) > 1:
        watched = watched_tickers()
        due.sort(key=lambda ticker: ticker not in watched)
    send_updates(due)
    newest = _newest_close(in_use)
    return due, [header.ticker for header in in_use if _is_behind(header, newest)]


def resume_updates() -> None:
    """Makes series due that a dead worker was fetching or restating, or that a machine with a wrong clock has put off.

    A worker that is alive notices, and tries again.
    """
    farthest = seconds_from_now(2 * LONGEST_PAUSE.total_seconds())
    for header in due_series(END_OF_TIME, MOST_SERIES):
        if header.restating or not is_fetched(header) or (header.next_check_at or "") > farthest:
            with suppress(SeriesChanged):
                save_header(replace(header, next_check_at=now()))


def _newest_close(headers: Sequence[SeriesHeader]) -> date:
    """Returns the newest stored day or, if no series was updated, the day whose close each source should have."""
    # For a source whose history has ended, that is its end.
    settled = datetime.fromisoformat(price_timestamp()) - SETTLED_AFTER
    stored = (date.fromisoformat(header.last_day) for header in headers if header.last_day)
    return max([weekday_at_or_before(last_session_day(settled)), *stored])


def _is_behind(header: SeriesHeader, newest: date) -> bool:
    if header.problem in LASTING or (header.last_day or "") >= newest.isoformat():
        return False
    return header.as_of is None or not is_settled(newest, datetime.fromisoformat(header.as_of))


def _update(ticker: str) -> set[str] | None:
    """Returns the channels whose prices may have changed; None if there was nothing to do."""
    for _ in range(TRIES):
        try:
            is_other = _is_other_since_check(ticker)
            return None if is_other is None else _price_calls(ticker, is_other)
        except SeriesChanged:
            # Older closes were requested, or another worker has claimed it.
            continue
    return None


def _price_calls(ticker: str, is_other: bool) -> set[str]:
    """Returns the channels to rescore. After a check without news, as on a holiday, only those with a call that waited
    for it. The closes of the benchmark and the risk-free rate are part of every score."""
    channels, repriced = price_ticker(ticker)
    if not is_other:
        return repriced
    return {channel.id for channel in every_channel()} if _is_in_every_score(ticker) else channels


def _is_other_since_check(ticker: str) -> bool | None:
    """Fetches the series if it is due, and returns True if it may have changed. None if the ticker's calls need not be
    compared with it."""
    header, known = whole_series_of(ticker)
    if header is None:
        return None
    if header.restating:
        return True
    if not header.next_check_at or header.next_check_at > now() or _is_live_data_in_demo(header):
        return None
    if is_fetched(header) and not _is_needed(ticker):
        save_header(replace(header, next_check_at=None))
        return None
    claimed = save_header(replace(header, next_check_at=seconds_from_now(CLAIM_SECONDS)))
    try:
        fetched = _fetch(claimed, known)
    except ProviderError as problem:
        _postpone(claimed, problem)
        return None
    checked = save_series(_checked(claimed, fetched), fetched.series, known)
    return (fetched.series, checked.problem, checked.fetched_from) != (known, header.problem, header.fetched_from)


def _is_live_data_in_demo(header: SeriesHeader) -> bool:
    """A process started without its settings must not replace data from a live source."""
    return settings().providers.prices == "demo" and header.source not in (None, DEMO_SOURCE)


def _is_needed(ticker: str) -> bool:
    return _is_in_every_score(ticker) or is_mentioned(ticker)


def _is_in_every_score(ticker: str) -> bool:
    return ticker in selection.tickers_in_every_score()


def _fetch(header: SeriesHeader, known: Series) -> "_Fetched":
    """Fetches the current series: the whole of it if known closes changed, as after a split."""
    if known.days and is_fetched(header):
        newer, history = _request(header.ticker, known.days[-1] - OVERLAP)
        if (longer := continued(known, newer)) is not None:
            splits = sorted({*header.splits, *history.splits}, key=lambda split: split.day)
            what = what_changed(known, longer, header.splits, splits)
            return _Fetched(longer, replace(history, splits=tuple(splits)), header.fetched_from, what)
    whole, history = _request(header.ticker, date.fromisoformat(header.wanted_from))
    if known.days and (not whole.days or whole.days[0] > known.days[0] + MAX_AGE):
        raise Nonsense(f"{history.source} no longer has the closes of {header.ticker} before {whole.days[:1]}.")
    what = what_changed(known, whole, header.splits, history.splits)
    return _Fetched(whole, history, header.wanted_from, what)


def _request(ticker: str, start: date) -> tuple[Series, History]:
    """Retries errors that may be short-lived; any failure is a ProviderError."""
    for attempt in range(1, TRIES + 1):
        try:
            return _request_once(ticker, start)
        except Unavailable as problem:
            # The source's rate limit delays each attempt.
            if attempt == TRIES or (problem.retry_after or 0) > MAX_WAIT_SECONDS:
                raise
    raise AssertionError("the last try returns or raises")


def _request_once(ticker: str, start: date) -> tuple[Series, History]:
    end = selection.last_price_day()
    try:
        history = selection.prices().history(ticker, start, end)
        return checked_series(ticker, history, start, end), history
    except ProviderError:
        raise
    except Exception:
        logger.exception("The price source failed", ticker=ticker)
        raise Refused(f"The price source failed unexpectedly for {ticker}.") from None


def _checked(header: SeriesHeader, fetched: "_Fetched") -> SeriesHeader:
    """Returns the header after a valid response. It stays claimed until its calls are priced."""
    last_day = fetched.series.days[-1] if fetched.series.days else None
    is_new = last_day is not None and last_day.isoformat() > (header.last_day or "")
    trades = last_day is not None and selection.last_price_day() - last_day <= MAX_AGE
    return replace(
        header,
        source=fetched.history.source,
        currency=fetched.history.currency,
        splits=fetched.history.splits,
        fetched_from=fetched.start,
        as_of=price_timestamp(),
        misses=0 if is_new else 1 if header.problem and header.problem not in LASTING else header.misses + 1,
        problem=None if trades else PriceProblem.NO_TRADING,
        problem_detail=None,
        restating=fetched.what,
    )


def _finish(ticker: str) -> None:
    """Ends the claim once all calls of the ticker are priced, and schedules the next check."""
    for _ in range(TRIES):
        header, _ = whole_series_of(ticker)
        if header is None or not header.restating:
            return
        with suppress(SeriesChanged):
            save_header(replace(header, restating=None, next_check_at=_next_check(header)))
            return


def _next_check(header: SeriesHeader) -> str:
    if not is_fetched(header) and header.problem is None:
        return now()
    last_day = date.fromisoformat(header.last_day) if header.last_day else None
    return timestamp(next_check(datetime.now(UTC), last_day, header.misses, header.problem))


def _postpone(header: SeriesHeader, problem: ProviderError) -> None:
    what = _meaning(header, problem)
    log = logger.info if what in LASTING else logger.warning
    log("A series was not fetched", ticker=header.ticker, problem=what, reason=str(problem))
    misses = header.misses + 1 if header.problem else 1
    failed = replace(header, problem=what, problem_detail=str(problem), misses=misses)
    retry_after = getattr(problem, "retry_after", None) or 0
    save_header(replace(failed, next_check_at=max(_next_check(failed), seconds_from_now(retry_after))))
    set_price_problem(header.ticker, what)
    if header.problem != what:
        prices_changed(_channels_that_tell(header))


def _channels_that_tell(header: SeriesHeader) -> set[str]:
    """Returns the channels that show why closes are missing: all of them, if the benchmark has none."""
    if header.ticker == selection.benchmark().ticker and not header.last_day:
        return {channel.id for channel in every_channel()}
    return channels_that_mention(header.ticker)


def _meaning(header: SeriesHeader, problem: ProviderError) -> PriceProblem:
    """A ticker whose closes are stored and that the source no longer knows is delisted."""
    what = problem_of(problem)
    is_gone = what in {PriceProblem.NOT_AT_SOURCE, PriceProblem.DEPARTED} and header.last_day
    return PriceProblem.DELISTED if is_gone else what


@dataclass(frozen=True, slots=True)
class _Fetched:
    series: Series
    history: History
    start: str | None
    """The oldest day that was requested."""
    what: str
    """How the known closes changed."""
