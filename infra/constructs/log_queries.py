"""Questions to the logs, saved under the system's name in CloudWatch Logs Insights."""

from aws_cdk import aws_logs as logs
from constructs import Construct

from functions.routes import FALLBACK, ROUTES
from functions.steps import STEPS
from infra import names
from infra.config import Config

API_MODULES = tuple(route.module for route in (*ROUTES, FALLBACK))
STEP_MODULES = tuple(step.module for step in STEPS)
SHOWN = ["@timestamp", "level", "message", "channel_id", "run_id", "video_id", "correlation_id", "exception_name"]


def log_queries(scope: Construct, config: Config) -> None:
    _query(scope, config, "Errors", (*API_MODULES, *STEP_MODULES), filters=["level = 'ERROR'"], sort="@timestamp desc")
    _query(
        scope,
        config,
        "One request",
        API_MODULES,
        filters=["correlation_id = 'the request id'"],
        sort="@timestamp asc",
    )
    _query(scope, config, "One run", STEP_MODULES, filters=["run_id = 'the run id'"], sort="@timestamp asc")
    logs.QueryDefinition(
        scope,
        "SlowColdStarts",
        query_definition_name=f"{config.prefix}/Cold starts",
        query_string=logs.QueryString(
            filter_statements=["@type = 'REPORT' and ispresent(@initDuration)"],
            stats_statements=["count(*) as starts, avg(@initDuration), max(@initDuration) by @log"],
        ),
        log_groups=_groups(scope, config, "ColdStarts", (*API_MODULES, *STEP_MODULES)),
    )


def _query(
    scope: Construct, config: Config, title: str, modules: tuple[str, ...], *, filters: list[str], sort: str
) -> None:
    construct_id = title.title().replace(" ", "")
    logs.QueryDefinition(
        scope,
        construct_id,
        query_definition_name=f"{config.prefix}/{title}",
        query_string=logs.QueryString(fields=SHOWN, filter_statements=filters, sort=sort, limit=200),
        log_groups=_groups(scope, config, construct_id, modules),
    )


def _groups(scope: Construct, config: Config, construct_id: str, modules: tuple[str, ...]) -> list[logs.ILogGroup]:
    return [
        logs.LogGroup.from_log_group_name(
            scope, f"{construct_id}{module}", f"/aws/lambda/{names.function_name(config.prefix, module)}"
        )
        for module in modules
    ]
