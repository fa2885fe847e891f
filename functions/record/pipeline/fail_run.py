"""The step for a run that cannot continue: marks it failed, with the reason."""

from functions.record.pipeline.reasons import log_failure, reason
from functions.record.runs.failures import fail_run
from functions.record.runs.next_runs import start_next_runs
from functions.runtime.dispatch import dispatcher
from functions.runtime.pipeline.step import Event, step


@step
def handler(event: Event, context: object) -> None:
    fail_run(event["channel_id"], event["run_id"], reason(event))
    start_next_runs(dispatcher().start_run, event["channel_id"], event["run_id"])
    log_failure("The run", event)
