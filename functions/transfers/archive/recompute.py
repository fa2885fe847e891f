"""Computes every score of this archive again, and compares it with what the archive says.

    python recompute.py [FOLDER or ZIP]

Python 3.9 or newer is enough. Calls come from `mentions` and `videos`, closes from `prices`; from these alone follow
all figures of `calls` and `scorecards`. Only how well the calls were read is taken from `scorecards`. Exits with 0
if all agree to nine digits, with 1 if any differs, with 2 if the archive cannot be read. Without an argument it looks
in its own folder.

The definitions
---------------
A call is a mention that says buy (side +1) or sell (side -1) and that no person has rejected. A session is a day on
which the benchmark has a close; a horizon is a number of sessions. A call is entered at the close of the first session
that opens (09:30 in New York) after publication, and left at the close a horizon later. Its return is the stock's,
times its side; its excess is the stock's return less the benchmark's over the same sessions, times its side. Returns
are made of `total_close`, which has dividends where they are known. The risk-free rate of a session is the close of
`risk_free` in manifest.json, a percentage a year, divided by 100 and by 252. README.md names all figures.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
import math
import statistics
import sys
import zipfile
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from datetime import date, datetime, time, timedelta
from pathlib import Path
from typing import Any, NamedTuple

HORIZONS = {"1w": 5, "1m": 21, "3m": 63, "6m": 126, "1y": 252}
SIDES = {"buy": 1, "sell": -1}
AGREEMENT = 1e-9
"""Two figures agree if they differ by less than this, relative to the larger one."""
NOTHING = 1e-11
"""Figures below this differ from zero by rounding only."""
SAME_MEAN = 1e-12
"""In the placebo test, means that differ by less are equal."""
LATE = 5
"""A stock whose closes end this many sessions before the benchmark's is delisted; otherwise its source is late."""
OPENS, CLOSES = time(9, 30), time(16)
Z = 1.959964
Z_POWER = 0.841621
LOWEST_RATE, HIGHEST_RATE = -5.0, 50.0
"""Annual rates in percent beyond these are errors of the source: the last one before counts."""
SHOWN = 20
"""Maximum number of differences listed."""

Figures = dict[str, Any]
Prices = dict[str, dict[date, tuple[float, float]]]


# Reading the archive


class Archive:
    """A folder, or a zip, with tables as CSV or as JSON Lines."""

    def __init__(self, path: Path) -> None:
        self._folder = None if path.is_file() else path
        self._zip = zipfile.ZipFile(path) if path.is_file() else None

    def text(self, name: str) -> io.TextIOBase:
        if self._zip:
            return io.TextIOWrapper(self._zip.open(name), "utf-8", newline="")
        assert self._folder
        return (self._folder / name).open(encoding="utf-8", newline="")

    def has(self, name: str) -> bool:
        if self._zip:
            return name in self._zip.namelist()
        assert self._folder
        return (self._folder / name).is_file()

    def rows(self, table: str) -> Iterator[Figures]:
        """Yields each row as a dict by column. In CSV all values are strings, or None for an empty cell."""
        if self.has(f"{table}.jsonl"):
            with self.text(f"{table}.jsonl") as lines:
                for line in lines:
                    yield json.loads(line)
        else:
            csv.field_size_limit(2**31 - 1)
            with self.text(f"{table}.csv") as lines:
                for row in csv.DictReader(line.replace("\0", "") for line in lines):
                    yield {name: value or None for name, value in row.items()}


# Calls


class Call(NamedTuple):
    moment: datetime
    """When it was published, in UTC; the end of the day in New York if only the day is known."""
    video_id: str
    ticker: str
    side: int
    published_at: str
    published_time: str | None
    first_day: date
    """The first day whose session opens after publication."""
    last_day: date
    """The last day whose session had closed before publication."""


def call_of(mention: Figures, video: Figures) -> Call:
    day, moment = date.fromisoformat(video["published_at"]), video["published_time"]
    if moment is None:
        after = day + timedelta(days=1)
        midnight = datetime.combine(after, time())
        dates = (midnight - new_york_offset(midnight + timedelta(hours=4)), after, day)
    else:
        in_utc = datetime.fromisoformat(moment[:-1].ljust(26, "0")[:26] if "." in moment else moment[:-1])
        there = in_utc + new_york_offset(in_utc)
        first = there.date() if there.time() < OPENS else there.date() + timedelta(days=1)
        last = there.date() if there.time() >= CLOSES else there.date() - timedelta(days=1)
        dates = (in_utc, first, last)
    published, first_day, last_day = dates
    side = SIDES[mention["sentiment"]]
    return Call(
        published, mention["video_id"], mention["ticker"], side, video["published_at"], moment, first_day, last_day
    )


def new_york_offset(in_utc: datetime) -> timedelta:
    """Daylight saving time, as the law has it since 2007: from the second Sunday of March to the first of November, at
    two in the morning; before that from the first Sunday of April to the last of October."""
    year = in_utc.year
    if year >= 2007:
        begins, ends = sunday_from(date(year, 3, 8)), sunday_from(date(year, 11, 1))
    else:
        begins, ends = sunday_from(date(year, 4, 1)), sunday_from(date(year, 10, 25))
    is_summer = datetime.combine(begins, time(7)) <= in_utc < datetime.combine(ends, time(6))
    return timedelta(hours=-4 if is_summer else -5)


def sunday_from(day: date) -> date:
    return day + timedelta(days=6 - day.weekday())


# Prices


class Stock:
    """Closes at each session. A session without trading repeats the previous close."""

    def __init__(self, prices: dict[date, tuple[float, float]], sessions: list[date]) -> None:
        self.traded = [day in prices for day in sessions]
        self.first = self.traded.index(True) if any(self.traded) else len(sessions)
        self.last = max((number for number, traded in enumerate(self.traded) if traded), default=-1)
        self.close: list[float] = []
        self.total: list[float] = []
        close = total = math.nan
        for day in sessions:
            close, total = prices.get(day, (close, total))
            self.close.append(close)
            self.total.append(total)

    def change(self, start: int, end: int) -> float:
        return self.total[end] / self.total[start] - 1


class Market:
    """The sessions and stocks used to score a channel. Sessions are numbered from 0."""

    def __init__(self, prices: Prices, manifest: Figures, since: date) -> None:
        benchmark, risk_free = manifest["benchmark"]["ticker"], manifest["risk_free"]["ticker"]
        self.departed = set(manifest["departed"])
        self.cost = float(manifest["cost_bps"]) / 10_000
        self.sessions = sorted(day for day in prices.get(benchmark, {}) if day >= since)
        self.last = len(self.sessions) - 1
        self.benchmark = Stock(prices.get(benchmark, {}), self.sessions)
        self._prices = {ticker: closes for ticker, closes in prices.items() if ticker != benchmark}
        self._stocks: dict[str, Stock] = {}
        self.risk_free_ticker = risk_free
        self.rates = self._daily_rates(prices.get(risk_free, {}), since)

    def _daily_rates(self, rates: dict[date, tuple[float, float]], since: date) -> list[float | None]:
        """Returns the risk-free rate of each session as a fraction, None before the first that is known."""
        known = {day: rate for day, (rate, _) in rates.items() if day >= since and LOWEST_RATE <= rate <= HIGHEST_RATE}
        days = sorted(known)
        found = (bisect_right(days, session) - 1 for session in self.sessions)
        return [known[days[number]] / 100 / 252 if number >= 0 else None for number in found]

    def risk_free(self, session: int) -> float:
        return self.rates[session] or 0.0

    def daily_excess(self, ticker: str, session: int) -> float:
        """Returns what a stock earned on a session beyond the risk-free rate."""
        return self.stock(ticker).change(session - 1, session) - self.risk_free(session)

    def has_departed(self, ticker: str, entry: int) -> bool:
        """Returns True if a share had left the exchange by a session, or has left it and there are no closes."""
        stock = self.stock(ticker)
        if stock.last < 0:
            return ticker in self.departed
        return entry > stock.last and stock.last < self.last - LATE

    def stock(self, ticker: str) -> Stock:
        if ticker not in self._stocks:
            self._stocks[ticker] = Stock(self._prices.get(ticker, {}), self.sessions)
        return self._stocks[ticker]

    def entry(self, call: Call) -> int:
        """Returns the session number at which a call is entered; -1 if it precedes the first known session."""
        if self.sessions and call.first_day < self.sessions[0]:
            return -1
        return bisect_left(self.sessions, call.first_day)

    def close_before(self, call: Call) -> int:
        return bisect_right(self.sessions, call.last_day) - 1

    def excess(self, ticker: str, start: int, end: int) -> float:
        return self.stock(ticker).change(start, end) - self.benchmark.change(start, end)

    def hold(self, ticker: str, entry: int, sessions: int) -> tuple[str, int]:
        """Returns the status of a stock entered at a session, and the session at which it is exited."""
        stock, due = self.stock(ticker), entry + sessions
        has_ended = stock.last < self.last - LATE
        is_entered = 0 <= entry <= stock.last and stock.traded[entry]
        will_be_entered = stock.last >= 0 and entry > stock.last and not has_ended
        if not (is_entered or will_be_entered):
            return "unpriced", -1
        if due > self.last:
            return "pending", -1
        if due <= stock.last:
            return "scored", due
        return ("ended", stock.last) if has_ended else ("pending", -1)

    def maturity(self, call: Call, sessions: int) -> date:
        """Returns the day on which a horizon ends. Every future weekday counts as a session."""
        due = self.entry(call) + sessions
        if due <= self.last:
            return self.sessions[due]
        if self.sessions and call.first_day <= self.sessions[-1]:
            day, left = self.sessions[-1], due - self.last
        else:
            day, left = call.first_day - timedelta(days=1), sessions + 1
        while left:
            day += timedelta(days=1)
            left -= day.weekday() < 5
        return day


# Figures of a call


def result_of(call: Call, sessions: int, market: Market) -> Figures:
    entry, stock = market.entry(call), market.stock(call.ticker)
    status, exit = market.hold(call.ticker, entry, sessions)
    result: Figures = dict.fromkeys(CALL_FIGURES)
    result["status"] = status
    if status == "unpriced" and market.has_departed(call.ticker, entry):
        result["unpriced_reason"] = "departed"
    if status != "unpriced" and entry <= stock.last:
        result["entry_date"], result["entry_price"] = market.sessions[entry].isoformat(), stock.close[entry]
    if status == "pending":
        result["matures_on"] = market.maturity(call, sessions).isoformat()
    if status in ("scored", "ended"):
        result["exit_date"], result["exit_price"] = market.sessions[exit].isoformat(), stock.close[exit]
        result["return_percent"] = 100 * call.side * stock.change(entry, exit)
        result["benchmark_percent"] = 100 * call.side * market.benchmark.change(entry, exit)
        result["excess_percent"] = 100 * call.side * market.excess(call.ticker, entry, exit)
    return result


CALL_FIGURES = (
    "status",
    "entry_date",
    "entry_price",
    "exit_date",
    "exit_price",
    "return_percent",
    "benchmark_percent",
    "excess_percent",
    "matures_on",
    "unpriced_reason",
)


# Figures of a channel


class Scored(NamedTuple):
    call: Call
    entry: int
    exit: int
    change: float
    excess: float


def score_of(calls: list[Call], sessions: int, market: Market, card: Figures) -> Figures:
    """All figures of a channel at a horizon. Of the archive's own figures, only how well the calls were read counts."""
    statuses: Counter[str] = Counter()
    departed = 0
    scored: list[Scored] = []
    for call in calls:
        entry = market.entry(call)
        status, exit = market.hold(call.ticker, entry, sessions)
        statuses[status] += 1
        departed += status == "unpriced" and market.has_departed(call.ticker, entry)
        if exit >= 0:
            change = call.side * market.stock(call.ticker).change(entry, exit)
            scored.append(Scored(call, entry, exit, change, call.side * market.excess(call.ticker, entry, exit)))
    excesses = [each.excess for each in scored]
    centre, beat_rate = mean(excesses), mean([float(excess > 0) for excess in excesses])
    base_hits, base_beats, base_excess, placebo = other_days(scored, sessions, market)
    error = error_of_mean(scored, market)
    low, high = interval(centre, error)
    independent = independent_calls(excesses, error)
    rate_low, rate_high = wilson(beat_rate, max(1.0, independent or 0.0))
    return {
        "sessions": sessions,
        "as_of": market.sessions[-1].isoformat() if market.sessions else None,
        "calls": len(scored),
        "pending": statuses["pending"],
        "unpriced": statuses["unpriced"],
        "ended": statuses["ended"],
        "departed": departed,
        "risk_free": None if all(rate is None for rate in market.rates) else market.risk_free_ticker,
        "cost_bps": 10_000 * market.cost,
        "mean_return_percent": percent(mean([each.change for each in scored])),
        "mean_excess_percent": percent(centre),
        "mean_excess_net_percent": None if centre is None else 100 * (centre - 2 * market.cost),
        "median_excess_percent": percent(statistics.median(excesses)) if excesses else None,
        "excess_low_percent": percent(low),
        "excess_high_percent": percent(high),
        "independent_calls": independent,
        "flips_to_turn": flips_to_turn(excesses, error),
        "hit_rate": mean([float(each.change > 0) for each in scored]),
        "beat_rate": beat_rate,
        "beat_rate_low": rate_low,
        "beat_rate_high": rate_high,
        "base_hit_rate": base_hits,
        "base_beat_rate": base_beats,
        "base_excess_percent": percent(base_excess),
        "placebo_p_value": placebo,
        **portfolio_figures(calls, sessions, market),
        "calls_needed": calls_needed(excesses),
        "run_up_percent": percent(mean(run_ups(calls, market))),
        **without_best_ticker(scored),
        **by_kind(scored, "buy"),
        **by_kind(scored, "sell"),
        "entry_sensitivity_ours": percent(mean(excesses)),
        "entry_sensitivity_before_publication": other_entry(
            scored, [market.close_before(each.call) for each in scored], sessions, market
        ),
        "entry_sensitivity_one_session_later": other_entry(
            scored, [each.entry + 1 for each in scored], sessions, market
        ),
        "entry_sensitivity_five_sessions_later": other_entry(
            scored, [each.entry + 5 for each in scored], sessions, market
        ),
        **reading_figures(card, centre, error, base_excess),
    }


def error_of_mean(scored: list[Scored], market: Market) -> float | None:
    """The standard error of the mean excess. Calls that are open on the same days are correlated, so what they all did
    together is summed by day."""
    sums: dict[int, list[float]] = defaultdict(list)
    excess_on: dict[tuple[str, int], float] = {}
    for each in scored:
        for day in range(each.entry + 1, each.exit + 1):
            place = each.call.ticker, day
            if place not in excess_on:
                excess_on[place] = market.excess(each.call.ticker, day - 1, day)
            sums[day].append(each.call.side * excess_on[place])
    open_days = sum(map(len, sums.values()))
    if len(scored) < 2 or not open_days:
        return None
    usual = math.fsum(math.fsum(day) for day in sums.values()) / open_days
    squares = math.fsum((math.fsum(day) - len(day) * usual) ** 2 for day in sums.values())
    return math.sqrt(squares) / len(scored)


def interval(centre: float | None, error: float | None) -> tuple[float | None, float | None]:
    """The 95 % interval of a mean."""
    if centre is None or error is None:
        return None, None
    return centre - Z * error, centre + Z * error


def independent_calls(excesses: list[float], error: float | None) -> float | None:
    """Returns how many independent calls would have this error."""
    if error is None or error <= 1e-12:
        return None
    return min(float(len(excesses)), (statistics.stdev(excesses) / error) ** 2)


def flips_to_turn(excesses: list[float], error: float | None) -> int | None:
    """Returns how many of the calls that add most to the mean have to be turned to the other side for the interval of
    the mean, of the same width, to reach zero."""
    if error is None:
        return None
    total = math.fsum(excesses)
    direction = -1 if total < 0 else 1
    left = sorted((direction * excess for excess in excesses), reverse=True)
    total = direction * total
    for flips in range(len(left) + 1):
        if (total - 2 * math.fsum(left[:flips])) / len(left) <= Z * error:
            return flips
    return None


def reading_figures(card: Figures, centre: float | None, error: float | None, base: float | None) -> Figures:
    """The mean excess if misread calls did as the same stocks on any day, and what the missed ones would have to do."""
    names = ("right_rate", "right_low", "right_high", "found_rate")
    right, low, high, found = (
        None if card.get(f"reading_{name}") is None else float(card[f"reading_{name}"]) for name in names
    )
    corrected = of_corrected = tipping = None
    if right and centre is not None and base is not None:
        corrected = (centre - (1 - right) * base) / right
        if error is not None and low is not None and high is not None:
            of_right = (high - low) / 3.92
            of_corrected = math.sqrt((error / right) ** 2 + (of_right * (centre - base) / right**2) ** 2)
    if centre is not None and found is not None and found < 1:
        tipping = -centre * found / (1 - found)
    corrected_low, corrected_high = interval(corrected, of_corrected)
    return {
        "reading_mean_excess_corrected": percent(corrected),
        "reading_mean_excess_corrected_low": percent(corrected_low),
        "reading_mean_excess_corrected_high": percent(corrected_high),
        "reading_tipping_excess": percent(tipping),
    }


def wilson(share: float | None, trials: float) -> tuple[float | None, float | None]:
    """The 95 % interval of a proportion."""
    if share is None:
        return None, None
    centre = share + Z * Z / (2 * trials)
    margin = Z * math.sqrt(share * (1 - share) / trials + (Z / (2 * trials)) ** 2)
    scale = 1 + Z * Z / trials
    return (centre - margin) / scale, (centre + margin) / scale


def other_days(
    scored: list[Scored], sessions: int, market: Market
) -> tuple[float | None, float | None, float | None, float | None]:
    """What the same stocks and sides did on other days, between the first and the last entry: the two base rates, the
    mean excess, and the p-value of the placebo test."""
    if not scored:
        return None, None, None, None
    first = min(each.entry for each in scored)
    length = max(each.entry for each in scored) - first + 1
    changes: dict[str, list[float | None]] = {}
    excesses: dict[str, list[float | None]] = {}
    for ticker in {each.call.ticker for each in scored}:
        held = [(entry, market.hold(ticker, entry, sessions)[1]) for entry in range(first, first + length)]
        stock = market.stock(ticker)
        changes[ticker] = [stock.change(entry, exit) if exit >= 0 else None for entry, exit in held]
        excesses[ticker] = [market.excess(ticker, entry, exit) if exit >= 0 else None for entry, exit in held]

    def base(days_of: dict[str, list[float | None]], of_day: Callable[[float], float]) -> float:
        means = {}
        for ticker, side in {(each.call.ticker, each.call.side) for each in scored}:
            days = [of_day(side * day) for day in days_of[ticker] if day is not None]
            means[ticker, side] = math.fsum(days) / len(days)
        return math.fsum(means[each.call.ticker, each.call.side] for each in scored) / len(scored)

    def won(day: float) -> float:
        return float(day > 0)

    return (
        base(changes, won),
        base(excesses, won),
        base(excesses, lambda day: day),
        placebo(scored, excesses, first, length),
    )


def placebo(scored: list[Scored], excesses: dict[str, list[float | None]], first: int, length: int) -> float | None:
    """Returns how often the calls do at least as well when all are shifted by the same number of days, cyclically."""
    count = min(length - 1, 200)
    if count < 20:
        return None
    real = math.fsum(each.excess for each in scored) / len(scored)
    sign = -1 if real < 0 else 1
    alike = Counter((each.call.ticker, each.call.side, each.entry - first) for each in scored)
    as_good = 0
    for number in range(1, count + 1):
        shift = number * length // (count + 1)
        total, calls = 0.0, 0
        for (ticker, side, day), times in alike.items():
            excess = excesses[ticker][(day + shift) % length]
            if excess is not None:
                total += times * side * excess
                calls += times
        as_good += not calls or sign * total / calls >= sign * real - SAME_MEAN
    return (1 + as_good) / (count + 1)


def portfolio_figures(calls: list[Call], sessions: int, market: Market) -> Figures:
    """A follower of all calls holds each stock from the session after its entry for the horizon, on the side of the
    latest call on it. Each day's return is the mean over what is held, beyond the risk-free rate and after costs; it is
    regressed on the benchmark's. So is the difference from holding the same stocks all the time."""
    entries: dict[str, dict[int, int]] = defaultdict(dict)
    for call in sorted(calls, key=lambda call: (call.moment, call.video_id, call.ticker, call.side)):
        entry, stock = market.entry(call), market.stock(call.ticker)
        if 0 <= entry <= stock.last and stock.traded[entry]:
            entries[call.ticker][entry] = call.side
    sides: dict[str, dict[int, int]] = defaultdict(dict)
    of_calls: dict[str, list[int]] = defaultdict(list)
    for ticker, entered in entries.items():
        starts = sorted(entered)
        for start, replaced in zip(starts, [*starts[1:], market.last]):
            days = range(start + 1, min(start + sessions, replaced, market.stock(ticker).last) + 1)
            sides[ticker].update(dict.fromkeys(days, entered[start]))
            if days:
                of_calls[ticker].append(entered[start])
    days_held = sorted({day for held in sides.values() for day in held})
    own = own_stocks(of_calls, days_held, market)
    y = [portfolio_return(sides, day, market) for day in days_held]
    x = [market.benchmark.change(day - 1, day) - market.risk_free(day) for day in days_held]
    differences = [ours - theirs for ours, theirs in zip(y, own)]
    timing = regression_figures(differences, x)
    if timing["alpha_percent"] is not None and all(abs(difference) <= 1e-12 for difference in differences):
        timing["alpha_t"], timing["p_value"] = None, 1.0
    return {
        "days_invested": len(days_held),
        **regression_figures(y, x),
        "timing_alpha_percent": timing["alpha_percent"],
        "timing_t": timing["alpha_t"],
        "timing_p_value": timing["p_value"],
    }


def portfolio_return(sides: dict[str, dict[int, int]], day: int, market: Market) -> float:
    """The mean over what is held, less the cost of what is opened on that day or closed at its end."""
    returns = []
    trades = 0
    for ticker, held in sides.items():
        if day in held:
            returns.append(held[day] * market.daily_excess(ticker, day))
            trades += held.get(day - 1) != held[day]
            trades += day < market.last and held.get(day + 1) != held[day]
    return (math.fsum(returns) - market.cost * trades) / len(returns)


def own_stocks(of_calls: dict[str, list[int]], days: list[int], market: Market) -> list[float]:
    """The return on each day of all stocks ever held, each weighted by the sum of the sides of its calls. Where some
    have no return, the others take their weight."""
    count = sum(map(len, of_calls.values()))
    weights = {ticker: sum(held) / count for ticker, held in of_calls.items()}
    whole = math.fsum(map(abs, weights.values()))
    returns = []
    for day in days:
        trading = [t for t in weights if market.stock(t).first < day <= market.stock(t).last]
        present = math.fsum(abs(weights[ticker]) for ticker in trading)
        total = math.fsum(weights[ticker] * market.daily_excess(ticker, day) for ticker in trading)
        returns.append(total * whole / present if present else 0.0)
    return returns


def regression_figures(y: list[float], x: list[float]) -> Figures:
    figures: Figures = dict.fromkeys(("alpha_percent", "alpha_t", "beta", "p_value", "expected_alpha_percent"))
    count = len(y)
    if count < 20:
        return figures
    mean_x, mean_y = math.fsum(x) / count, math.fsum(y) / count
    spread = math.fsum((each - mean_x) ** 2 for each in x)
    if spread == 0:
        return figures
    beta = math.fsum((each - mean_x) * value for each, value in zip(x, y)) / spread
    alpha = mean_y - beta * mean_x
    # Each day's contribution to the error of alpha: its residual times its weight in the intercept.
    parts = [
        (value - alpha - beta * each) * (1 / count - mean_x * (each - mean_x) / spread) for each, value in zip(x, y)
    ]
    # Newey-West: neighbouring days are correlated, less so the further apart they are.
    lags = math.floor(4 * (count / 100) ** (2 / 9))
    variance = math.fsum(part * part for part in parts)
    for lag in range(1, lags + 1):
        together = math.fsum(one * other for one, other in zip(parts, parts[lag:]))
        variance += 2 * (1 - lag / (lags + 1)) * together
    error = math.sqrt(max(variance, 0.0))
    figures["alpha_percent"], figures["beta"] = 100 * 252 * alpha, beta
    figures["expected_alpha_percent"] = 100 * 252 * alpha * 0.05**2 / (0.05**2 + (252 * error) ** 2)
    if error > 1e-12:
        figures["alpha_t"] = alpha / error
        figures["p_value"] = math.erfc(abs(alpha / error) / math.sqrt(2))
    return figures


def calls_needed(excesses: list[float]) -> int | None:
    """Returns how many independent calls would be needed to detect an excess of 2 %."""
    if len(excesses) < 2:
        return None
    return math.ceil(((Z + Z_POWER) * statistics.stdev(excesses) / 0.02) ** 2)


def run_ups(calls: list[Call], market: Market) -> list[float]:
    """Returns how far each stock had outrun the benchmark in the 21 sessions before its entry."""
    found = []
    for call in calls:
        entry, stock = market.entry(call), market.stock(call.ticker)
        if 0 <= entry <= stock.last and stock.traded[entry] and entry - 21 >= stock.first:
            found.append(market.excess(call.ticker, entry - 21, entry))
    return found


def without_best_ticker(scored: list[Scored]) -> Figures:
    sums: dict[str, float] = defaultdict(float)
    for each in scored:
        sums[each.call.ticker] += each.excess
    best = min(sums, key=lambda ticker: (-sums[ticker], ticker)) if sums else None
    rest = [each.excess for each in scored if each.call.ticker != best]
    return {
        "without_best_ticker_ticker": best,
        "without_best_ticker_mean_excess_percent": percent(mean(rest)) if best else None,
    }


def by_kind(scored: list[Scored], kind: str) -> Figures:
    excesses = [each.excess for each in scored if each.call.side == SIDES[kind]]
    return {
        f"by_kind_{kind}_calls": len(excesses),
        f"by_kind_{kind}_mean_excess_percent": percent(mean(excesses)),
        f"by_kind_{kind}_beat_rate": mean([float(excess > 0) for excess in excesses]),
    }


def other_entry(scored: list[Scored], entries: list[int], sessions: int, market: Market) -> float | None:
    """The mean excess with alternative entries, over the scored calls that have a result with them."""
    found = []
    for each, entry in zip(scored, entries):
        _, exit = market.hold(each.call.ticker, entry, sessions)
        if exit >= 0:
            found.append(each.call.side * market.excess(each.call.ticker, entry, exit))
    return percent(mean(found))


def mean(values: list[float]) -> float | None:
    return math.fsum(values) / len(values) if values else None


def percent(fraction: float | None) -> float | None:
    return None if fraction is None else 100 * fraction


def sha256_of(calls: list[Call]) -> str:
    kinds = {side: kind for kind, side in SIDES.items()}
    lines = sorted(
        f"{call.video_id}\t{call.ticker}\t{kinds[call.side]}\t{call.published_at}\t{call.published_time or ''}\n"
        for call in calls
    )
    return hashlib.sha256("".join(lines).encode()).hexdigest()


# Comparing


class Comparison:
    """Counts figures that agree and lists those that do not."""

    def __init__(self) -> None:
        self.figures = 0
        self.differences: list[str] = []

    def compare(self, where: str, stated: Figures | None, computed: Figures | None) -> bool:
        before = len(self.differences)
        if stated is None or computed is None:
            self.differences.append(f"{where}: {'not in the archive' if stated is None else 'no such call or channel'}")
            return False
        for name, ours in computed.items():
            self.figures += 1
            theirs = stated.get(name)
            if not agree(theirs, ours):
                self.differences.append(f"{where} {name}: the archive says {theirs}, computed {ours}")
        return len(self.differences) == before


def agree(stated: Any, computed: Any) -> bool:
    if stated is None or computed is None:
        return stated is computed
    if isinstance(computed, str):
        return bool(stated == computed)
    try:
        return math.isclose(float(stated), float(computed), rel_tol=AGREEMENT, abs_tol=NOTHING)
    except ValueError:
        return False


def recompute(archive: Archive) -> int:
    with archive.text("manifest.json") as text:
        manifest = json.load(text)
    lead = timedelta(days=manifest["days_before_first_call"])
    prices: Prices = defaultdict(dict)
    for row in archive.rows("prices"):
        prices[row["ticker"]][date.fromisoformat(row["day"])] = float(row["close"]), float(row["total_close"])
    calls = calls_by_channel(archive)

    def market_of(channel_id: str) -> Market:
        days = [call.published_at for call in calls[channel_id]]
        return Market(prices, manifest, since=date.fromisoformat(min(days)) - lead if days else date.min)

    comparison = Comparison()
    compare_scorecards(archive, calls, market_of, comparison)
    compare_calls(archive, calls, market_of, comparison)
    for difference in comparison.differences[:SHOWN]:
        print(difference, file=sys.stderr)
    count = len(comparison.differences)
    print(f"\n{comparison.figures} figures computed; {count or 'none'} differ{'s' if count == 1 else ''}.")
    return 1 if count else 0


def calls_by_channel(archive: Archive) -> dict[str, list[Call]]:
    """Oldest first."""
    videos = {row["id"]: row for row in archive.rows("videos")}
    calls: dict[str, list[Call]] = {row["id"]: [] for row in archive.rows("channels")}
    for row in archive.rows("mentions"):
        if row["sentiment"] in SIDES and row["review"] != "rejected":
            calls[row["channel_id"]].append(call_of(row, videos[row["video_id"]]))
    return {channel_id: sorted(said) for channel_id, said in calls.items()}


def compare_scorecards(
    archive: Archive, calls: dict[str, list[Call]], market_of: Callable[[str], Market], comparison: Comparison
) -> None:
    cards = {(row["channel_id"], row["horizon"]): row for row in archive.rows("scorecards")}
    for channel in archive.rows("channels"):
        channel_id, said = channel["id"], calls[channel["id"]]
        market = market_of(channel_id)
        print(f"\n{channel['name']} ({channel_id}), {len(said)} calls: the archive's figures | computed here")
        print(f"{'':4}{'scored':>8}{'mean excess %':>28}{'alpha % a year':>28}{'p-value':>24}")
        for horizon, sessions in HORIZONS.items():
            card = cards.pop((channel_id, horizon), None)
            score = {**score_of(said, sessions, market, card or {}), "calls_sha256": sha256_of(said)}
            agrees = comparison.compare(f"scorecards {channel_id} {horizon}", card, score)
            print(line_of(horizon, card or {}, score), "" if agrees else "  DIFFERS")
    for unknown in cards:
        comparison.compare(f"scorecards {unknown}", {}, None)


def compare_calls(
    archive: Archive, calls: dict[str, list[Call]], market_of: Callable[[str], Market], comparison: Comparison
) -> None:
    """Compares row by row, since there may be many. Rows are grouped by channel, so one market is cached."""
    expected = {
        (channel_id, call.video_id, call.ticker, horizon): call
        for channel_id, said in calls.items()
        for call in said
        for horizon in HORIZONS
    }
    of_market, market = None, None
    for row in archive.rows("calls"):
        place = (row["channel_id"], row["video_id"], row["ticker"], row["horizon"])
        call = expected.pop(place, None)
        if call and (market is None or of_market != row["channel_id"]):
            of_market, market = row["channel_id"], market_of(row["channel_id"])
        result = result_of(call, HORIZONS[row["horizon"]], market) if call and market else None
        comparison.compare(f"calls {place}", row, result)
    for missing in expected:
        comparison.compare(f"calls {missing}", None, {})


def line_of(horizon: str, stated: Figures, computed: Figures) -> str:
    """Shows the archive's value next to the computed one."""
    pairs = []
    for name, width in (("mean_excess_percent", 28), ("alpha_percent", 28), ("p_value", 24)):
        pair = (shown(figures.get(name)) for figures in (stated, computed))
        pairs.append(" | ".join(pair).rjust(width))
    return f"{horizon:4}{computed['calls']:>8}{''.join(pairs)}"


def shown(figure: Any) -> str:
    try:
        return "-" if figure is None else f"{float(figure):.6f}"
    except ValueError:
        return "?"


def main(arguments: list[str]) -> int:
    path = Path(arguments[0]) if arguments else Path(__file__).resolve().parent
    try:
        return recompute(Archive(path))
    except (OSError, KeyError, ValueError, TypeError, zipfile.BadZipFile) as problem:
        print(f"The archive in {path} cannot be read: {problem!r}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    sys.exit(main(sys.argv[1:]))
