"""The logger and the metrics of all functions."""

import json
from typing import Any

from aws_lambda_powertools import Logger, Metrics
from aws_lambda_powertools.logging.formatter import LambdaPowertoolsFormatter
from aws_lambda_powertools.metrics import EphemeralMetrics, MetricUnit

from functions.runtime.settings import SERVICE, settings

NAMESPACE = "StockTrackRecord"
STUCK_RUNS = "StuckRuns"
"""Metric: runs whose worker died."""
SERIES_BEHIND = "SeriesBehind"
"""Metric: series in use that lack the newest close."""
CHECKS_OVERDUE = "ChecksOverdue"
"""Metric: channel checks overdue by more than an hour."""
TASKS_DONE = "TasksDone"
"""Metric: completed jobs and tasks."""
TASKS_FAILED = "TasksFailed"
"""Metric: jobs and tasks that failed permanently."""
TASKS_WAITING = "TasksWaiting"
"""Metric: plan tasks, exports and imports overdue by more than an hour."""
DELIVERIES_FAILING = "DeliveriesFailing"
"""Metric: alert deliveries that have failed at least three times and are still being retried."""
STUCK_NEWS = "StuckItems"
"""Metric: stories that have waited more than five minutes for analysis."""
NEWS_LAG_SECONDS = "NewsLagSeconds"
"""Metric: seconds since the news of the most overdue stock was last requested from a source."""
NEWS_FAILURES = "NewsFailures"
"""Metric: feeds that could not be read completely."""
LENGTH_TO_SECONDS = len("2026-01-31 12:00:00")
NOT_SHOWN_AS_FIELDS = {"level", "location", "message", "timestamp", "service", "exception"}


class LogFormatter(LambdaPowertoolsFormatter):
    """Writes JSON for CloudWatch, or text for a terminal, depending on the setting LOG_FORMAT."""

    def serialize(self, log: Any) -> str:
        return as_text(log) if settings().log_format == "text" else as_json(log)


def as_json(log: dict[str, Any]) -> str:
    """ASCII only, so that no input can break a line or send control characters to a terminal."""
    return json.dumps(log, default=str, separators=(",", ":"))


def as_text(log: dict[str, Any]) -> str:
    """The time, level, message and other fields on one line, and the traceback below it."""
    fields = " ".join(f"{name}={value}" for name, value in log.items() if name not in NOT_SHOWN_AS_FIELDS)
    first = f"{log['timestamp'][:LENGTH_TO_SECONDS]} {log['level']} {log['message']}" + (
        f" ({fields})" if fields else ""
    )
    # Further lines are indented, so that no input can be mistaken for a log line.
    return "\n    ".join(map(_printable, [first, *str(log.get("exception", "")).splitlines()]))


def describe(problem: BaseException) -> dict[str, str]:
    """Fields for logging an error without its traceback."""
    return {"exception_name": type(problem).__name__, "reason": str(problem)}


def _printable(line: str) -> str:
    """Escapes line breaks, terminal controls and bidirectional controls."""
    return "".join(each if each.isprintable() else each.encode("unicode_escape").decode() for each in line)


logger = Logger(service=SERVICE, logger_formatter=LogFormatter(serialize_stacktrace=False))
metrics = Metrics(namespace=NAMESPACE, service=SERVICE)


def count_work(metric: str, kind: str) -> None:
    """Counts a job or a task. The kind is metadata, not a dimension: each dimension value is billed as a metric."""
    counted = EphemeralMetrics(namespace=NAMESPACE, service=SERVICE)
    counted.add_metadata(key="kind", value=kind)
    counted.add_metric(name=metric, unit=MetricUnit.Count, value=1)
    counted.flush_metrics()
