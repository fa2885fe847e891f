"""The sections of the bench, in the order in which they run."""

from collections.abc import Callable
from typing import Any

from bench import (
    alerts,
    analyst,
    channel_list,
    checks,
    cold_start,
    costs,
    coverage,
    exports,
    headlines,
    imports,
    news,
    pipeline,
    prices,
    reads,
    scale,
    scores,
    scoring_cost,
    series,
    server,
    tasks,
)
from bench.measure import IdleDispatcher
from functions.runtime.dispatch import dispatch_with

SECTIONS: dict[str, Callable[[], tuple[str, dict[str, Any]]]] = {
    "reads": reads.run,
    "series": series.run,
    "scores": scores.run,
    "alerts": alerts.run,
    "scoring cost": scoring_cost.run,
    "coverage": coverage.run,
    "cold start": cold_start.run,
    "server": server.run,
    "channel list": channel_list.run,
    "analyst": analyst.run,
    "headlines": headlines.run,
    "pipeline": pipeline.run,
    "checks": checks.run,
    "scale": scale.run,
    "prices": prices.run,
    "costs": costs.run,
    "tasks": tasks.run,
    "exports": exports.run,
    "imports": imports.run,
    "news": news.run,
}
"""Each returns its tables as text, and its figures."""


def run_section(name: str) -> tuple[str, dict[str, Any]]:
    """Runs a section. Jobs that it sends are dropped, unless it brings a dispatcher of its own."""
    dispatch_with(IdleDispatcher())
    return SECTIONS[name]()
