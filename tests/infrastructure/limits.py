"""The documented limits of AWS that a template can break, and a check for each.

The emulator and cfn-lint accept most of these; AWS refuses them at the deployment.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

GUIDE = "https://docs.aws.amazon.com"
CLOUDFORMATION = f"{GUIDE}/AWSCloudFormation/latest/UserGuide/cloudformation-limits.html"
DYNAMIC_REFERENCES = f"{GUIDE}/AWSCloudFormation/latest/UserGuide/dynamic-references.html"
DELETION_POLICY = f"{GUIDE}/AWSCloudFormation/latest/TemplateReference/aws-attribute-deletionpolicy.html"
IAM = f"{GUIDE}/IAM/latest/UserGuide/reference_iam-quotas.html"
LAMBDA = f"{GUIDE}/lambda/latest/dg/gettingstarted-limits.html"
LAMBDA_VARIABLES = f"{GUIDE}/lambda/latest/dg/configuration-envvars.html"
HTTP_API = f"{GUIDE}/apigateway/latest/developerguide/http-api-quotas.html"
CLOUDFRONT = f"{GUIDE}/AmazonCloudFront/latest/DeveloperGuide/cloudfront-limits.html"
CLOUDWATCH = f"{GUIDE}/AmazonCloudWatch/latest/monitoring/cloudwatch_limits.html"
LOGS = f"{GUIDE}/AmazonCloudWatch/latest/logs/cloudwatch_limits_cwl.html"
STATES = f"{GUIDE}/step-functions/latest/dg/service-quotas.html"
SQS = f"{GUIDE}/AWSSimpleQueueService/latest/SQSDeveloperGuide/quotas-messages.html"
DYNAMODB = f"{GUIDE}/amazondynamodb/latest/developerguide/ServiceQuotas.html"

Template = Mapping[str, Any]
Check = Callable[[Template], Iterable[str]]
LENGTHS = {"AWS::AccountId": 12, "AWS::Partition": 6, "AWS::Region": 14, "AWS::StackId": 160, "AWS::URLSuffix": 16}
"""The longest that CloudFormation puts in their place."""
LONGEST_ARN = 160
RESERVED_VARIABLES = {
    "_HANDLER",
    "_X_AMZN_TRACE_ID",
    "AWS_ACCESS_KEY",
    "AWS_ACCESS_KEY_ID",
    "AWS_DEFAULT_REGION",
    "AWS_EXECUTION_ENV",
    "AWS_LAMBDA_FUNCTION_MEMORY_SIZE",
    "AWS_LAMBDA_FUNCTION_NAME",
    "AWS_LAMBDA_FUNCTION_VERSION",
    "AWS_LAMBDA_INITIALIZATION_TYPE",
    "AWS_LAMBDA_LOG_GROUP_NAME",
    "AWS_LAMBDA_LOG_STREAM_NAME",
    "AWS_LAMBDA_RUNTIME_API",
    "AWS_REGION",
    "AWS_SECRET_ACCESS_KEY",
    "AWS_SESSION_TOKEN",
    "LAMBDA_RUNTIME_DIR",
    "LAMBDA_TASK_ROOT",
}
NAMES = {
    "AWS::ApiGatewayV2::Api": ("Name", 128),
    "AWS::Backup::BackupVault": ("BackupVaultName", 50),
    "AWS::CloudFront::Function": ("Name", 64),
    "AWS::CloudFront::OriginAccessControl": ("OriginAccessControlConfig.Name", 64),
    "AWS::CloudFront::ResponseHeadersPolicy": ("ResponseHeadersPolicyConfig.Name", 128),
    "AWS::CloudWatch::Alarm": ("AlarmName", 255),
    "AWS::DynamoDB::GlobalTable": ("TableName", 255),
    "AWS::Events::Rule": ("Name", 64),
    "AWS::IAM::Role": ("RoleName", 64),
    "AWS::Lambda::Function": ("FunctionName", 64),
    "AWS::S3::Bucket": ("BucketName", 63),
    "AWS::SNS::Topic": ("TopicName", 256),
    "AWS::SQS::Queue": ("QueueName", 80),
    "AWS::Scheduler::Schedule": ("Name", 64),
    "AWS::Scheduler::ScheduleGroup": ("Name", 64),
    "AWS::StepFunctions::StateMachine": ("StateMachineName", 80),
    "AWS::WAFv2::WebACL": ("Name", 128),
}
"""Where each kind of resource has its name, and the most characters that AWS accepts."""


@dataclass(frozen=True, slots=True)
class Limit:
    name: str
    link: str
    check: Check

    def problems(self, template: Template) -> list[str]:
        return [f"{self.name}: {problem} ({self.link})" for problem in self.check(template)]


def problems_of(template: Template, *, is_production: bool = False) -> list[str]:
    limits = LIMITS if is_production else (*LIMITS, NOTHING_RETAINED)
    return [problem for limit in limits for problem in limit.problems(template)]


def size(value: Any) -> int:
    """The most bytes that a value may take once its references are resolved."""
    if isinstance(value, str):
        return len(value.encode())
    if isinstance(value, list):
        return sum(map(size, value)) + 3 * len(value)
    if not isinstance(value, dict):
        return len(json.dumps(value))
    function, argument = next(iter(value.items()), ("", ""))
    if function == "Ref":
        return LENGTHS.get(argument, LONGEST_ARN)
    if function == "Fn::Join":
        return sum(map(size, argument[1])) + len(argument[0]) * len(argument[1])
    if function.startswith("Fn::"):
        return LONGEST_ARN
    return sum(len(name) + 4 + size(part) for name, part in value.items()) + 2


def resources(template: Template, kind: str) -> Iterator[tuple[str, dict[str, Any]]]:
    for name, resource in template.get("Resources", {}).items():
        if resource["Type"] == kind:
            yield name, resource.get("Properties", {})


def at_most(most: int, count: Callable[[Template], int]) -> Check:
    def check(template: Template) -> Iterator[str]:
        if (found := count(template)) > most:
            yield f"{found:,}, and AWS accepts {most:,}"

    return check


def in_section(section: str) -> Callable[[Template], int]:
    return lambda template: len(template.get(section, {}))


def of_kind(kind: str) -> Callable[[Template], int]:
    return lambda template: sum(1 for _ in resources(template, kind))


def each(kind: str, most: int, measure: Callable[[dict[str, Any]], int]) -> Check:
    """No resource of the kind has more than this."""

    def check(template: Template) -> Iterator[str]:
        for name, properties in resources(template, kind):
            if (found := measure(properties)) > most:
                yield f"{name} has {found:,}, and AWS accepts {most:,}"

    return check


def value_at(properties: Any, path: str) -> Any:
    for part in path.split("."):
        properties = properties.get(part) if isinstance(properties, dict) else None
    return properties


def count_at(path: str) -> Callable[[dict[str, Any]], int]:
    return lambda properties: len(value_at(properties, path) or ())


def size_at(path: str) -> Callable[[dict[str, Any]], int]:
    return lambda properties: size(value_at(properties, path) or "")


def number_at(path: str) -> Callable[[dict[str, Any]], int]:
    return lambda properties: int(value_at(properties, path) or 0)


def names_too_long(template: Template) -> Iterator[str]:
    for kind, (path, most) in NAMES.items():
        for name, properties in resources(template, kind):
            given = value_at(properties, path)
            # A reference is to the name of another resource, which is checked there.
            if given is not None and "Ref" not in given and size(given) > most:
                yield f"{name}'s {path} may have {size(given)} characters, and AWS accepts {most}"


def inline_policies_too_long(template: Template) -> Iterator[str]:
    """All inline policies of a role together, those beside it too."""
    found = {
        role: sum(size(policy["PolicyDocument"]) for policy in properties.get("Policies", []))
        for role, properties in resources(template, "AWS::IAM::Role")
    }
    for _, properties in resources(template, "AWS::IAM::Policy"):
        for role in properties.get("Roles", []):
            named = role.get("Ref", "") if isinstance(role, dict) else role
            found[named] = found.get(named, 0) + size(properties["PolicyDocument"])
    for role, characters in found.items():
        if characters > 10_240:
            yield f"those of {role} have {characters:,} characters, and AWS accepts 10,240"


def reserved_variables(template: Template) -> Iterator[str]:
    for name, properties in resources(template, "AWS::Lambda::Function"):
        for variable in properties.get("Environment", {}).get("Variables", {}):
            if variable in RESERVED_VARIABLES:
                yield f"{name} sets {variable}"


def alarm_metrics(properties: dict[str, Any]) -> int:
    return sum("MetricStat" in metric for metric in properties.get("Metrics", []))


def statistics_over_a_day(template: Template) -> Iterator[str]:
    """Periods below an hour may be evaluated over a day together, longer ones over a week."""
    for name, properties in resources(template, "AWS::CloudWatch::Alarm"):
        metrics = [metric["MetricStat"] for metric in properties.get("Metrics", []) if "MetricStat" in metric]
        for period in (properties.get("Period"), *(metric["Period"] for metric in metrics)):
            whole = (period or 0) * properties["EvaluationPeriods"]
            if whole > (86_400 if (period or 0) < 3600 else 604_800):
                yield f"{name} looks back {whole:,} seconds"


def retained_under_a_name(template: Template) -> Iterator[str]:
    """After a failed deployment it would be left, and the next deployment could not create it."""
    for name, resource in template.get("Resources", {}).items():
        path, _ = NAMES.get(resource["Type"], ("Name", 0))
        if resource.get("DeletionPolicy") == "Retain" and value_at(resource.get("Properties"), path) is not None:
            yield f"{name} keeps its name after the deployment that created it failed; use RetainExceptOnCreate"


def retained(template: Template) -> Iterator[str]:
    for name, resource in template.get("Resources", {}).items():
        for policy in ("DeletionPolicy", "UpdateReplacePolicy"):
            if resource.get(policy, "Delete") != "Delete":
                yield f"{name} has {policy} {resource[policy]} outside production"


LIMITS = (
    Limit(
        "dynamic references",
        DYNAMIC_REFERENCES,
        at_most(60, lambda template: json.dumps(template).count("{{resolve:")),
    ),
    Limit("resources", CLOUDFORMATION, at_most(500, in_section("Resources"))),
    Limit("outputs", CLOUDFORMATION, at_most(200, in_section("Outputs"))),
    Limit("mappings", CLOUDFORMATION, at_most(200, in_section("Mappings"))),
    Limit("parameters", CLOUDFORMATION, at_most(200, in_section("Parameters"))),
    # Inline a template may have 51,200 bytes. CDK uploads each to a bucket, where it may have a megabyte.
    Limit("template size", CLOUDFORMATION, at_most(1_000_000, lambda template: len(json.dumps(template, indent=1)))),
    Limit("names", CLOUDFORMATION, names_too_long),
    Limit("names that outlive a failed deployment", DELETION_POLICY, retained_under_a_name),
    Limit("inline policies of a role", IAM, inline_policies_too_long),
    Limit("managed policy", IAM, each("AWS::IAM::ManagedPolicy", 6_144, size_at("PolicyDocument"))),
    Limit("trust policy", IAM, each("AWS::IAM::Role", 2_048, size_at("AssumeRolePolicyDocument"))),
    Limit("managed policies of a role", IAM, each("AWS::IAM::Role", 10, count_at("ManagedPolicyArns"))),
    Limit("environment of a function", LAMBDA, each("AWS::Lambda::Function", 4_096, size_at("Environment.Variables"))),
    Limit("reserved environment variables", LAMBDA_VARIABLES, reserved_variables),
    Limit("time-out of a function", LAMBDA, each("AWS::Lambda::Function", 900, number_at("Timeout"))),
    Limit("memory of a function", LAMBDA, each("AWS::Lambda::Function", 10_240, number_at("MemorySize"))),
    Limit("layers of a function", LAMBDA, each("AWS::Lambda::Function", 5, count_at("Layers"))),
    Limit("routes of an HTTP API", HTTP_API, at_most(300, of_kind("AWS::ApiGatewayV2::Route"))),
    Limit("integrations of an HTTP API", HTTP_API, at_most(300, of_kind("AWS::ApiGatewayV2::Integration"))),
    Limit("authorizers of an HTTP API", HTTP_API, at_most(10, of_kind("AWS::ApiGatewayV2::Authorizer"))),
    Limit(
        "cache behaviours of a distribution",
        CLOUDFRONT,
        each("AWS::CloudFront::Distribution", 75, count_at("DistributionConfig.CacheBehaviors")),
    ),
    Limit(
        "size of a CloudFront function", CLOUDFRONT, each("AWS::CloudFront::Function", 10_240, size_at("FunctionCode"))
    ),
    Limit("metrics of an alarm", CLOUDWATCH, each("AWS::CloudWatch::Alarm", 10, alarm_metrics)),
    Limit("actions of an alarm", CLOUDWATCH, each("AWS::CloudWatch::Alarm", 5, count_at("AlarmActions"))),
    Limit("time that an alarm looks back", CLOUDWATCH, statistics_over_a_day),
    Limit("log groups of a query", LOGS, each("AWS::Logs::QueryDefinition", 50, count_at("LogGroupNames"))),
    Limit(
        "definition of a state machine",
        STATES,
        each("AWS::StepFunctions::StateMachine", 1_048_576, size_at("DefinitionString")),
    ),
    Limit("visibility time-out of a queue", SQS, each("AWS::SQS::Queue", 43_200, number_at("VisibilityTimeout"))),
    Limit("retention of a queue", SQS, each("AWS::SQS::Queue", 1_209_600, number_at("MessageRetentionPeriod"))),
    Limit(
        "indexes of a table",
        DYNAMODB,
        each("AWS::DynamoDB::GlobalTable", 20, count_at("GlobalSecondaryIndexes")),
    ),
)
NOTHING_RETAINED = Limit("retained resources", DELETION_POLICY, retained)
"""For stages that are destroyed and deployed again: what stays would be in the way."""
