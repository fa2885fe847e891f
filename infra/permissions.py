"""IAM policy statements from the grants of the route and step tables."""

from collections.abc import Iterable

from aws_cdk import Aws, Stack
from aws_cdk import aws_iam as iam
from aws_cdk import aws_lambda as lambda_
from constructs import Construct

from functions.routes import EmailAction, FileAction, Grant, Route
from functions.runtime.dynamodb.tables import MAIN, PACE_PREFIX
from functions.steps import Step
from infra import names
from infra.config import Config
from infra.nag_suppressions import suppress_nag

PROFILE_AREAS = ("apac", "au", "eu", "global", "jp", "us", "us-gov")
"""Prefixes of the ids of Amazon Bedrock's inference profiles."""
LIST: FileAction = "ListBucket"
OF_SUBSCRIPTIONS: tuple[EmailAction, ...] = ("GetSubscriptionAttributes", "Unsubscribe")
"""SNS has no resource to restrict these to: a caller has to know the ARN of a subscription."""


def table_statements(scope: Construct, prefix: str, grants: Iterable[Grant]) -> list[iam.PolicyStatement]:
    return [
        iam.PolicyStatement(
            actions=[f"dynamodb:{action}" for action in grant.actions],
            resources=[_resource(scope, prefix, grant)],
        )
        for grant in grants
    ]


def pace_statements(scope: Construct, config: Config) -> list[iam.PolicyStatement]:
    """Takes a turn at a live price source: may write the rate limit items, and no others."""
    if not config.has_live_prices:
        return []
    return [
        iam.PolicyStatement(
            actions=["dynamodb:UpdateItem"],
            resources=[names.table_arn(scope, config.prefix, MAIN)],
            conditions={"ForAllValues:StringLike": {"dynamodb:LeadingKeys": [f"{PACE_PREFIX}*"]}},
        )
    ]


def start_run_statements(scope: Construct, prefix: str) -> list[iam.PolicyStatement]:
    return [iam.PolicyStatement(actions=["states:StartExecution"], resources=[names.state_machine_arn(scope, prefix)])]


def stop_run_statements(scope: Construct, prefix: str) -> list[iam.PolicyStatement]:
    return [iam.PolicyStatement(actions=["states:StopExecution"], resources=[names.executions_arn(scope, prefix)])]


def suppress_execution_wildcard(function: lambda_.Function, prefix: str) -> None:
    assert function.role
    machine = names.state_machine_name(prefix)
    region = Stack.of(function).region
    suppress_nag(
        function.role,
        f"AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:states:{region}:<AWS::AccountId>:execution:{machine}:*]",
        "The name of an execution is known only when it runs; its state machine is named.",
    )


def queue_statements(scope: Construct, prefix: str, row: Route | Step) -> list[iam.PolicyStatement]:
    return [
        iam.PolicyStatement(actions=["sqs:SendMessage"], resources=[names.queue_arn(scope, name)])
        for name in _queues(prefix, row).values()
    ]


def queue_environment(scope: Construct, prefix: str, row: Route | Step) -> dict[str, str]:
    return {setting: names.queue_url(scope, name) for setting, name in _queues(prefix, row).items()}


def _queues(prefix: str, row: Route | Step) -> dict[str, str]:
    """The queues that it sends to, by the setting that names each."""
    return {
        **({"JOBS_QUEUE_URL": names.jobs_queue_name(prefix)} if row.sends_jobs else {}),
        **({"EXPORTS_QUEUE_URL": names.user_exports_queue_name(prefix)} if row.sends_exports else {}),
        **({"NEWS_QUEUE_URL": names.news_queue_name(prefix)} if row.sends_news else {}),
    }


def file_statements(scope: Construct, config: Config, row: Route | Step) -> list[iam.PolicyStatement]:
    """The buckets of transcripts and exports."""
    return [
        *_bucket_statements(scope, names.kept_transcripts_bucket_name(config), row.transcripts),
        *_bucket_statements(scope, names.user_exports_bucket_name(config), row.export_files),
    ]


def _bucket_statements(scope: Construct, bucket: str, actions: tuple[FileAction, ...]) -> list[iam.PolicyStatement]:
    """Listing is a right on the bucket, the other actions are rights on its objects."""
    arn = names.bucket_arn(scope, bucket)
    on_objects = [f"s3:{action}" for action in actions if action != LIST]
    return [
        *([iam.PolicyStatement(actions=[f"s3:{LIST}"], resources=[arn])] if LIST in actions else ()),
        *([iam.PolicyStatement(actions=on_objects, resources=[f"{arn}/*"])] if on_objects else ()),
    ]


def file_environment(config: Config, row: Route | Step) -> dict[str, str]:
    transcripts = {
        "KEPT_TRANSCRIPTS_BUCKET": names.kept_transcripts_bucket_name(config),
        "KEEP_TRANSCRIPTS": str(config.keep_transcripts).lower(),
    }
    return {
        **(transcripts if row.transcripts else {}),
        **({"EXPORTS_BUCKET": names.user_exports_bucket_name(config)} if row.export_files else {}),
    }


def suppress_file_wildcards(function: lambda_.Function, config: Config, row: Route | Step) -> None:
    assert function.role
    reached = {
        names.kept_transcripts_bucket_name(config): (row.transcripts, "its video"),
        names.user_exports_bucket_name(config): (row.export_files, "its export"),
    }
    for bucket, (actions, owner) in reached.items():
        if actions:
            named = bucket.replace(Aws.ACCOUNT_ID, "<AWS::AccountId>")
            suppress_nag(
                function.role,
                f"AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:s3:::{named}/*]",
                f"An object is named after {owner}, which is known only when it is there; its bucket is named.",
            )


def key_statements(scope: Construct, config: Config) -> list[iam.PolicyStatement]:
    """Reads the keys of live providers, where some are configured."""
    if not config.needs_keys:
        return []
    secret = names.secret_arn(scope, names.keys_secret_name(config.prefix))
    return [iam.PolicyStatement(actions=["secretsmanager:GetSecretValue"], resources=[secret])]


def model_statements(scope: Construct, config: Config, step: Step) -> list[iam.PolicyStatement]:
    """Invokes the model, where Amazon Bedrock reads the transcripts or news that the step is about."""
    reads = (step.uses_model and config.reads_with_bedrock) or (step.reads_tone and config.news_analyst == "bedrock")
    if not reads or not config.bedrock_model:
        return []
    return [iam.PolicyStatement(actions=["bedrock:InvokeModel"], resources=_models(scope, config.bedrock_model))]


def suppress_model_wildcard(function: lambda_.Function, config: Config) -> None:
    assert function.role
    model = (config.bedrock_model or "").partition(".")[2]
    suppress_nag(
        function.role,
        f"AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:bedrock:*::foundation-model/{model}]",
        "An inference profile calls its model in the region that has capacity.",
    )


def alert_statements(
    scope: Construct, config: Config, *, reads_key: bool, emails: Iterable[EmailAction]
) -> list[iam.PolicyStatement]:
    """Signs webhooks, and sends or subscribes e-mails."""
    statements = []
    if reads_key:
        secret = names.secret_arn(scope, names.alert_key_secret_name(config.prefix))
        statements.append(iam.PolicyStatement(actions=["secretsmanager:GetSecretValue"], resources=[secret]))
    for action in emails:
        statements.append(
            iam.PolicyStatement(
                actions=[f"sns:{action}"],
                resources=["*"] if action in OF_SUBSCRIPTIONS else names.alerts_topic_arns(scope, config),
                conditions={"StringEquals": {"sns:Protocol": "email"}} if action == "Subscribe" else None,
            )
        )
    return statements


def alert_environment(
    scope: Construct, config: Config, *, reads_key: bool, emails: Iterable[EmailAction]
) -> dict[str, str]:
    topics = {
        "ALERTS_TOPIC_ARN": names.alerts_topic_arns(scope, config)[0],
        "ALERT_TOPICS": str(config.alert_topics),
    }
    return {
        **({"ALERT_KEY_SECRET_ID": names.alert_key_secret_name(config.prefix)} if reads_key else {}),
        **(topics if tuple(emails) else {}),
    }


def provider_environment(config: Config) -> dict[str, str]:
    return {
        **({"KEYS_SECRET_ID": names.keys_secret_name(config.prefix)} if config.needs_keys else {}),
        **({"BEDROCK_MODEL_ID": config.bedrock_model} if config.bedrock_model else {}),
        **({"CALL_THRESHOLD": config.call_threshold} if config.call_threshold else {}),
        "MAX_TRANSCRIPT_WORDS": str(config.max_transcript_words),
    }


def principal_of_this_account(service: str) -> iam.ServicePrincipal:
    """A service that acts for this account alone: no other account can make it use a role of ours."""
    return iam.ServicePrincipal(service, conditions={"StringEquals": {"aws:SourceAccount": Aws.ACCOUNT_ID}})


def _models(scope: Construct, model: str) -> list[str]:
    """The model's ARN; for an inference profile (`us.…`) its ARN, and its model in any region."""
    stack = Stack.of(scope)
    area, _, rest = model.partition(".")
    if area not in PROFILE_AREAS:
        return [f"arn:{stack.partition}:bedrock:{stack.region}::foundation-model/{model}"]
    return [
        f"arn:{stack.partition}:bedrock:{stack.region}:{stack.account}:inference-profile/{model}",
        f"arn:{stack.partition}:bedrock:*::foundation-model/{rest}",
    ]


def _resource(scope: Construct, prefix: str, grant: Grant) -> str:
    if grant.index:
        return names.index_arn(scope, prefix, grant.table, grant.index)
    return names.table_arn(scope, prefix, grant.table)
