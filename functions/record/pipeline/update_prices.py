"""On a schedule: requests due series, scores and lost transcript readings, and counts the series that are behind."""

from aws_lambda_powertools.metrics import MetricUnit

from functions.record.pipeline.keep_score import request_due_scores
from functions.record.prices.series import check_all_series
from functions.record.uploads.resend import request_lost_readings
from functions.runtime.observability import SERIES_BEHIND, logger, metrics
from functions.runtime.pipeline.step import Event, step


@step
def handler(event: Event, context: object) -> dict[str, list[str]]:
    due, behind = check_all_series()
    metrics.add_metric(name=SERIES_BEHIND, unit=MetricUnit.Count, value=len(behind))
    if behind:
        logger.warning("Series are behind", extra={"tickers": behind})
    return {"due": due, "behind": behind, "scores": request_due_scores(), "transcripts": request_lost_readings()}
