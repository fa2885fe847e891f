"""On a schedule: starts runs that wait and checks that are due, and counts what is overdue, for an alarm."""

from aws_lambda_powertools.metrics import MetricUnit

from functions.record.channels.starting import start_waiting_runs
from functions.record.runs.checks import begin_due_checks
from functions.runtime.dispatch import dispatcher
from functions.runtime.observability import CHECKS_OVERDUE, logger, metrics
from functions.runtime.pipeline.step import Event, step


@step
def handler(event: Event, context: object) -> dict[str, list[str]]:
    start_waiting_runs(dispatcher().start_run)
    begun = begin_due_checks(dispatcher().start_run)
    metrics.add_metric(name=CHECKS_OVERDUE, unit=MetricUnit.Count, value=len(begun.overdue))
    if begun.overdue:
        logger.warning("Checks are overdue", extra={"channel_ids": begun.overdue})
    return {"begun": begun.channels, "overdue": begun.overdue}
