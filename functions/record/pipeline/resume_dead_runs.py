"""On a schedule: resumes the runs whose worker died, and counts them for an alarm."""

from aws_lambda_powertools.metrics import MetricUnit

from functions.record.channels.dead_runs import resume_dead_runs
from functions.record.store.index_keys import index_runs_under_way
from functions.runtime.dispatch import dispatcher
from functions.runtime.observability import STUCK_RUNS, logger, metrics
from functions.runtime.pipeline.step import Event, step


@step
def handler(event: Event, context: object) -> dict[str, list[str]]:
    index_runs_under_way()
    swept = resume_dead_runs(dispatcher().start_run)
    found = {
        "resumed": [channel.id for channel in swept.resumed],
        "given_up": [channel.id for channel in swept.given_up],
    }
    metrics.add_metric(name=STUCK_RUNS, unit=MetricUnit.Count, value=len(swept.resumed) + len(swept.given_up))
    if any(found.values()):
        logger.warning("Runs had died", extra=found)
    return found
