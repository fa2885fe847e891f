"""Scheduled: queues alerts for their subscribers, delivers what is due, and counts failing deliveries."""

from dataclasses import asdict

from aws_lambda_powertools.metrics import MetricUnit

from functions.alerts.delivery import deliver_alerts
from functions.runtime.observability import DELIVERIES_FAILING, logger, metrics
from functions.runtime.pipeline.step import Event, step


@step
def handler(event: Event, context: object) -> dict[str, int]:
    done = deliver_alerts()
    metrics.add_metric(name=DELIVERIES_FAILING, unit=MetricUnit.Count, value=done.failing)
    if done.delivered or done.failed:
        logger.info("Alerts delivered", extra=asdict(done))
    return asdict(done)
