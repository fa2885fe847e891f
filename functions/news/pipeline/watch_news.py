"""Scheduled: counts the stories stuck before their analysis, for an alarm, and requeues them."""

from aws_lambda_powertools.metrics import MetricUnit

from functions.news.watch import resend_stuck_news
from functions.runtime.observability import STUCK_NEWS, logger, metrics
from functions.runtime.pipeline.step import Event, step


@step
def handler(event: Event, context: object) -> dict[str, int]:
    stuck = resend_stuck_news()
    metrics.add_metric(name=STUCK_NEWS, unit=MetricUnit.Count, value=stuck)
    if stuck:
        logger.warning("Stories wait for their analysis", stuck=stuck)
    return {"stuck": stuck}
