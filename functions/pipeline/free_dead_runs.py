"""On a schedule: gives back the channels whose run died, and counts them for an alarm."""

from typing import Any

from aws_lambda_powertools.metrics import MetricUnit

from functions.core.observability import logger, metrics
from functions.logic import dead_runs


@metrics.log_metrics
def handler(event: dict[str, Any], context: object) -> dict[str, Any]:
    freed = dead_runs.free_dead_runs()
    metrics.add_metric(name="StuckRuns", unit=MetricUnit.Count, value=len(freed))
    if freed:
        logger.warning("Dead runs were freed", channel_ids=freed)
    return {"freed": freed}
