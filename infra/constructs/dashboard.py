"""The CloudWatch dashboard: requests, errors and latency by route, the pipeline, jobs, news, tables and queues."""

from collections.abc import Sequence

from aws_cdk import aws_cloudwatch as cloudwatch
from constructs import Construct

from functions.routes import FALLBACK, ROUTES
from functions.runtime.observability import (
    CHECKS_OVERDUE,
    DELIVERIES_FAILING,
    NEWS_FAILURES,
    NEWS_LAG_SECONDS,
    SERIES_BEHIND,
    STUCK_NEWS,
    STUCK_RUNS,
    TASKS_DONE,
    TASKS_FAILED,
    TASKS_WAITING,
)
from functions.steps import INGEST_NEWS, STEPS
from infra import metrics, names
from infra.config import Config
from infra.constructs.clocks import CLOCKS

MODULES = tuple(route.module for route in (*ROUTES, FALLBACK))


def dashboard(
    scope: Construct, config: Config, api_id: str, state_machine_arn: str, alarms: Sequence[cloudwatch.IAlarm]
) -> cloudwatch.Dashboard:
    return cloudwatch.Dashboard(
        scope,
        "Dashboard",
        dashboard_name=config.prefix,
        widgets=[
            [cloudwatch.AlarmStatusWidget(title="Alarms", alarms=alarms, width=24)],
            _api(api_id),
            _routes(config.prefix),
            _pipeline(config.prefix, state_machine_arn),
            _clocks(config.prefix),
            _news(config.prefix),
            _tables(config.prefix),
        ],
    )


def _api(api_id: str) -> list[cloudwatch.IWidget]:
    latency = [metrics.api_metric(api_id, "Latency", statistic) for statistic in ("p50", "p90", "p99")]
    return [
        _graph("Requests", [metrics.api_metric(api_id, "Count")]),
        _graph("Errors", [metrics.api_metric(api_id, name) for name in ("4xx", "5xx")]),
        _graph("Latency", latency),
    ]


def _routes(prefix: str) -> list[cloudwatch.IWidget]:
    return [
        _graph("Requests by route", [metrics.function_metric(prefix, module, "Invocations") for module in MODULES]),
        _graph("Errors by route", [metrics.function_metric(prefix, module, "Errors") for module in MODULES]),
        _graph("p99 by route", [metrics.function_metric(prefix, module, "Duration", "p99") for module in MODULES]),
    ]


def _pipeline(prefix: str, state_machine_arn: str) -> list[cloudwatch.IWidget]:
    outcomes = (
        "ExecutionsStarted",
        "ExecutionsSucceeded",
        "ExecutionsFailed",
        "ExecutionsTimedOut",
        "ExecutionsAborted",
    )
    queues = (names.jobs_queue_name(prefix), names.dead_letters_name(prefix))
    return [
        _graph("Runs", [metrics.execution_metric(state_machine_arn, name) for name in outcomes]),
        _graph("Errors by step", [metrics.function_metric(prefix, step.module, "Errors") for step in STEPS]),
        _graph(
            "Jobs, dead letters, stuck runs and series behind",
            [
                *(metrics.queue_metric(queue, "ApproximateNumberOfMessagesVisible") for queue in queues),
                metrics.own_metric(prefix, STUCK_RUNS),
                metrics.own_metric(prefix, SERIES_BEHIND),
            ],
        ),
    ]


def _clocks(prefix: str) -> list[cloudwatch.IWidget]:
    late = (CHECKS_OVERDUE, TASKS_WAITING, DELIVERIES_FAILING)
    modules = [clock.step.module for clock in CLOCKS]
    return [
        _graph("Late: checks, tasks, deliveries", [metrics.own_metric(prefix, name) for name in late]),
        _graph(
            "Jobs and tasks, done and failed",
            [metrics.own_metric(prefix, name, statistic="Sum") for name in (TASKS_DONE, TASKS_FAILED)],
        ),
        _graph("Calls by job", [metrics.function_metric(prefix, module, "Invocations") for module in modules]),
    ]


def _news(prefix: str) -> list[cloudwatch.IWidget]:
    """Failures and lag by source come from the logs: each dimension value would be billed as a metric."""
    by_source = cloudwatch.LogQueryWidget(
        title="Ingest lag and failures by source",
        log_group_names=[names.log_group_name(prefix, INGEST_NEWS.module)],
        query_lines=[
            "filter message = 'News ingested'",
            "stats max(lag_seconds) as lag, sum(failed) as failures, sum(stored) as stored by source",
        ],
        view=cloudwatch.LogQueryVisualizationType.TABLE,
        width=8,
        height=7,
    )
    queue = metrics.queue_metric(names.news_queue_name(prefix), "ApproximateNumberOfMessagesVisible")
    return [
        _graph("Stories that wait for their analysis", [metrics.own_metric(prefix, STUCK_NEWS), queue]),
        _graph(
            "Ingest lag and failed feeds",
            [metrics.own_metric(prefix, name) for name in (NEWS_LAG_SECONDS, NEWS_FAILURES)],
        ),
        by_source,
    ]


def _tables(prefix: str) -> list[cloudwatch.IWidget]:
    tables = metrics.table_names(prefix)
    return [
        _graph("Reads", [metrics.table_metric(table, "ConsumedReadCapacityUnits") for table in tables]),
        _graph("Writes", [metrics.table_metric(table, "ConsumedWriteCapacityUnits") for table in tables]),
        _graph(
            "Throttles and transaction conflicts",
            [
                *(
                    metrics.table_metric(table, f"{kind}ThrottleEvents")
                    for table in tables
                    for kind in ("Read", "Write")
                ),
                *(metrics.table_metric(table, "TransactionConflict") for table in tables),
            ],
        ),
    ]


def _graph(title: str, left: Sequence[cloudwatch.IMetric]) -> cloudwatch.GraphWidget:
    return cloudwatch.GraphWidget(title=title, left=left, width=8, height=7)
