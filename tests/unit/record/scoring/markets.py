"""Markets and calls to score: made by hand, at random, and those of the demo."""

import json
import math
import random
from collections.abc import Sequence
from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from pathlib import Path

from functions.reading.analyst import Speech
from functions.reading.models.recorded import RecordedAnalyst
from functions.reading.policy import calls_of
from functions.reading.rules.analyst import RulesAnalyst
from functions.reading.statements import Speaker
from functions.record.models.series import Series
from functions.record.scoring.returns import Market
from functions.record.scoring.types import Call
from functions.record.sources import demo
from functions.record.sources.demo.channels import channels
from functions.record.sources.demo.prices import DemoPrices
from functions.runtime.clock import timestamp

BENCHMARK = "^GSPC"
RATE = "^IRX"
SIDES = {"buy": 1, "sell": -1}
DEMO = Path(demo.__file__).parent


def weekdays(count: int, start: date = date(2020, 1, 1)) -> tuple[date, ...]:
    days = (start + timedelta(days=number) for number in range(2 * count + 5))
    return tuple(day for day in days if day.weekday() < 5)[:count]


def a_series(ticker: str, closes: Sequence[float | None], days: Sequence[date] | None = None) -> Series:
    """Without the days that have no close."""
    rows = [(day, close) for day, close in zip(days or weekdays(len(closes)), closes, strict=True) if close is not None]
    kept = tuple(close for _, close in rows)
    return Series(ticker, tuple(day for day, _ in rows), kept, kept)


def a_random_walk(dice: random.Random, length: int, volatility: float = 0.02) -> list[float]:
    closes, close = [], dice.uniform(5, 500)
    for _ in range(length):
        close *= max(0.05, 1 + dice.gauss(0.0004, volatility))
        closes.append(round(close, 4))
    return closes


def a_random_market(dice: random.Random, sessions: int, tickers: int) -> tuple[dict[str, Series], Series]:
    """Some stocks are listed late, end early, lag behind, or miss closes."""
    days = weekdays(sessions)
    series = {}
    for number in range(tickers):
        closes: list[float | None] = [*a_random_walk(dice, sessions)]
        match dice.randrange(6):
            case 0:
                listed = dice.randrange(sessions)
                closes[:listed] = [None] * listed
            case 1:
                last = dice.randrange(sessions)
                closes[last + 1 :] = [None] * (sessions - last - 1)
            case 2:
                lag = dice.randrange(1, 8)
                closes[-lag:] = [None] * len(closes[-lag:])
            case 3:
                closes = [None if dice.random() < 0.1 else close for close in closes]
        series[f"T{number}"] = a_series(f"T{number}", closes, days)
    return series, a_series(BENCHMARK, a_random_walk(dice, sessions, 0.01), days)


def a_random_rate(dice: random.Random, benchmark: Series, *, finite: bool = False) -> Series:
    """Annual rates in percent: some days are missing, some rates are nonsense, and the first may come late."""
    rates: list[float | None] = []
    for number in range(len(benchmark.days)):
        rate = (
            dice.choice((None if finite else math.nan, -7.0, 60.0, None))
            if dice.random() < 0.1
            else dice.uniform(-0.5, 6)
        )
        rates.append(None if number < 10 else rate)
    return a_series(RATE, rates, benchmark.days)


def random_calls(dice: random.Random, count: int, benchmark: Series, tickers: int) -> list[Call]:
    """One ticker more than there are stocks, days before the first session and after the last, some without a time."""
    first, last = benchmark.days[0] - timedelta(days=4), benchmark.days[-1] + timedelta(days=4)
    calls = []
    for number in range(count):
        day = first + timedelta(days=dice.randrange((last - first).days + 1))
        # From noon on, the day in New York is the same as in UTC.
        clock = time(dice.randrange(12, 24), dice.choice((0, 29, 30, 59)), tzinfo=UTC)
        calls.append(
            Call(
                video_id=f"v{dice.randrange(count)}-{number}",
                ticker=f"T{dice.randrange(tickers + 1)}",
                side=dice.choice((1, 1, -1)),
                published_at=day.isoformat(),
                published_time=datetime.combine(day, clock).isoformat().replace("+00:00", "Z")
                if dice.random() < 0.6
                else None,
            )
        )
    return calls


@cache
def demo_market() -> Market:
    series, benchmark, rate = demo_series()
    return Market(series, benchmark, rate)


@cache
def demo_series() -> tuple[dict[str, Series], Series, Series]:
    """The stocks, the benchmark and the risk-free rate."""
    prices, last = DemoPrices(), DemoPrices().today()
    header = (DEMO / "prices.csv").read_text().partition("\n")[0].split(",")[1:]
    series = {}
    for ticker in (*header, RATE):
        closes = prices.history(ticker, date.min, last).closes
        series[ticker] = a_series(ticker, [close.close for close in closes], [close.day for close in closes])
    rate = series.pop(RATE)
    return series, series[BENCHMARK], rate


@cache
def read_calls(handle: str, *, speakers: frozenset[Speaker] = frozenset(Speaker)) -> tuple[Call, ...]:
    """The calls of a demo channel as the demo's analyst reads them."""
    channel = next(channel for channel in channels() if channel.handle == handle)
    analyst = RecordedAnalyst(RulesAnalyst)
    return tuple(
        Call(
            video.youtube_video_id,
            call.ticker,
            SIDES[call.sentiment],
            video.published_at.isoformat(),
            timestamp(video.published_time) if video.published_time else None,
        )
        for video in channel.videos
        for call in calls_of(
            analyst.analyse(Speech(channel.transcripts.get(video.youtube_video_id, ""), video.published_at)).statements
        )
        if call.sentiment in SIDES and call.statement.speaker in speakers
    )


@cache
def demo_calls() -> dict[str, list[Call]]:
    """By handle: the calls that the transcripts mean to make."""
    return {
        channel["handle"]: [
            Call(
                video["youtube_video_id"],
                call["ticker"],
                SIDES[call["sentiment"]],
                video["published_at"],
                video.get("published_time"),
            )
            for video in channel["videos"]
            if video["transcript"] is not None
            for call in video["calls"]
            if call["sentiment"] in SIDES
        ]
        for channel in json.loads((DEMO / "channels.json").read_text())
    }
