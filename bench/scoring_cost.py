"""Measures scoring a channel: processor time and memory, beside the same figures made with pandas."""

import json
import os
import resource
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable
from datetime import date, timedelta
from random import Random
from typing import Any

from bench.measure import table
from functions.record.models.series import Series
from functions.record.scoring.returns import Market
from functions.record.scoring.scorecard import score_channel
from functions.record.scoring.types import Call, Horizon

CALLS = (1_250, 2_500, 5_000, 10_000)
COMPARED = 5_000
TICKERS = 60
YEARS = 3
SESSIONS = YEARS * 252
SEED = 20_221_228


def run() -> tuple[str, dict[str, Any]]:
    ours = {calls: _in_a_process(calls, "ours") for calls in CALLS}
    theirs = _in_a_process(COMPARED, "pandas")
    rows = [(f"{calls} calls", *_cells(figures)) for calls, figures in ours.items()]
    rows.append((f"{COMPARED} calls with pandas", *_cells(theirs)))
    title = f"Scoring a channel: {TICKERS} tickers, {YEARS} years, all horizons, placebo included"
    text = table(title, ("", "processor seconds", "peak MB", "of it before", "scoring alone, MB"), rows)
    return text, {**{str(calls): figures for calls, figures in ours.items()}, "pandas": theirs}


def measure(calls: int, with_what: str) -> dict[str, float]:
    """The figures of this process; the memory includes the interpreter and what it has loaded."""
    channel, series, benchmark = _channel(calls)
    rate = Series("RATE", benchmark.days, (2.0,) * len(benchmark.days), (2.0,) * len(benchmark.days))
    score = _with_pandas() if with_what == "pandas" else _with_ours
    before = _peak_megabytes()
    start = time.process_time()
    score(channel, series, benchmark, rate)
    seconds, peak = time.process_time() - start, _peak_megabytes()
    own = {"own_mb": memory_of_scoring(calls)} if with_what == "ours" else {}
    return {"seconds": seconds, "peak_mb": peak, "before_mb": before, **own}


def memory_of_scoring(calls: int) -> float:
    """Megabytes that scoring takes beyond its calls and prices, at its peak. Tracing slows the work."""
    channel, series, benchmark = _channel(calls)
    rate = Series("RATE", benchmark.days, (2.0,) * len(benchmark.days), (2.0,) * len(benchmark.days))
    tracemalloc.start()
    try:
        _with_ours(channel, series, benchmark, rate)
        return tracemalloc.get_traced_memory()[1] / 1024**2
    finally:
        tracemalloc.stop()


def _with_ours(calls: list[Call], series: dict[str, Series], benchmark: Series, rate: Series) -> object:
    return score_channel(calls, Market(series, benchmark, rate))


def _with_pandas() -> Callable[[list[Call], dict[str, Series], Series, Series], object]:
    from tests.unit.record.scoring import oracle

    return lambda calls, series, benchmark, rate: [
        oracle.score(calls, horizon.value, series, benchmark, rate, 10.0, oracle.Reading()) for horizon in Horizon
    ]


def _in_a_process(calls: int, with_what: str) -> dict[str, float]:
    # One thread: the processor time of several would not be comparable.
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    command = [sys.executable, "-m", "bench.scoring_cost", str(calls), with_what]
    done = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    figures: dict[str, float] = json.loads(done.stdout)
    return figures


def _channel(calls: int) -> tuple[list[Call], dict[str, Series], Series]:
    """Calls over three years, and a year more of prices, so that every horizon is scored."""
    dice = Random(SEED)
    days = tuple(date(2020, 1, 1) + timedelta(days=number) for number in range(SESSIONS + Horizon.YEAR.sessions + 1))
    series = {f"T{number}": _random_series(f"T{number}", days, dice) for number in range(TICKERS)}
    channel = [
        Call(f"v{number}", dice.choice(list(series)), dice.choice((1, 1, -1)), day, f"{day}T18:00:00Z")
        for number, day in enumerate(dice.choice(days[:SESSIONS]).isoformat() for _ in range(calls))
    ]
    return channel, series, _random_series("MARKET", days, dice)


def _random_series(ticker: str, days: tuple[date, ...], dice: Random) -> Series:
    closes = [100.0]
    while len(closes) < len(days):
        closes.append(closes[-1] * max(0.5, 1 + dice.gauss(0.0003, 0.02)))
    return Series(ticker, days, tuple(closes), tuple(closes))


def _peak_megabytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _cells(figures: dict[str, float]) -> tuple[str, ...]:
    return (
        f"{figures['seconds']:.2f}",
        f"{figures['peak_mb']:.0f}",
        f"{figures['before_mb']:.0f}",
        f"{figures['own_mb']:.1f}" if "own_mb" in figures else "",
    )


if __name__ == "__main__":
    sys.stdout.write(json.dumps(measure(int(sys.argv[1]), sys.argv[2])))
