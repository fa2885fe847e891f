"""Each section of the bench runs, at its smallest size; and the requests of each read are counted at two sizes."""

import json
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from bench import analyst, headlines, measure, reads
from bench.measure import requests_of, seeded
from bench.scores import store_market
from bench.sections import SECTIONS, run_section
from functions.reading import analysts
from functions.record.models.scores import ReviewOrder
from functions.record.pipeline.keep_score import keep_score
from functions.record.prices import current as pricing
from functions.record.reviews.queue import review_queue
from functions.record.scores.backtests import backtest_of_channel
from functions.record.scores.calls import calls_of_channel, calls_of_stock
from functions.record.scores.kept import leaderboard_page
from functions.record.scoring.types import Horizon, Strategy
from functions.record.sources import selection
from functions.record.stocks.track_record import stocks_of_channel
from functions.runtime import dispatch
from local.seed import TICKERS

SMALLEST: dict[str, dict[str, Any]] = {
    "reads": {"SIZES": ((2, 2),)},
    "series": {"TICKERS": ["BENCH0"], "ROUNDS": 1},
    "scores": {"SIZES": ((4, 4),), "ROUNDS": 1, "CHANNELS": 2},
    "alerts": {"CALLS": 4, "ROUNDS": 1},
    "scoring cost": {"CALLS": (20,), "COMPARED": 20},
    "coverage": {"MARKETS": 1, "MARKETS_ALONE": 1, "REAL_CHANNELS": 1, "POWER_CHANNELS": 1, "SIZES": (25,)},
    "cold start": {"MODULES": ["functions.service.api.health"], "ROUNDS": 2},
    "server": {"SMALL": (2, 2), "LARGE": (3, 2), "CLIENTS": (1,)},
    "channel list": {"SIZES": (1, 2), "ROUNDS": 1, "CLIENTS": 1},
    "analyst": {"SPEED_SAMPLE_WORDS": 100, "ROUNDS": 1},
    "headlines": {"SPEED_SAMPLE": 10, "RESAMPLES": 40},
    "pipeline": {"VIDEOS": 2, "CHANNELS": 2, "VIDEOS_OF_A_CHANNEL": 1, "MEMORY_VIDEOS": (1, 2)},
    "checks": {"SIZES": (2,)},
    "scale": {"SIZES": (4, 12), "VIDEOS": 2},
    "prices": {"VIDEOS": 2, "RESTATED_CALLS": 4, "RESTATED_CHANNELS": 2},
    "costs": {"VIDEOS": 2, "MENTIONS": 2, "PROCESSED": 1},
    "tasks": {"CHAIN": 2, "PLANS": 1, "TASKS_OF_A_PLAN": 3, "WORKERS": 2, "WORK_SECONDS": 0.0},
    "exports": {"SIZES": ((2, 2),)},
    "imports": {"SIZES": ((2, 2),), "ROUNDS": 1},
    "news": {"ITEMS": 5, "WRITE_SECONDS": 0.1, "QUERIES_PER_SECOND": 5, "QUERY_SECONDS": 1.0},
}
"""The constants of each section that set its size."""
TEXTS = 5
PAGE = 5
MOST_REQUESTS = {
    "stocks": 2,
    "calls": 6,
    "calls of a stock": 7,
    "review queue": 4,
    "backtest": 6,
    "leaderboard": 2,
}


@pytest.fixture(autouse=True)
def after_the_bench(tables: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Takes back what the bench replaces in this process: providers, dispatcher and seeded channels."""
    for name in ("videos", "transcripts", "prices"):
        monkeypatch.setattr(selection, name, getattr(selection, name))
    monkeypatch.setattr(analysts, "analyst", analysts.analyst)
    monkeypatch.setattr(pricing, "prices", selection.prices)
    monkeypatch.setattr(dispatch, "_dispatchers", [])
    monkeypatch.setattr(measure, "_other_clients", [])
    seeded.cache_clear()
    yield
    seeded.cache_clear()


@pytest.fixture
def few_texts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A few of the labelled texts and headlines."""
    for module, name in ((analyst, "PASSAGES"), (headlines, "HEADLINES")):
        folder = tmp_path / name
        folder.mkdir()
        for file in getattr(module, name).glob("*.json"):
            (folder / file.name).write_text(json.dumps(json.loads(file.read_text())[:TEXTS]))
        monkeypatch.setattr(module, name, folder)


@pytest.mark.parametrize("section", SECTIONS)
def test_each_section_runs(section: str, few_texts: None, monkeypatch: pytest.MonkeyPatch) -> None:
    module = SECTIONS[section].__module__
    monkeypatch.setattr("bench.server.REQUESTS", 6)
    for constant, value in SMALLEST[section].items():
        monkeypatch.setattr(f"{module}.{constant}", value)

    text, figures = run_section(section)

    assert text.strip()
    assert json.loads(json.dumps(figures))


def test_the_requests_of_a_read_do_not_grow_with_the_channel() -> None:
    small, large = ({read.name: requests_of(read.ours) for read in reads_at_rest(videos)} for videos in (30, 90))

    assert small == large


def reads_at_rest(videos: int) -> list[reads.Read]:
    """The reads of a channel of that size whose prices are fresh."""
    dispatch.dispatch_with(measure.IdleDispatcher())
    found = reads.reads_of(seeded(videos, 4))
    for read in found:
        read.ours()
    return found


def test_the_requests_of_scores_do_not_grow_with_the_channel() -> None:
    store_market()

    small, large = (requests_of_scores(videos) for videos in (30, 90))

    for counts in (small, large):
        assert all(counts[name] <= most for name, most in MOST_REQUESTS.items())


def requests_of_scores(videos: int) -> dict[str, int]:
    channel_id = seeded(videos, 10)
    keep_score(channel_id)
    found: dict[str, Callable[[], object]] = {
        "stocks": partial(stocks_of_channel, channel_id),
        "calls": partial(calls_of_channel, channel_id, Horizon.QUARTER, None, PAGE),
        "calls of a stock": partial(calls_of_stock, TICKERS[0], Horizon.QUARTER, None, PAGE),
        "review queue": partial(review_queue, channel_id, ReviewOrder.SAMPLE, None, PAGE),
        "backtest": partial(backtest_of_channel, channel_id, Strategy.FOLLOW, Horizon.QUARTER, 10.0),
        "leaderboard": partial(leaderboard_page, Horizon.QUARTER, None, PAGE),
    }
    return {name: requests_of(read) for name, read in found.items()}
