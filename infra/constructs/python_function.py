"""The only place where a Lambda function is defined."""

from collections.abc import Iterable, Mapping

from aws_cdk import Annotations, Duration, RemovalPolicy, Stack, Tags
from aws_cdk import aws_iam as iam
from aws_cdk import aws_lambda as lambda_
from aws_cdk import aws_logs as logs
from constructs import Construct

from infra import names
from infra.config import ROOT, Config
from infra.constructs.lambda_code import lambda_code
from infra.constructs.log_group import log_group
from infra.nag_suppressions import suppress_nag
from layers.build import STAMP

ARCHITECTURES = {"arm64": lambda_.Architecture.ARM_64, "x86_64": lambda_.Architecture.X86_64}


class PythonFunction(lambda_.Function):
    """A module of `functions/` that runs with a role and a name of its own."""

    def __init__(
        self,
        scope: Construct,
        module: str,
        config: Config,
        *,
        import_name: str,
        description: str,
        statements: Iterable[iam.PolicyStatement],
        environment: Mapping[str, str],
        timeout_seconds: int,
        memory: int = 512,
        shared_log: logs.ILogGroup | None = None,
        reserved_concurrency: int | None = None,
    ) -> None:
        """Without a log group that it shares with others, it gets its own."""
        name = names.function_name(config.prefix, module)
        construct_id = "".join(word.capitalize() for word in module.split("_"))
        own_log = names.log_group_name(config.prefix, module)
        lines = shared_log or log_group(scope, f"{construct_id}Logs", config, own_log)
        role = _role(scope, f"{construct_id}Role", lines, statements)
        super().__init__(
            scope,
            construct_id,
            function_name=name,
            description=description,
            runtime=lambda_.Runtime(f"python{config.python}", lambda_.RuntimeFamily.PYTHON),
            architecture=ARCHITECTURES[config.architecture],
            handler=f"{import_name}.handler",
            code=_shared(scope, config).code,
            layers=[_shared(scope, config).layer],
            role=role,
            log_group=lines,
            # Lambda's own lines too. What is JSON already, as all lines of Powertools are, it passes on as it is.
            logging_format=lambda_.LoggingFormat.JSON,
            timeout=Duration.seconds(timeout_seconds),
            memory_size=memory,
            reserved_concurrent_executions=reserved_concurrency,
            environment=_common_environment(config) | dict(environment),
        )
        # Set here and not by CDK, which would put the rights for it into a policy beside the role: with one resource
        # less for each function, the API's stack stays below what CloudFormation takes.
        resource = self.node.default_child
        assert isinstance(resource, lambda_.CfnFunction)
        resource.tracing_config = lambda_.CfnFunction.TracingConfigProperty(mode="Active")
        Tags.of(self).add("Name", name)
        suppress_nag(self, "AwsSolutions-L1", "The setting `python` names the version that the layer is built for.")


class SharedCode(Construct):
    """The code asset and the layer that all functions of a stack share."""

    def __init__(self, stack: Stack, config: Config) -> None:
        super().__init__(stack, "Code")
        self.code = lambda_code(config.python)
        self.layer = lambda_.LayerVersion(
            self,
            "Layer",
            layer_version_name=f"{config.prefix}-packages",
            description="Third-party packages of layers/requirements.txt",
            code=_layer_code(stack, config),
            compatible_runtimes=[lambda_.Runtime(f"python{config.python}", lambda_.RuntimeFamily.PYTHON)],
            compatible_architectures=[ARCHITECTURES[config.architecture]],
            removal_policy=RemovalPolicy.DESTROY,
        )


def _shared(scope: Construct, config: Config) -> SharedCode:
    stack = Stack.of(scope)
    existing = stack.node.try_find_child("Code")
    return existing if isinstance(existing, SharedCode) else SharedCode(stack, config)


def _role(
    scope: Construct, construct_id: str, lines: logs.ILogGroup, statements: Iterable[iam.PolicyStatement]
) -> iam.Role:
    write_logs = iam.PolicyStatement(
        actions=["logs:CreateLogStream", "logs:PutLogEvents"], resources=[lines.log_group_arn]
    )
    send_traces = iam.PolicyStatement(actions=["xray:PutTelemetryRecords", "xray:PutTraceSegments"], resources=["*"])
    role = iam.Role(
        scope,
        construct_id,
        assumed_by=iam.ServicePrincipal("lambda.amazonaws.com"),
        inline_policies={"Grants": iam.PolicyDocument(statements=[write_logs, send_traces, *statements])},
    )
    suppress_nag(
        role, "AwsSolutions-IAM5[Resource::*]", "X-Ray takes trace segments of any resource; it has no ARNs to name."
    )
    return role


def _common_environment(config: Config) -> dict[str, str]:
    chosen = {
        f"{what.upper()}_PROVIDER": value
        for what in ("videos", "transcripts", "analyst", "prices")
        if (value := getattr(config, what))
    }
    return {
        # Empty on AWS. `sam local` can only override variables that the template declares.
        "DYNAMODB_ENDPOINT": "",
        "DYNAMODB_TABLE_PREFIX": config.prefix,
        "POWERTOOLS_LOG_LEVEL": "INFO",
        "POWERTOOLS_SERVICE_NAME": config.prefix,
        "PROVIDERS": config.providers,
        "STAGE": config.stage,
        # Else pydantic searches every installed package for plugins at each cold start.
        "PYDANTIC_DISABLE_PLUGINS": "__all__",
        **chosen,
        **({"CHECK_EVERY": config.check_every} if config.check_every else {}),
        **({"NEWS_PROVIDERS": ",".join(config.news)} if config.news else {}),
        **({"NEWS_ANALYST": config.news_analyst} if config.news_analyst else {}),
        **({"NEWS_EVERY": config.news_every} if config.news_every else {}),
        **({"REVIEW_BELOW": config.review_below} if config.review_below else {}),
        **({"COST_BPS": config.cost_bps} if config.cost_bps else {}),
    }


def _layer_code(stack: Stack, config: Config) -> lambda_.AssetCode:
    """The built folder. Without one the templates can still be synthesised and read, but not deployed."""
    if (config.layer / "python").is_dir():
        return lambda_.Code.from_asset(str(config.layer), exclude=[STAMP])
    Annotations.of(stack).add_error("The layer has not been built: run `make layer` before you deploy.")
    return lambda_.Code.from_asset(str(ROOT / "layers"), exclude=["*", "!requirements.txt"])
