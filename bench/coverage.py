"""Measures how far the score can be trusted: do its intervals hold the truth, and does it find skill in luck?

Channels without skill are scored on markets without alpha: the demo's daily returns, resampled in blocks of days, less
each stock's mean. All of the product's own functions are used. The tables are in docs/scoring.md.
"""

import csv
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from datetime import date
from functools import cache, partial
from itertools import accumulate, pairwise
from math import comb
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Any, NamedTuple

from bench.measure import table
from functions.record.models.series import Series
from functions.record.scoring.leaderboard import FIGURES, HIGHEST_Q, leaderboard, standing_of
from functions.record.scoring.own_stocks import timing_of
from functions.record.scoring.portfolio import alpha_of, days_invested, holdings
from functions.record.scoring.returns import Market, chronological, position_of
from functions.record.scoring.scorecard import score_at
from functions.record.scoring.types import DEFAULT_COST_BPS, PRIMARY_HORIZON, Call, Horizon, Standing, Verdict
from functions.record.sources import demo

MARKETS = 120
MARKETS_ALONE = 1000
"""Markets for the verdicts on channels judged alone, whose rare errors take more of them."""
REAL_CHANNELS = 40
"""Channels of each habit and size on the demo's own prices."""
SIZES = (25, 60, 150)
ON_A_BOARD = (60, 150)
"""The sizes of the channels on a leaderboard: one of each habit and size, which makes 20."""
POWER_CHANNELS = 100
POWER_CALLS = 200
COSTS = (DEFAULT_COST_BPS, 0.0)
EDGE = 0.04
"""The gain of a skilled channel's stocks beyond the market in the three months after a call."""
BLOCK = 10
"""Sessions resampled together, so that days keep what they have in common with their neighbours."""
PAST = 21
"""Sessions that momentum and dips look back."""
YOUNG = 126
"""Sessions between the first and the last entry of a young channel."""
SEED = 20_221_228
BENCHMARK = "^GSPC"
HEALTH = ("JNJ", "LLY", "MRK", "PFE", "UNH")
DEMO_FOLDER = Path(demo.__file__).parent

Pick = tuple[int, str, int]
"""A session, a ticker and a side."""


class Returns(NamedTuple):
    """Daily returns of each ticker, the benchmark among them."""

    days: tuple[date, ...]
    by_ticker: Mapping[str, Sequence[float]]


class World(NamedTuple):
    """A market, and the sessions at which every horizon can be entered."""

    market: Market
    tickers: tuple[str, ...]
    first: int
    last: int


class Channel(NamedTuple):
    habit: str
    calls: int
    intervals: dict[Horizon, tuple[float, float] | None]
    standings: dict[Horizon, Standing]


# Markets


@cache
def demo_returns() -> Returns:
    with (DEMO_FOLDER / "prices.csv").open(encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    closes = {ticker: [float(row[column]) for row in rows] for column, ticker in enumerate(header) if column}
    days = tuple(date.fromisoformat(row[0]) for row in rows)
    return Returns(days, {ticker: _changes(values) for ticker, values in closes.items()})


def market_without_alpha(number: int) -> World:
    """Resamples days in blocks, the same for all stocks. Nothing drifts, so that every true excess is zero."""
    dice, returns = Random(SEED + number), demo_returns()
    length = len(returns.days)
    sample = _block_sample(dice, length - 1, length - 1)
    resampled = {}
    for ticker, changes in returns.by_ticker.items():
        mean = fmean(changes)
        resampled[ticker] = [changes[day] - mean for day in sample]
    return _world(Returns(returns.days, resampled))


def real_market(_: int = 0) -> World:
    """The demo's own prices: twenty stocks that all survived, and as a group beat the index."""
    return _world(demo_returns())


def _world(returns: Returns) -> World:
    series = {ticker: _series(ticker, returns.days, changes) for ticker, changes in returns.by_ticker.items()}
    benchmark = series.pop(BENCHMARK)
    market = Market(series, benchmark)
    return World(market, tuple(series), PAST, market.last - Horizon.YEAR.sessions)


def _block_sample(dice: Random, days: int, count: int) -> list[int]:
    starts = (dice.randrange(days) for _ in range(-(-count // BLOCK)))
    return [(start + offset) % days for start in starts for offset in range(BLOCK)][:count]


def _series(ticker: str, days: tuple[date, ...], changes: Sequence[float]) -> Series:
    closes = tuple(accumulate(changes, lambda close, change: close * max(0.01, 1 + change), initial=100.0))
    return Series(ticker, days, closes, closes)


def _changes(closes: Sequence[float]) -> list[float]:
    return [after / before - 1 for before, after in pairwise(closes)]


# Habits of channels that know nothing


def _any_day(dice: Random, world: World) -> int:
    return dice.randint(world.first, world.last)


def _random(dice: Random, world: World, count: int, sells: float) -> Iterator[Pick]:
    for _ in range(count):
        yield _any_day(dice, world), dice.choice(world.tickers), -1 if dice.random() < sells else 1


def _among(dice: Random, world: World, count: int, tickers: Callable[[Random, World], Sequence[str]]) -> Iterator[Pick]:
    chosen = tickers(dice, world)
    for _ in range(count):
        yield _any_day(dice, world), dice.choice(chosen), 1


def _by_the_past(dice: Random, world: World, count: int, winners: bool) -> Iterator[Pick]:
    """Buys one of the three stocks that rose, or fell, most."""
    for _ in range(count):
        session = _any_day(dice, world)

        def past(ticker: str, session: int = session) -> float:
            return world.market.known_stock(ticker).change(session - PAST, session)

        yield session, dice.choice(sorted(world.tickers, key=past, reverse=winners)[:3]), 1


def _bursts(dice: Random, world: World, count: int) -> Iterator[Pick]:
    """Speaks of ten stocks in one week, then is silent for months."""
    session = 0
    for number in range(count):
        if number % 10 == 0:
            session = dice.randint(world.first, world.last - 4)
        yield session + dice.randrange(5), dice.choice(world.tickers), 1


def _young(dice: Random, world: World, count: int) -> Iterator[Pick]:
    """All within half a year, two of three calls on three favourites."""
    start = dice.randint(world.first, world.last - YOUNG)
    favourites = dice.sample(world.tickers, 3)
    for _ in range(count):
        ticker = dice.choice(favourites if dice.random() < 2 / 3 else world.tickers)
        yield start + dice.randrange(YOUNG), ticker, 1


HABITS: dict[str, Callable[[Random, World, int], Iterable[Pick]]] = {
    "random, half sells": partial(_random, sells=0.5),
    "30 % sells": partial(_random, sells=0.3),
    "bull-only": partial(_random, sells=0.0),
    "momentum": partial(_by_the_past, winners=True),
    "dips": partial(_by_the_past, winners=False),
    "one stock": partial(_among, tickers=lambda dice, world: [dice.choice(world.tickers)]),
    "the same five": partial(_among, tickers=lambda dice, world: dice.sample(world.tickers, 5)),
    "a sector": partial(_among, tickers=lambda dice, world: HEALTH),
    "bursts": _bursts,
    "young with favourites": _young,
}


def _calls(picks: Iterable[Pick], market: Market) -> list[Call]:
    """Published before the session opens at whose close they are entered."""
    days = market.sessions
    return [
        Call(f"v{number:04}", ticker, side, days[session].isoformat(), f"{days[session]}T12:00:00Z")
        for number, (session, ticker, side) in enumerate(picks)
    ]


# Scoring


class Alone(NamedTuple):
    """A channel without skill, judged alone at the primary horizon."""

    habit: str
    calls: int
    cost_bps: float
    verdict: Verdict
    is_rejected: bool
    """True if its test against the market alone finds what a tenth of such channels should show."""


def judged_alone(sizes: Sequence[int], number: int) -> list[Alone]:
    """Judges a channel of each habit and size on a market without alpha, with the product's costs and without."""
    world = market_without_alpha(number)
    return [
        _alone(habit, size, chronological(_picked(habit, size, world, number)), world.market, cost_bps)
        for habit in HABITS
        for size in sizes
        for cost_bps in COSTS
    ]


def _alone(habit: str, size: int, calls: Sequence[Call], market: Market, cost_bps: float) -> Alone:
    """Makes only the figures that the verdict takes, because there are many channels."""
    positions = [position_of(call, PRIMARY_HORIZON, market) for call in calls]
    held = list(holdings(calls, PRIMARY_HORIZON, market))
    days = days_invested(held, market, cost_bps)
    alpha = alpha_of([day.excess for day in days], [day.benchmark_excess for day in days])
    timing = timing_of(held, days, market)
    excess = fmean(call.side * position.excess for call, position in zip(calls, positions, strict=True))
    figures = {
        "calls": len(calls),
        "days_invested": len(days),
        "mean_excess_percent": 100 * excess,
        "alpha_percent": alpha.alpha,
        "p_value": alpha.p_value,
        "timing_alpha_percent": timing.alpha,
        "timing_p_value": timing.p_value,
    }
    standing = Standing("alone", **{name: figures.get(name) for name in FIGURES})  # type: ignore[arg-type]
    verdict = leaderboard([{PRIMARY_HORIZON: standing}])[0].verdict
    return Alone(habit, size, cost_bps, verdict, is_rejected=(alpha.p_value or 0.0) <= HIGHEST_Q)


def _picked(habit: str, size: int, world: World, number: int) -> list[Call]:
    return _calls(HABITS[habit](Random(f"{number} {habit} {size}"), world, size), world.market)


def highest_by_chance(rate: float, cells: int, channels: int) -> float:
    """Returns the share that the highest of as many cells stays below in 95 % of cases, if all have the same rate."""
    below = 0.0
    for count in range(channels + 1):
        below += comb(channels, count) * rate**count * (1 - rate) ** (channels - count)
        if below**cells >= 0.95:
            return count / channels
    return 1.0


def channels_on(make: Callable[[int], World], sizes: Sequence[int], number: int) -> list[Channel]:
    """Scores one channel of each habit and size on a market."""
    world = make(number)
    return [
        _scored(habit, size, f"{habit} {size}", _picked(habit, size, world, number), world.market)
        for habit in HABITS
        for size in sizes
    ]


def _scored(
    habit: str, size: int, channel_id: str, calls: Iterable[Call], market: Market, horizons: Iterable[Horizon] = Horizon
) -> Channel:
    oldest_first = chronological(calls)
    scores = [score_at(horizon, oldest_first, market) for horizon in horizons]
    return Channel(
        habit,
        size,
        {
            score.horizon: None
            if score.excess_low_percent is None or score.excess_high_percent is None
            else (score.excess_low_percent, score.excess_high_percent)
            for score in scores
        },
        {score.horizon: standing_of(channel_id, score) for score in scores},
    )


def verdict_alone(channel: Channel, horizon: Horizon) -> Verdict:
    return leaderboard([channel.standings], horizon)[0].verdict


Cell = tuple[str, int, Horizon]


def coverage_by_cell(channels: Iterable[Channel]) -> dict[Cell, float]:
    """Returns the share of intervals that hold zero, which is the truth on markets without alpha."""
    held: dict[Cell, list[bool]] = defaultdict(list)
    for channel in channels:
        for horizon, interval in channel.intervals.items():
            if interval:
                held[channel.habit, channel.calls, horizon].append(interval[0] <= 0 <= interval[1])
    return {cell: fmean(each) for cell, each in held.items()}


def verdicts_by_cell(channels: Iterable[Channel], verdicts: Sequence[Verdict]) -> dict[Cell, float]:
    """Returns the share of channels that get one of the verdicts when judged alone."""
    given: dict[Cell, list[bool]] = defaultdict(list)
    for channel in channels:
        for horizon in Horizon:
            given[channel.habit, channel.calls, horizon].append(verdict_alone(channel, horizon) in verdicts)
    return {cell: fmean(each) for cell, each in given.items()}


def boards_with(boards: Iterable[Sequence[Channel]], verdict: Verdict) -> dict[str, float]:
    """Returns the share of leaderboards on which a channel gets the verdict: by horizon, and at any of them."""
    shown: dict[str, list[bool]] = defaultdict(list)
    for board in boards:
        standings = [channel.standings for channel in board if channel.calls in ON_A_BOARD]
        by_horizon = {
            horizon: any(entry.verdict is verdict for entry in leaderboard(standings, horizon)) for horizon in Horizon
        }
        for horizon, is_shown in by_horizon.items():
            shown[horizon].append(is_shown)
        shown["any"].append(any(by_horizon.values()))
    return {where: fmean(each) for where, each in shown.items()}


def skilled_channel(number: int) -> Channel:
    """Calls on as many stocks, each of which gains beyond the market after its call. The stocks have the demo's betas
    and residuals, which are resampled for each stock alone, so that the calls are independent."""
    dice, returns = Random(SEED - number), demo_returns()
    length = len(returns.days)
    market_changes = [returns.by_ticker[BENCHMARK][day] for day in _block_sample(dice, length - 1, length - 1)]
    benchmark = _series(BENCHMARK, returns.days, market_changes)
    sources = [ticker for ticker in returns.by_ticker if ticker != BENCHMARK]
    series, picks = {}, []
    for stock in range(POWER_CALLS):
        entry = dice.randint(PAST, length - 1 - Horizon.YEAR.sessions)
        beta, residuals = _beta_and_residuals(dice.choice(sources))
        own = _block_sample(dice, length - 1, length - 1)
        changes = [beta * change + residuals[day] for change, day in zip(market_changes, own, strict=True)]
        for session in range(entry, entry + PRIMARY_HORIZON.sessions):
            changes[session] += EDGE / PRIMARY_HORIZON.sessions
        series[f"S{stock}"] = _series(f"S{stock}", returns.days, changes)
        picks.append((entry, f"S{stock}", 1))
    market = Market(series, benchmark)
    return _scored("skilled", POWER_CALLS, "skilled", _calls(picks, market), market, [PRIMARY_HORIZON])


@cache
def _beta_and_residuals(ticker: str) -> tuple[float, list[float]]:
    changes, market = demo_returns().by_ticker[ticker], demo_returns().by_ticker[BENCHMARK]
    mean, market_mean = fmean(changes), fmean(market)
    spread = sum((each - market_mean) ** 2 for each in market)
    beta = sum((one - mean) * (other - market_mean) for one, other in zip(changes, market, strict=True)) / spread
    return beta, [one - mean - beta * (other - market_mean) for one, other in zip(changes, market, strict=True)]


# Tables

FALSE = (Verdict.BEATS_MARKET, Verdict.LAGS_MARKET)


def run() -> tuple[str, dict[str, Any]]:
    with ProcessPoolExecutor() as pool:
        boards = list(pool.map(partial(channels_on, market_without_alpha, SIZES), range(MARKETS), chunksize=5))
        real = list(pool.map(partial(channels_on, real_market, SIZES), range(REAL_CHANNELS), chunksize=5))
        skilled = list(pool.map(skilled_channel, range(POWER_CHANNELS), chunksize=5))
        alone = [
            each
            for judged in pool.map(partial(judged_alone, SIZES), range(MARKETS_ALONE), chunksize=5)
            for each in judged
        ]
    everyone, on_real = [each for board in boards for each in board], [each for board in real for each in board]
    figures = {
        "coverage": coverage_by_cell(everyone),
        "beats or lags, alone": verdicts_by_cell(everyone, FALSE),
        "beats, alone": verdicts_by_cell(everyone, FALSE[:1]),
        "beats or lags, alone, real prices": verdicts_by_cell(on_real, FALSE),
    }
    shown = {
        "no alpha": boards_with(boards, Verdict.BEATS_MARKET),
        "real prices": boards_with(real, Verdict.BEATS_MARKET),
    }
    found = Counter(verdict_alone(each, PRIMARY_HORIZON) for each in skilled)
    power = found[Verdict.BEATS_MARKET] / POWER_CHANNELS
    text = "".join(_table(f"Channels without skill, {name}: %", cells) for name, cells in figures.items())
    rates_alone = rates_of(alone)
    text += _table_alone(rates_alone)
    text += table(
        "Leaderboards of 20 channels without skill: % with a false 'beats'",
        ("market", *Horizon, "any"),
        [(name, *(_percent(rates[where]) for where in (*Horizon, "any"))) for name, rates in shown.items()],
    )
    text += f"\n{POWER_CALLS} independent calls with an edge of {EDGE:.0%} in 3 months: {power:.0%} beat the market.\n"
    return text, {
        **{name: {" ".join(map(str, cell)): rate for cell, rate in cells.items()} for name, cells in figures.items()},
        "alone at 3m": {" ".join(map(str, cell)): rates for cell, rates in rates_alone.items()},
        "leaderboards": shown,
        "power": power,
    }


def rates_of(alone: Iterable[Alone]) -> dict[tuple[str, int], dict[str, float]]:
    """Returns by habit and size the share of channels falsely called better and worse, with costs and without, and of
    those whose test against the market rejects, which should be a tenth."""
    cells: dict[tuple[str, int], list[Alone]] = defaultdict(list)
    for each in alone:
        cells[each.habit, each.calls].append(each)
    return {cell: _rates_alone(each) for cell, each in cells.items()}


def _rates_alone(cell: Sequence[Alone]) -> dict[str, float]:
    with_costs = [each for each in cell if each.cost_bps == COSTS[0]]
    free = [each for each in cell if each.cost_bps == COSTS[1]]
    return {
        "beats": fmean(each.verdict is Verdict.BEATS_MARKET for each in with_costs),
        "lags": fmean(each.verdict is Verdict.LAGS_MARKET for each in with_costs),
        "either": fmean(each.verdict in FALSE for each in with_costs),
        "beats, no costs": fmean(each.verdict is Verdict.BEATS_MARKET for each in free),
        "lags, no costs": fmean(each.verdict is Verdict.LAGS_MARKET for each in free),
        "either, no costs": fmean(each.verdict in FALSE for each in free),
        "p <= 0.1, no costs": fmean(each.is_rejected for each in free),
    }


def _table_alone(rates: Mapping[tuple[str, int], Mapping[str, float]]) -> str:
    names = tuple(next(iter(rates.values())))
    rows = [(*cell, *(_percent(of_cell[name]) for name in names)) for cell, of_cell in rates.items()]
    for title, of in (("mean", fmean), ("highest", max)):
        rows.append((title, "", *(_percent(of([of_cell[name] for of_cell in rates.values()])) for name in names)))
    by_chance = [
        highest_by_chance(fmean(of_cell[name] for of_cell in rates.values()), len(rates), MARKETS_ALONE)
        for name in names
    ]
    rows.append(("highest by chance", "", *map(_percent, by_chance)))
    title = f"Channels without skill, judged alone at {PRIMARY_HORIZON} on {MARKETS_ALONE} markets: %"
    return table(title, ("habit", "calls", *names), rows)


def _table(title: str, cells: Mapping[Cell, float]) -> str:
    rows = [
        (habit, size, *(_percent(cells[habit, size, horizon]) for horizon in Horizon))
        for habit in HABITS
        for size in SIZES
    ]
    for name, of in (("lowest", min), ("mean", fmean), ("highest", max)):
        by_horizon = [[rate for (_, _, each), rate in cells.items() if each is horizon] for horizon in Horizon]
        rows.append((name, "", *(_percent(of(rates)) for rates in by_horizon)))
    return table(title, ("habit", "calls", *Horizon), rows)


def _percent(rate: float) -> str:
    return f"{100 * rate:.1f}"
