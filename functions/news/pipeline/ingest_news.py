"""Scheduled: collects news, and reports the lag of the feeds and the number of failures."""

from typing import Any

from aws_lambda_powertools.metrics import MetricUnit

from functions.news.ingest import ingest_due_news
from functions.runtime.observability import NEWS_FAILURES, NEWS_LAG_SECONDS, metrics
from functions.runtime.pipeline.step import Event, step


@step
def handler(event: Event, context: object) -> dict[str, Any]:
    tick = ingest_due_news()
    failed = sum(source.failed for source in tick.sources)
    metrics.add_metric(name=NEWS_LAG_SECONDS, unit=MetricUnit.Seconds, value=tick.lag_seconds)
    metrics.add_metric(name=NEWS_FAILURES, unit=MetricUnit.Count, value=failed)
    return {"stored": {source.source: source.stored for source in tick.sources}}
