"""What is measured, by its name at CloudWatch."""

from aws_cdk import Duration
from aws_cdk import aws_cloudwatch as cloudwatch

from functions.core.observability import NAMESPACE
from functions.core.tables import TABLES
from infra import names

STUCK_RUNS = "StuckRuns"
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


def user_errors() -> cloudwatch.Metric:
    """DynamoDB counts these for the whole account and region, under no table's name."""
    return metric("AWS/DynamoDB", "UserErrors", {})


def system_errors(table: str) -> cloudwatch.MathExpression:
    """DynamoDB counts these by operation, so that they have to be added up."""
    counted = {
        f"m{number}": metric("AWS/DynamoDB", "SystemErrors", {"TableName": table, "Operation": operation})
        for number, operation in enumerate(OPERATIONS)
    }
    expression = " + ".join(f"FILL({name}, 0)" for name in counted)
    return cloudwatch.MathExpression(expression=expression, using_metrics=counted, period=FIVE_MINUTES)


def function_metric(prefix: str, module: str, name: str, statistic: str = "Sum") -> cloudwatch.Metric:
    dimensions = {"FunctionName": names.function_name(prefix, module)}
    return metric("AWS/Lambda", name, dimensions, statistic=statistic)


def api_metric(api_id: str, name: str, statistic: str = "Sum") -> cloudwatch.Metric:
    return metric("AWS/ApiGateway", name, {"ApiId": api_id}, statistic=statistic)


def execution_metric(state_machine_arn: str, name: str) -> cloudwatch.Metric:
    return metric("AWS/States", name, {"StateMachineArn": state_machine_arn})


def queue_metric(queue: str, name: str) -> cloudwatch.Metric:
    return metric("AWS/SQS", name, {"QueueName": queue}, statistic="Maximum")


def stuck_runs(prefix: str) -> cloudwatch.Metric:
    return metric(NAMESPACE, STUCK_RUNS, {"service": prefix}, statistic="Maximum")


def table_names(prefix: str) -> list[str]:
    return [table.name(prefix) for table in TABLES]
