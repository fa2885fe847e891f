"""The CloudWatch metrics that alarms and the dashboard use."""

from collections.abc import Iterable

from aws_cdk import Duration
from aws_cdk import aws_cloudwatch as cloudwatch

from functions.runtime.dynamodb.tables import TABLES, Table
from functions.runtime.observability import NAMESPACE
from infra import names

FIVE_MINUTES = Duration.minutes(5)
OPERATIONS = (
    "GetItem",
    "BatchGetItem",
    "Query",
    "PutItem",
    "UpdateItem",
    "DeleteItem",
    "BatchWriteItem",
    "TransactWriteItems",
)


def metric(
    namespace: str,
    name: str,
    dimensions: dict[str, str],
    *,
    statistic: str = "Sum",
    period: Duration = FIVE_MINUTES,
) -> cloudwatch.Metric:
    return cloudwatch.Metric(
        namespace=namespace,
        metric_name=name,
        dimensions_map=dimensions,
        statistic=statistic,
        period=period,
    )


def table_metric(table: str, name: str, period: Duration = FIVE_MINUTES) -> cloudwatch.Metric:
    return metric("AWS/DynamoDB", name, {"TableName": table}, period=period)


def index_throttles(prefix: str, table: Table) -> cloudwatch.MathExpression:
    return _sum(
        metric(
            "AWS/DynamoDB",
            f"{way}ThrottleEvents",
            {"TableName": table.name(prefix), "GlobalSecondaryIndexName": index.name},
        )
        for index in table.indexes
        for way in ("Read", "Write")
    )


def system_errors(table: str) -> cloudwatch.MathExpression:
    """DynamoDB counts these by operation."""
    return _sum(
        metric("AWS/DynamoDB", "SystemErrors", {"TableName": table, "Operation": operation}) for operation in OPERATIONS
    )


def function_errors(prefix: str, modules: Iterable[str]) -> cloudwatch.MathExpression:
    return _sum(function_metric(prefix, module, "Errors") for module in modules)


def throttles() -> cloudwatch.Metric:
    """For all functions of the account in this region, which share one concurrency quota."""
    return metric("AWS/Lambda", "Throttles", {})


def function_metric(prefix: str, module: str, name: str, statistic: str = "Sum") -> cloudwatch.Metric:
    dimensions = {"FunctionName": names.function_name(prefix, module)}
    return metric("AWS/Lambda", name, dimensions, statistic=statistic)


def api_metric(api_id: str, name: str, statistic: str = "Sum") -> cloudwatch.Metric:
    return metric("AWS/ApiGateway", name, {"ApiId": api_id}, statistic=statistic)


def execution_metric(state_machine_arn: str, name: str) -> cloudwatch.Metric:
    return metric("AWS/States", name, {"StateMachineArn": state_machine_arn})


def failed_executions(state_machine_arn: str) -> cloudwatch.MathExpression:
    return _sum(execution_metric(state_machine_arn, name) for name in ("ExecutionsFailed", "ExecutionsTimedOut"))


def schedule_errors(group: str) -> cloudwatch.Metric:
    return metric("AWS/Scheduler", "TargetErrorCount", {"ScheduleGroup": group})


def queue_metric(queue: str, name: str) -> cloudwatch.Metric:
    return metric("AWS/SQS", name, {"QueueName": queue}, statistic="Maximum")


def own_metric(
    prefix: str, name: str, period: Duration = FIVE_MINUTES, statistic: str = "Maximum"
) -> cloudwatch.Metric:
    """One that a function reports. Its least in a period is what was not over sooner than the period."""
    return metric(NAMESPACE, name, {"service": prefix}, statistic=statistic, period=period)


def reports_of(prefix: str, name: str, period: Duration) -> cloudwatch.Metric:
    """How often a function reported its metric, whatever its value: the heartbeat of a scheduled job."""
    return own_metric(prefix, name, period, statistic="SampleCount")


def table_names(prefix: str) -> list[str]:
    return [table.name(prefix) for table in TABLES]


def _sum(counted: Iterable[cloudwatch.Metric]) -> cloudwatch.MathExpression:
    """CloudWatch takes at most ten metrics in the expression of an alarm."""
    named = {f"m{number}": each for number, each in enumerate(counted)}
    expression = " + ".join(f"FILL({name}, 0)" for name in named)
    return cloudwatch.MathExpression(expression=expression, using_metrics=dict(named), period=FIVE_MINUTES)
