"""Saves the queries of the logs under the system's name in CloudWatch Logs Insights."""

from aws_cdk import aws_logs as logs
from constructs import Construct

from functions.steps import INGEST_NEWS, RUN_JOBS
from infra import names
from infra.config import Config
from infra.saved_queries import API_LOGS, QUERIES, STEP_LOGS, SavedQuery

SHOWN = [
    "@timestamp",
    "level",
    "message",
    "step",
    "channel_id",
    "run_id",
    "video_id",
    "plan_id",
    "task",
    "alert_id",
    "ticker",
    "problem",
    "correlation_id",
    "exception_name",
    "reason",
]
COLD_START = "record.metrics.initDurationMs"
"""The field in Lambda's invocation report, in the JSON log format."""
DURATION = "record.metrics.durationMs"
SLOW_MILLISECONDS = 1000
FUNCTION_OF_STREAM = "@logStream /(?<function>[^\\/\\[]+)\\[/"
"""A stream is named after its function, as in 2026/11/17/StockTrackRecord-search[$LATEST]…"""


def log_queries(scope: Construct, config: Config) -> None:
    for query in QUERIES:
        _save(scope, config, query)
    for what, read in (("API", API_LOGS), ("pipeline", STEP_LOGS)):
        _save_cold_starts(scope, config, what, read)
    _save_most_common_tags(scope, config)
    _save_slow_requests(scope, config)


def _save_cold_starts(scope: Construct, config: Config, what: str, read: tuple[str, ...]) -> None:
    logs.QueryDefinition(
        scope,
        f"ColdStartsOfThe{what.title()}",
        query_definition_name=f"{config.prefix}/Cold starts of the {what}",
        query_string=logs.QueryString(
            filter_statements=[f"type = 'platform.report' and ispresent({COLD_START})"],
            parse_statements=[FUNCTION_OF_STREAM],
            stats_statements=[f"count(*) as starts, avg({COLD_START}), max({COLD_START}) by @log, function"],
        ),
        log_groups=_groups(scope, config, f"ColdStarts{what.title()}", read),
    )


def _save_most_common_tags(scope: Construct, config: Config) -> None:
    construct_id = "MostCommonTags"
    logs.QueryDefinition(
        scope,
        construct_id,
        query_definition_name=f"{config.prefix}/Most common tags of news",
        query_string=logs.QueryString(
            filter_statements=["message = 'News of a stock stored'"],
            stats_statements=["sum(stories) as told by tag"],
            sort="told desc",
            limit=50,
        ),
        log_groups=_groups(scope, config, construct_id, (INGEST_NEWS.module, RUN_JOBS.module)),
    )


def _save_slow_requests(scope: Construct, config: Config) -> None:
    """For the API: Lambda's report of each invocation contains its duration."""
    construct_id = "SlowRequests"
    logs.QueryDefinition(
        scope,
        construct_id,
        query_definition_name=f"{config.prefix}/Slow requests",
        query_string=logs.QueryString(
            fields=["@timestamp", DURATION, "function", "record.requestId"],
            filter_statements=[f"type = 'platform.report' and {DURATION} > {SLOW_MILLISECONDS}"],
            parse_statements=[FUNCTION_OF_STREAM],
            sort=f"{DURATION} desc",
            limit=50,
        ),
        log_groups=_groups(scope, config, construct_id, API_LOGS),
    )


def _save(scope: Construct, config: Config, query: SavedQuery) -> None:
    construct_id = query.title.title().replace(" ", "")
    logs.QueryDefinition(
        scope,
        construct_id,
        query_definition_name=f"{config.prefix}/{query.title}",
        query_string=logs.QueryString(fields=SHOWN, filter_statements=[query.filter], sort=query.sort, limit=200),
        log_groups=_groups(scope, config, construct_id, query.logs),
    )


def _groups(scope: Construct, config: Config, construct_id: str, read: tuple[str, ...]) -> list[logs.ILogGroup]:
    return [
        logs.LogGroup.from_log_group_name(scope, f"{construct_id}{log}", names.log_group_name(config.prefix, log))
        for log in read
    ]
