"""The result of a call: its entry, its exit, and its return compared with the benchmark's."""

from bisect import bisect_left, bisect_right
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime, time, timedelta
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import NamedTuple

from functions.record.models.series import Series
from functions.record.scoring.risk_free import daily_rates
from functions.record.scoring.types import Call, CallResult, CallStatus, Horizon, UnpricedReason
from functions.runtime.new_york import NEW_YORK

OPENING = time(9, 30)
CLOSING = time(16)
ENDED_AFTER = 5
"""A series more than this many sessions behind the benchmark's last is over; a shorter lag is a late source."""


class Stock:
    """A stock's closes over the sessions of the benchmark."""

    def __init__(self, series: Series, sessions: Sequence[date]) -> None:
        self.closes: list[float]
        """In today's shares. A session without a close has the one before it, as long as there is one: else 0."""
        self.totals: list[float]
        """The same with dividends. Returns are made of these."""
        # Most stocks trade at every session.
        if series.days == sessions:
            self.traded = [True] * len(sessions)
            self.closes, self.totals = list(series.closes), list(series.total_closes)
        else:
            self._carry_forward(series, sessions)
        self.first = self.traded.index(True) if any(self.traded) else len(sessions)
        self.last = len(sessions) - 1 - self.traded[::-1].index(True) if any(self.traded) else -1

    def _carry_forward(self, series: Series, sessions: Sequence[date]) -> None:
        """Fills a session without a close with the last one before it."""
        known = dict(zip(series.days, zip(series.closes, series.total_closes, strict=True), strict=True))
        self.traded, self.closes, self.totals = [day in known for day in sessions], [], []
        close = total = 0.0
        for day in sessions:
            close, total = known.get(day, (close, total))
            self.closes.append(close)
            self.totals.append(total)

    def traded_at(self, session: int) -> bool:
        return 0 <= session <= self.last and self.traded[session]

    def change(self, start: int, end: int) -> float:
        return self.totals[end] / self.totals[start] - 1

    @cached_property
    def daily_changes(self) -> list[float]:
        """The relative change of each session from the one before it; 0 where there is no close before it."""
        return [0.0, *[after / before - 1 if before else 0.0 for before, after in pairwise(self.totals)]]


class Market:
    """The sessions, and the stocks' closes on them. Sessions are numbered from 0."""

    def __init__(
        self,
        series: Mapping[str, Series],
        benchmark: Series,
        risk_free: Series | None = None,
        departed: Container[str] = frozenset(),
    ) -> None:
        """`risk_free` has annual rates in percent; `departed` are shares known to have left the exchange."""
        self.sessions = benchmark.days
        self.benchmark = Stock(benchmark, benchmark.days)
        rates = daily_rates(risk_free, self.sessions)
        self.knows_risk_free = rates is not None
        self.risk_free = rates or [0.0] * len(self.sessions)
        """The daily rate at each session, as a fraction."""
        self._departed = departed
        self._series = series
        self._stocks: dict[str, Stock | None] = {}
        self._entries: dict[tuple[str, str | None], int] = {}
        """Sessions of entry by time of publication, which many calls share."""

    @property
    def last(self) -> int:
        return len(self.sessions) - 1

    def stock(self, ticker: str) -> Stock | None:
        """Returns None for a stock without a close on any session."""
        if ticker not in self._stocks:
            stock = Stock(self._series[ticker], self.sessions) if ticker in self._series else None
            self._stocks[ticker] = stock if stock and stock.last >= 0 else None
        return self._stocks[ticker]

    def known_stock(self, ticker: str) -> Stock:
        """Returns the stock of a call that was entered."""
        stock = self.stock(ticker)
        assert stock is not None
        return stock

    def has_ended(self, stock: Stock) -> bool:
        return stock.last < self.last - ENDED_AFTER

    def had_departed(self, ticker: str, entry: int) -> bool:
        """True if the share had left the exchange by that session, or has left it and the source has no closes."""
        stock = self.stock(ticker)
        if stock is None:
            return ticker in self._departed
        return entry > stock.last and self.has_ended(stock)

    def entry_after(self, call: Call) -> int:
        """The first session that opens after publication: one past the last while there is none, -1 where it may have
        been before the sessions that we know."""
        published = call.published_at, call.published_time
        entry = self._entries.get(published)
        if entry is None:
            first_day = _first_day_to_trade(*published)
            is_before = bool(self.sessions) and first_day < self.sessions[0]
            entry = self._entries[published] = -1 if is_before else bisect_left(self.sessions, first_day)
        return entry

    def close_before(self, call: Call) -> int:
        """Returns the last session that closed before publication, or on its date if only that is known; -1 if none."""
        if call.published_time is None:
            return bisect_right(self.sessions, date.fromisoformat(call.published_at)) - 1
        moment = _in_new_york(call.published_time)
        after = bisect_right if moment.time() >= CLOSING else bisect_left
        return after(self.sessions, moment.date()) - 1

    def day_of_exit(self, call: Call, horizon: Horizon) -> date:
        """Returns the day on which the horizon ends. Every future weekday is assumed to be a session."""
        exit = self.entry_after(call) + horizon.sessions
        if exit <= self.last:
            return self.sessions[exit]
        first_day = _first_day_to_trade(call.published_at, call.published_time)
        if not self.sessions or first_day > self.sessions[-1]:
            return _add_weekdays(first_day - timedelta(days=1), 1 + horizon.sessions)
        return _add_weekdays(self.sessions[-1], exit - self.last)


class Position(NamedTuple):
    """A stock entered at the close of a session, to be held for a number of sessions."""

    market: Market
    stock: Stock | None
    entry: int
    sessions: int

    @property
    def was_entered(self) -> bool:
        return self.stock is not None and self.stock.traded_at(self.entry)

    @property
    def status(self) -> CallStatus:
        market, stock, exit = self.market, self.stock, self.entry + self.sessions
        if stock is None or not (self.was_entered or self._awaits_entry):
            return CallStatus.UNPRICED
        if exit > market.last:
            return CallStatus.PENDING
        if exit <= stock.last:
            return CallStatus.SCORED
        return CallStatus.ENDED if market.has_ended(stock) else CallStatus.PENDING

    @property
    def exit(self) -> int:
        """The horizon's last session, or the stock's last one."""
        assert self.stock is not None
        return min(self.entry + self.sessions, self.stock.last)

    @property
    def change(self) -> float:
        assert self.stock is not None
        return self.stock.change(self.entry, self.exit)

    @property
    def benchmark_change(self) -> float:
        return self.market.benchmark.change(self.entry, self.exit)

    @property
    def excess(self) -> float:
        return self.change - self.benchmark_change

    @property
    def _awaits_entry(self) -> bool:
        """True if the close at entry is still to come, from the market or from a late source."""
        return self.stock is not None and self.entry > self.stock.last and not self.market.has_ended(self.stock)


class ScoredCall(NamedTuple):
    """A call with a result: fractions, signed by its side."""

    call: Call
    entry: int
    exit: int
    change: float
    excess: float


def has_result(status: CallStatus) -> bool:
    return status is CallStatus.SCORED or status is CallStatus.ENDED


def position_of(call: Call, horizon: Horizon, market: Market) -> Position:
    return position_at(market.entry_after(call), call, horizon, market)


def position_at(entry: int, call: Call, horizon: Horizon, market: Market) -> Position:
    return Position(market, market.stock(call.ticker), entry, horizon.sessions)


def result_of(call: Call, horizon: Horizon, market: Market) -> CallResult:
    """Returns the result of a call at a horizon."""
    position = position_of(call, horizon, market)
    stock, entry, status = position.stock, position.entry, position.status
    if stock is None or status is CallStatus.UNPRICED:
        departed = market.had_departed(call.ticker, entry)
        return CallResult(CallStatus.UNPRICED, unpriced_reason=UnpricedReason.DEPARTED if departed else None)
    result = CallResult(status)
    if position.was_entered:
        result = replace(result, entry_date=market.sessions[entry].isoformat(), entry_price=stock.closes[entry])
    if not has_result(status):
        return replace(result, matures_on=market.day_of_exit(call, horizon).isoformat())
    return replace(
        result,
        exit_date=market.sessions[position.exit].isoformat(),
        exit_price=stock.closes[position.exit],
        return_percent=100 * call.side * position.change,
        benchmark_percent=100 * call.side * position.benchmark_change,
        excess_percent=100 * call.side * position.excess,
    )


def chronological(calls: Iterable[Call]) -> list[Call]:
    return sorted(
        calls,
        key=lambda call: (_moment_of(call.published_at, call.published_time), call.video_id, call.ticker, call.side),
    )


@lru_cache(maxsize=10_000)
def _moment_of(published_at: str, published_time: str | None) -> datetime:
    """Returns when it was published; the end of the day in New York if only the date is known."""
    if published_time is not None:
        return datetime.fromisoformat(published_time)
    day = date.fromisoformat(published_at) + timedelta(days=1)
    return datetime.combine(day, time(), NEW_YORK)


@lru_cache(maxsize=10_000)
def _first_day_to_trade(published_at: str, published_time: str | None) -> date:
    """Returns the first day whose session, if it has one, opens after publication."""
    if published_time is None:
        return date.fromisoformat(published_at) + timedelta(days=1)
    moment = _in_new_york(published_time)
    return moment.date() if moment.time() < OPENING else moment.date() + timedelta(days=1)


def _in_new_york(moment: str) -> datetime:
    return datetime.fromisoformat(moment).astimezone(NEW_YORK)


def _add_weekdays(day: date, count: int) -> date:
    return next(later for number, later in enumerate(_weekdays_after(day), start=1) if number == count)


def _weekdays_after(day: date) -> Iterator[date]:
    while True:
        day += timedelta(days=1)
        if day.weekday() < 5:
            yield day
