"""Saves the queries of the logs under the system's name in CloudWatch Logs Insights."""

from aws_cdk import aws_logs as logs
from constructs import Construct

from infra import names
from infra.config import Config
from infra.saved_queries import API_MODULES, QUERIES, STEP_MODULES, SavedQuery

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
"""Where Lambda's own report of an invocation has it, in the JSON log format."""


def log_queries(scope: Construct, config: Config) -> None:
    for query in QUERIES:
        _save(scope, config, query)
    for what, modules in (("API", API_MODULES), ("pipeline", STEP_MODULES)):
        _save_cold_starts(scope, config, what, modules)


def _save_cold_starts(scope: Construct, config: Config, what: str, modules: tuple[str, ...]) -> None:
    logs.QueryDefinition(
        scope,
        f"ColdStartsOfThe{what.title()}",
        query_definition_name=f"{config.prefix}/Cold starts of the {what}",
        query_string=logs.QueryString(
            filter_statements=[f"type = 'platform.report' and ispresent({COLD_START})"],
            stats_statements=[f"count(*) as starts, avg({COLD_START}), max({COLD_START}) by @log"],
        ),
        log_groups=_groups(scope, config, f"ColdStarts{what.title()}", modules),
    )


def _save(scope: Construct, config: Config, query: SavedQuery) -> None:
    construct_id = query.title.title().replace(" ", "")
    logs.QueryDefinition(
        scope,
        construct_id,
        query_definition_name=f"{config.prefix}/{query.title}",
        query_string=logs.QueryString(fields=SHOWN, filter_statements=[query.filter], sort=query.sort, limit=200),
        log_groups=_groups(scope, config, construct_id, query.modules),
    )


def _groups(scope: Construct, config: Config, construct_id: str, modules: tuple[str, ...]) -> list[logs.ILogGroup]:
    return [
        logs.LogGroup.from_log_group_name(
            scope, f"{construct_id}{module}", f"/aws/lambda/{names.function_name(config.prefix, module)}"
        )
        for module in modules
    ]
