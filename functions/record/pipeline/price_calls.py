"""The step after the videos: prices their calls, or reports that the run must wait for closes being fetched."""

from typing import Any

from functions.record.runs.processing import price_calls
from functions.runtime.pipeline.step import Event, step
from functions.steps import PRICE_CHECKS, price_wait_seconds


@step
def handler(event: Event, context: object) -> dict[str, Any]:
    channel_id, run_id, checks = event["channel_id"], event["run_id"], event["checks"] + 1
    must_wait = price_calls(channel_id, run_id, is_last_check=checks >= PRICE_CHECKS)
    return {
        "channel_id": channel_id,
        "run_id": run_id,
        "checks": checks,
        "must_wait": must_wait,
        "wait_seconds": price_wait_seconds(checks),
    }
