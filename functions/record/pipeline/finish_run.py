"""The last step of a run: stores its final status and the totals, or reports that the run must wait for another day."""

from typing import Any

from functions.record.runs.next_runs import start_next_runs
from functions.record.runs.processing import finish_run
from functions.runtime.dispatch import dispatcher
from functions.runtime.pipeline.step import Event, step
from functions.steps import TOKEN_WAIT_SECONDS


@step
def handler(event: Event, context: object) -> dict[str, Any]:
    channel_id, run_id = event["channel_id"], event["run_id"]
    must_wait = finish_run(channel_id, run_id)
    if not must_wait:
        start_next_runs(dispatcher().start_run, channel_id, run_id)
    return {"channel_id": channel_id, "run_id": run_id, "must_wait": must_wait, "wait_seconds": TOKEN_WAIT_SECONDS}
