"""Names and ARNs of what stacks share, built from the prefix instead of cross-stack exports."""

from hashlib import sha256

from aws_cdk import ArnFormat, Aws, Stack
from constructs import Construct

from functions.runtime.dynamodb.tables import Index, Table
from infra.config import Config

MAX_BUCKET_NAME = 63
ACCOUNT_DIGITS = 12


def function_name(prefix: str, module: str) -> str:
    return f"{prefix}-{module.replace('_', '-')}"


def log_group_name(prefix: str, log: str) -> str:
    """The log group of a log: that of a step has the name of its module."""
    return f"/aws/lambda/{function_name(prefix, log)}"


def api_log(resource: str) -> str:
    """The log group shared by all functions of an API resource: a query reads at most 50 log groups."""
    return f"api_{resource}"


def state_machine_name(prefix: str) -> str:
    return f"{prefix}-processing"


def jobs_queue_name(prefix: str) -> str:
    return f"{prefix}-jobs"


def news_queue_name(prefix: str) -> str:
    return f"{prefix}-news"


def dead_letters_name(prefix: str) -> str:
    return f"{prefix}-dead-letters"


def exports_machine_name(prefix: str) -> str:
    return f"{prefix}-exports"


def clocks_group_name(prefix: str) -> str:
    return f"{prefix}-clocks"


def backup_vault_name(prefix: str) -> str:
    return f"{prefix}-backups"


def keys_secret_name(prefix: str) -> str:
    return f"{prefix}/provider-keys"


def origin_secret_name(prefix: str) -> str:
    return f"{prefix}/origin-secret"


def alert_key_secret_name(prefix: str) -> str:
    return f"{prefix}/alert-key"


def alerts_topic_names(config: Config) -> list[str]:
    """The first without a number, as it was before there were several."""
    first = f"{config.prefix}-alerts"
    return [first, *(f"{first}-{number}" for number in range(2, config.alert_topics + 1))]


def kept_transcripts_bucket_name(config: Config) -> str:
    return _bucket_name(config, "transcripts")


def user_exports_bucket_name(config: Config) -> str:
    """For the archives that people request; the weekly table exports have a separate bucket."""
    return _bucket_name(config, "user-exports")


def user_exports_queue_name(prefix: str) -> str:
    return f"{prefix}-user-exports"


def bucket_arn(scope: Construct, name: str) -> str:
    return f"arn:{Stack.of(scope).partition}:s3:::{name}"


def account_wide(config: Config, what: str) -> str:
    """A name that is unique in an account across regions, as CloudFront, WAF and Budgets require."""
    return f"{config.prefix}-{config.region}-{what}"


def secret_arn(scope: Construct, name: str) -> str:
    """Secrets Manager ends each ARN with six characters of its own."""
    return _arn(scope, "secretsmanager", "secret", f"{name}-??????", ArnFormat.COLON_RESOURCE_NAME)


def table_arn(scope: Construct, prefix: str, table: Table) -> str:
    return _arn(scope, "dynamodb", "table", table.name(prefix))


def index_arn(scope: Construct, prefix: str, table: Table, index: Index) -> str:
    return f"{table_arn(scope, prefix, table)}/index/{index.name}"


def state_machine_arn(scope: Construct, prefix: str) -> str:
    return _machine_arn(scope, state_machine_name(prefix))


def exports_machine_arn(scope: Construct, prefix: str) -> str:
    return _machine_arn(scope, exports_machine_name(prefix))


def executions_arn(scope: Construct, prefix: str) -> str:
    """All executions of the state machine: their names are known only once they run."""
    return _arn(scope, "states", "execution", f"{state_machine_name(prefix)}:*", ArnFormat.COLON_RESOURCE_NAME)


def queue_arn(scope: Construct, name: str) -> str:
    return Stack.of(scope).format_arn(service="sqs", resource=name, arn_format=ArnFormat.NO_RESOURCE_NAME)


def queue_url(scope: Construct, name: str) -> str:
    return f"https://sqs.{Stack.of(scope).region}.{Aws.URL_SUFFIX}/{Aws.ACCOUNT_ID}/{name}"


def alerts_topic_arns(scope: Construct, config: Config) -> list[str]:
    return [
        Stack.of(scope).format_arn(service="sns", resource=name, arn_format=ArnFormat.NO_RESOURCE_NAME)
        for name in alerts_topic_names(config)
    ]


def _bucket_name(config: Config, what: str) -> str:
    """Unique among all buckets of AWS, hence region and account. A long prefix is shortened to what a name may have."""
    rest = f"-{what}-{config.region}-"
    prefix, room = config.prefix.lower(), MAX_BUCKET_NAME - len(rest) - ACCOUNT_DIGITS
    if len(prefix) > room:
        digest = sha256(prefix.encode()).hexdigest()[:8]
        prefix = f"{prefix[: room - len(digest) - 1]}-{digest}"
    return f"{prefix}{rest}{Aws.ACCOUNT_ID}"


def _machine_arn(scope: Construct, name: str) -> str:
    return _arn(scope, "states", "stateMachine", name, ArnFormat.COLON_RESOURCE_NAME)


def _arn(
    scope: Construct, service: str, resource: str, name: str, form: ArnFormat = ArnFormat.SLASH_RESOURCE_NAME
) -> str:
    return Stack.of(scope).format_arn(service=service, resource=resource, resource_name=name, arn_format=form)
