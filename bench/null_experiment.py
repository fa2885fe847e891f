"""Does the score find skill in luck? Scores channels that call at random, and channels with some foresight:
`python -m bench.null_experiment`. Its figures are in docs/scoring.md."""

import csv
import math
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from datetime import date, timedelta
from functools import cache
from itertools import repeat
from pathlib import Path
from random import Random
from statistics import fmean
from typing import NamedTuple

from bench.measure import table
from functions.record.models.series import Series
from functions.record.scoring.leaderboard import leaderboard, standing_of
from functions.record.scoring.returns import Market, chronological, has_result, position_of
from functions.record.scoring.scorecard import score_at
from functions.record.scoring.types import Call, Horizon, LeaderboardEntry, Standing, Verdict
from functions.record.sources import demo

CHANNELS = 500
SKILLED_CHANNELS = 200
CALLS = 60
SEED = 20_221_228
HORIZONS = (Horizon.MONTH, Horizon.QUARTER, Horizon.YEAR)
FORESIGHTS = (0.0, 0.01, 0.02, 0.05)
SESSIONS = 1_000
STOCKS = 40
SIMULATED_MARKETS = 20
FOUND = (Verdict.BEATS_MARKET, Verdict.LAGS_MARKET)


class Universe(NamedTuple):
    """A market, and the stocks that channels choose from."""

    market: Market
    tickers: tuple[str, ...]


class Rates(NamedTuple):
    """Shares of the channels."""

    alpha: float
    """Alpha significantly different from zero at 5 %."""
    placebo: float
    """Dates significantly different from random ones at 5 %."""
    alone: float
    """Judged better or worse than the market, each channel separately."""
    together: float
    """Judged better or worse on one leaderboard."""


def demo_universe(_: int = 0) -> Universe:
    """Twenty stocks that all survived, and as a group beat the index."""
    with (Path(demo.__file__).parent / "prices.csv").open(encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    days = tuple(date.fromisoformat(row[0]) for row in rows)
    closes = {ticker: tuple(float(row[column]) for row in rows) for column, ticker in enumerate(header) if column}
    series = {ticker: Series(ticker, days, values, values) for ticker, values in closes.items()}
    benchmark = series.pop("^GSPC")
    return Universe(Market(series, benchmark), tuple(series))


def simulated_universe(number: int) -> Universe:
    """One factor, fat tails, clustered volatility, and no stock with an alpha."""
    dice = Random(SEED + number)
    days = tuple(date(2020, 1, 1) + timedelta(days=day) for day in range(SESSIONS))
    factor = [0.08 / 252 + shock for shock in _shocks(dice, yearly_volatility=0.18)]
    series = {"MARKET": _series("MARKET", days, factor)}
    for stock in range(STOCKS):
        beta, own = dice.uniform(0.6, 1.5), _shocks(dice, yearly_volatility=dice.uniform(0.2, 0.45))
        changes = [beta * common + shock for common, shock in zip(factor, own, strict=True)]
        series[f"S{stock}"] = _series(f"S{stock}", days, changes)
    benchmark = series.pop("MARKET")
    return Universe(Market(series, benchmark), tuple(series))


def random_calls(dice: Random, universe: Universe, sell_share: float, foresight: float, horizon: Horizon) -> list[Call]:
    """Random stocks and days; with foresight, some calls are the better of two, so that their mean excess is
    higher by as much."""
    share = foresight / _lift_of_the_better_of_two(universe, sell_share, horizon) if foresight else 0.0
    assert share <= 1, "more foresight than the better of two has"

    def draw(number: int) -> Call:
        side = -1 if dice.random() < sell_share else 1
        day = dice.choice(universe.market.sessions[: -horizon.sessions - 1])
        return Call(f"v{number}", dice.choice(universe.tickers), side, day.isoformat())

    def draw_one(number: int) -> Call:
        call = draw(number)
        if dice.random() >= share:
            return call
        return max(call, draw(number), key=lambda one: _excess(one, horizon, universe.market))

    return [draw_one(number) for number in range(CALLS)]


def standing(seed: int, universe: Universe, sell_share: float, foresight: float, horizon: Horizon) -> Standing:
    calls = random_calls(Random(seed), universe, sell_share, foresight, horizon)
    return standing_of(f"{seed:06}", score_at(horizon, chronological(calls), universe.market))


def rates_of(standings: Sequence[Standing], found: Sequence[Verdict] = FOUND) -> Rates:
    def share(of: Callable[[Standing], bool]) -> float:
        return sum(map(of, standings)) / len(standings)

    def called(entries: Sequence[LeaderboardEntry]) -> int:
        return sum(entry.verdict in found for entry in entries)

    return Rates(
        alpha=share(lambda one: one.p_value is not None and one.p_value <= 0.05),
        placebo=share(lambda one: one.placebo_p_value is not None and one.placebo_p_value <= 0.05),
        alone=share(lambda one: bool(called(leaderboard([one])))),
        together=called(leaderboard(standings)) / len(standings),
    )


def standings_of(
    make: Callable[[int], Universe], markets: int, channels: int, sell_share: float, foresight: float, horizon: Horizon
) -> list[Standing]:
    """As many channels in each market."""
    return [
        standing(SEED + number, _universe(make, number % markets), sell_share, foresight, horizon)
        for number in range(channels)
    ]


def main() -> None:
    worlds: dict[str, tuple[Callable[[int], Universe], int]] = {
        "demo": (demo_universe, 1),
        "simulated": (simulated_universe, SIMULATED_MARKETS),
    }
    nulls = [
        (world, kind, sells, horizon)
        for world in worlds
        for kind, sells in (("buys only", 0.0), ("30 % sells", 0.3))
        for horizon in HORIZONS
    ]
    powers = [(world, foresight) for world in worlds for foresight in FORESIGHTS]
    with ProcessPoolExecutor() as pool:
        random_channels = [
            pool.submit(standings_of, *worlds[world], CHANNELS, sells, 0.0, horizon)
            for world, _, sells, horizon in nulls
        ]
        with_foresight = [
            pool.submit(standings_of, *worlds[world], SKILLED_CHANNELS, 0.3, foresight, Horizon.QUARTER)
            for world, foresight in powers
        ]
        null_rows = [
            _told(world, kind, horizon, *_percents(rates_of(job.result())))
            for (world, kind, _, horizon), job in zip(nulls, random_channels, strict=True)
        ]
        power_rows = [
            _told(
                world,
                f"{foresight:.0%}",
                f"{fmean(one.mean_excess_percent or 0.0 for one in job.result()):.1f}",
                *_percents(rates_of(job.result(), [Verdict.BEATS_MARKET])),
            )
            for (world, foresight), job in zip(powers, with_foresight, strict=True)
        ]
    header = ("alpha, 5 %", "placebo, 5 %", "alone", "on one leaderboard")
    print(
        table(
            f"{CHANNELS} channels of {CALLS} random calls: % called better or worse than the market",
            ("market", "calls", "horizon", *header),
            null_rows,
        )
        + table(
            f"{SKILLED_CHANNELS} channels of {CALLS} calls with foresight, 3m: % called better than the market",
            ("market", "foresight", "mean excess", *header),
            power_rows,
        )
    )


def _told(*row: str) -> tuple[str, ...]:
    """The row, shown while the next ones are still being computed."""
    print(*row, file=sys.stderr, flush=True)
    return row


def _percents(rates: Rates) -> Iterator[str]:
    return (f"{100 * rate:.1f}" for rate in rates)


@cache
def _universe(make: Callable[[int], Universe], number: int) -> Universe:
    return make(number)


@cache
def _lift_of_the_better_of_two(universe: Universe, sell_share: float, horizon: Horizon) -> float:
    """The mean advantage in excess return of the better of two random calls."""
    dice = Random(SEED)
    sessions = universe.market.sessions[: -horizon.sessions - 1]
    excesses = [
        _excess(
            Call("v", dice.choice(universe.tickers), -1 if dice.random() < sell_share else 1, day.isoformat()),
            horizon,
            universe.market,
        )
        for day in (dice.choice(sessions) for _ in range(20_000))
    ]
    return fmean(map(max, excesses[::2], excesses[1::2])) - fmean(excesses)


def _excess(call: Call, horizon: Horizon, market: Market) -> float:
    position = position_of(call, horizon, market)
    assert has_result(position.status)
    return call.side * position.excess


def _shocks(dice: Random, yearly_volatility: float) -> Iterator[float]:
    """GARCH(1, 1) with Student's t of four degrees of freedom."""
    usual = yearly_volatility**2 / 252
    variance = usual
    for _ in repeat(None, SESSIONS):
        # The square root of 2 is the deviation of this t.
        shock = math.sqrt(variance / 2) * dice.gauss(0, 1) / math.sqrt(dice.gammavariate(2, 0.5))
        yield max(-0.5, min(0.5, shock))
        variance = 0.02 * usual + 0.08 * min(shock**2, 25 * usual) + 0.90 * variance


def _series(ticker: str, days: tuple[date, ...], changes: Sequence[float]) -> Series:
    closes, close = [], 100.0
    for change in changes:
        close *= max(0.01, 1 + change)
        closes.append(close)
    return Series(ticker, days, tuple(closes), tuple(closes))


if __name__ == "__main__":
    main()
