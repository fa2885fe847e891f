"""No template breaks a documented limit of AWS, under any of the settings, and each limit is one that can be broken."""

import json
from typing import Any

import pytest

from infra.config import STAGE_FILES
from tests.infrastructure.conftest import EVERY_READ, JWT, LEAN, RICH, Synthesise
from tests.infrastructure.limits import LIMITS, NOTHING_RETAINED, Template, problems_of
from tests.soak import SOAKING

STAGES = [{**json.loads(file.read_text()), "stage": file.stem} for file in sorted(STAGE_FILES.glob("*.json"))]
SETTINGS: dict[str, dict[str, Any]] = {
    "by default": {},
    "with everything": RICH,
    "as little as possible": LEAN,
    "a token for every read": EVERY_READ,
    "with JWTs": JWT,
    "on the emulator": {"emulator": "true"},
    "with a long name": {"prefix": "A-prefix-of-thirty-nine-characters-long"},
    **({stage["stage"]: stage for stage in STAGES} if SOAKING else {}),
}
RESOURCES_PER_STACK = 425
"""CloudFormation accepts 500: this leaves room for a dozen routes."""


def of(kind: str, **properties: Any) -> Template:
    return {"Resources": {"Broken": {"Type": kind, "Properties": properties}}}


def many(kind: str, count: int) -> Template:
    return {"Resources": {f"R{number}": {"Type": kind} for number in range(count)}}


def policy_of(characters: int) -> dict[str, Any]:
    return {"Statement": [{"Action": "s3:GetObject", "Resource": "x" * characters}]}


SECTIONS: dict[str, Any] = {f"Section{number}": {} for number in range(201)}
BROKEN: dict[str, Template] = {
    "dynamic references": {"Description": "{{resolve:ssm:name}}" * 61},
    "resources": many("AWS::SNS::Topic", 501),
    "outputs": {"Outputs": SECTIONS},
    "mappings": {"Mappings": SECTIONS},
    "parameters": {"Parameters": SECTIONS},
    "template size": {"Description": "x" * 1_000_001},
    "names": of("AWS::Lambda::Function", FunctionName="x" * 65),
    "names that outlive a failed deployment": {
        "Resources": {
            "Group": {"Type": "AWS::Scheduler::ScheduleGroup", "DeletionPolicy": "Retain", "Properties": {"Name": "x"}}
        }
    },
    "inline policies of a role": {
        "Resources": {
            "Role": {"Type": "AWS::IAM::Role", "Properties": {"Policies": [{"PolicyDocument": policy_of(6_000)}]}},
            "Beside": {
                "Type": "AWS::IAM::Policy",
                "Properties": {"Roles": [{"Ref": "Role"}], "PolicyDocument": policy_of(6_000)},
            },
        }
    },
    "managed policy": of("AWS::IAM::ManagedPolicy", PolicyDocument=policy_of(6_200)),
    "trust policy": of("AWS::IAM::Role", AssumeRolePolicyDocument=policy_of(2_100)),
    "managed policies of a role": of("AWS::IAM::Role", ManagedPolicyArns=["arn"] * 11),
    "environment of a function": of("AWS::Lambda::Function", Environment={"Variables": {"LONG": "x" * 4_096}}),
    "reserved environment variables": of("AWS::Lambda::Function", Environment={"Variables": {"AWS_REGION": "x"}}),
    "time-out of a function": of("AWS::Lambda::Function", Timeout=901),
    "memory of a function": of("AWS::Lambda::Function", MemorySize=10_241),
    "layers of a function": of("AWS::Lambda::Function", Layers=["arn"] * 6),
    "routes of an HTTP API": many("AWS::ApiGatewayV2::Route", 301),
    "integrations of an HTTP API": many("AWS::ApiGatewayV2::Integration", 301),
    "authorizers of an HTTP API": many("AWS::ApiGatewayV2::Authorizer", 11),
    "cache behaviours of a distribution": of(
        "AWS::CloudFront::Distribution", DistributionConfig={"CacheBehaviors": [{}] * 76}
    ),
    "size of a CloudFront function": of("AWS::CloudFront::Function", FunctionCode="x" * 10_241),
    "metrics of an alarm": of(
        "AWS::CloudWatch::Alarm", EvaluationPeriods=1, Metrics=[{"MetricStat": {"Period": 60}}] * 11
    ),
    "actions of an alarm": of("AWS::CloudWatch::Alarm", EvaluationPeriods=1, AlarmActions=["arn"] * 6),
    "time that an alarm looks back": of("AWS::CloudWatch::Alarm", EvaluationPeriods=97, Period=900),
    "log groups of a query": of("AWS::Logs::QueryDefinition", LogGroupNames=["log"] * 51),
    "definition of a state machine": of("AWS::StepFunctions::StateMachine", DefinitionString="x" * 1_048_577),
    "visibility time-out of a queue": of("AWS::SQS::Queue", VisibilityTimeout=43_201),
    "retention of a queue": of("AWS::SQS::Queue", MessageRetentionPeriod=1_209_601),
    "indexes of a table": of("AWS::DynamoDB::GlobalTable", GlobalSecondaryIndexes=[{}] * 21),
    "retained resources": {"Resources": {"Kept": {"Type": "AWS::S3::Bucket", "UpdateReplacePolicy": "Retain"}}},
}


@pytest.mark.parametrize("settings", SETTINGS.values(), ids=SETTINGS)
def test_no_template_breaks_a_limit(system: Synthesise, settings: dict[str, Any]) -> None:
    made = system(**settings)

    is_production = settings.get("stage") == "prod"
    assert made.stacks
    assert {
        stack: problems
        for stack, template in made.stacks.items()
        if (problems := problems_of(template, is_production=is_production))
    } == {}


@pytest.mark.parametrize("limit", [*LIMITS, NOTHING_RETAINED], ids=lambda limit: limit.name)
def test_a_template_that_breaks_a_limit_is_reported_with_a_link(limit: Any) -> None:
    problems = problems_of(BROKEN[limit.name])

    assert [problem for problem in problems if problem.startswith(f"{limit.name}: ")]
    assert all(problem.endswith(f"({limit.link})") for problem in limit.problems(BROKEN[limit.name]))
    assert limit.link.startswith("https://docs.aws.amazon.com/")


def test_every_limit_has_its_broken_template() -> None:
    assert set(BROKEN) == {limit.name for limit in (*LIMITS, NOTHING_RETAINED)}


def test_production_may_retain_what_another_stage_may_not() -> None:
    kept = BROKEN["retained resources"]

    assert problems_of(kept)
    assert problems_of(kept, is_production=True) == []


def test_one_template_resolves_one_secret(system: Synthesise) -> None:
    """Sixty are possible; functions read what they need, so that routes may be added."""
    counts = {name: json.dumps(each).count("{{resolve:") for name, each in system().stacks.items()}

    assert {name: count for name, count in counts.items() if count} == {"web": 1}


@pytest.mark.parametrize("settings", [{}, RICH], ids=["by default", "with everything"])
def test_no_stack_comes_near_the_limit_of_resources(system: Synthesise, settings: dict[str, Any]) -> None:
    for name, template in system(**settings).stacks.items():
        assert len(template["Resources"]) <= RESOURCES_PER_STACK, f"{name} has to be split"
