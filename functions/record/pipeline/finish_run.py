"""The last step of a run: stores its final status and the totals."""

from functions.record.runs.processing import finish_run
from functions.runtime.pipeline.step import Event, step


@step
def handler(event: Event, context: object) -> None:
    finish_run(event["channel_id"], event["run_id"])
