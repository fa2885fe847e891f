"""Names and ARNs of what stacks share, made from the prefix: no stack holds another one back with an export."""

from aws_cdk import ArnFormat, Aws, Stack
from constructs import Construct

from functions.core.tables import Index, Table


def function_name(prefix: str, module: str) -> str:
    return f"{prefix}-{module.replace('_', '-')}"


def state_machine_name(prefix: str) -> str:
    return f"{prefix}-processing"


def jobs_queue_name(prefix: str) -> str:
    return f"{prefix}-jobs"


def dead_letters_name(prefix: str) -> str:
    return f"{prefix}-dead-letters"


def table_arn(scope: Construct, prefix: str, table: Table) -> str:
    return _arn(scope, "dynamodb", "table", table.name(prefix))


def index_arn(scope: Construct, prefix: str, table: Table, index: Index) -> str:
    return f"{table_arn(scope, prefix, table)}/index/{index.name}"


def state_machine_arn(scope: Construct, prefix: str) -> str:
    return _arn(scope, "states", "stateMachine", state_machine_name(prefix), ArnFormat.COLON_RESOURCE_NAME)


def executions_arn(scope: Construct, prefix: str) -> str:
    """All executions of the state machine: an execution has no name of its own before it is started."""
    return _arn(scope, "states", "execution", f"{state_machine_name(prefix)}:*", ArnFormat.COLON_RESOURCE_NAME)


def jobs_queue_arn(scope: Construct, prefix: str) -> str:
    return Stack.of(scope).format_arn(
        service="sqs", resource=jobs_queue_name(prefix), arn_format=ArnFormat.NO_RESOURCE_NAME
    )


def jobs_queue_url(scope: Construct, prefix: str) -> str:
    return f"https://sqs.{Stack.of(scope).region}.{Aws.URL_SUFFIX}/{Aws.ACCOUNT_ID}/{jobs_queue_name(prefix)}"


def _arn(
    scope: Construct, service: str, resource: str, name: str, form: ArnFormat = ArnFormat.SLASH_RESOURCE_NAME
) -> str:
    return Stack.of(scope).format_arn(service=service, resource=resource, resource_name=name, arn_format=form)
