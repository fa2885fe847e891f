"""Measures a check that finds no new videos: DynamoDB requests and capacity units, for a small and a large channel."""

from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from bench.costs import units_of
from bench.measure import IdleDispatcher, milliseconds, requests_of, table, timed
from bench.pipeline import Outside, process
from functions.record.models.runs import THE_CLOCK, RunKind
from functions.record.pipeline import list_videos
from functions.record.store import runs
from functions.record.store.channels import newest_channels
from functions.runtime.dispatch import dispatch_with
from functions.runtime.ids import new_run_id

SIZES = (20, 1000)
YOUTUBE_UNITS = 2
"""The channel and one page of its uploads. The tests count the requests to a stand-in for YouTube."""


def run() -> tuple[str, dict[str, Any]]:
    figures = {f"{videos} videos": _cost(videos) for videos in SIZES}
    rows = [
        (
            name,
            figure["requests"],
            f"{figure['units']['read']:.1f}",
            f"{figure['units']['write']:.1f}",
            milliseconds(figure["seconds"]),
            YOUTUBE_UNITS,
        )
        for name, figure in figures.items()
    ]
    header = ("channel", "requests", "read units", "write units", "ms", "YouTube units")
    return table("A check without news, from its claim to its end", header, rows), figures


def _cost(videos: int) -> dict[str, Any]:
    process(1, Outside(videos, seconds=0))
    dispatch_with(IdleDispatcher())
    check = check_of(newest_channels(1).items[0].id)
    check()
    return {"requests": requests_of(check), "units": asdict(units_of(check)), "seconds": timed(check)}


def check_of(channel_id: str) -> Callable[[], None]:
    def check() -> None:
        run_id = new_run_id()
        runs.claim_run(channel_id, run_id, kind=RunKind.CHECK, starter=THE_CLOCK)
        listed = list_videos.handler({"channel_id": channel_id, "run_id": run_id}, None)
        if not listed["nothing_to_do"]:
            raise RuntimeError("there was something to do")

    return check
