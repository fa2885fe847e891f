"""Each function may do to each table, bucket and queue what its row says, and nothing else."""

import json

import pytest

from functions.routes import FALLBACK, ROUTES, FileAction, Grant, Route
from functions.runtime.dynamodb.tables import MAIN, NEWS, STOCKS, TABLES
from functions.steps import STEPS, Step
from tests.infrastructure.conftest import EVERY_READ, JWT, LEAN, RICH, Synthesise
from tests.infrastructure.templates import Permission, System, allowed_by, listed, origin_secret_of, text

HERE = "{AWS::Partition}"
IN_THE_REGION = "us-east-1:{AWS::AccountId}"
MACHINE = f"arn:{HERE}:states:{IN_THE_REGION}:stateMachine:StockTrackRecord-processing"
EXECUTIONS = f"arn:{HERE}:states:{IN_THE_REGION}:execution:StockTrackRecord-processing:*"
JOBS = f"arn:{HERE}:sqs:{IN_THE_REGION}:StockTrackRecord-jobs"
NEWS_TO_ANALYSE = f"arn:{HERE}:sqs:{IN_THE_REGION}:StockTrackRecord-news"
EXPORTS = f"arn:{HERE}:sqs:{IN_THE_REGION}:StockTrackRecord-user-exports"
ALERT_KEY = f"arn:{HERE}:secretsmanager:{IN_THE_REGION}:secret:StockTrackRecord/alert-key-??????"
ALERTS = f"arn:{HERE}:sns:{IN_THE_REGION}:StockTrackRecord-alerts"
TRANSCRIPTS = f"arn:{HERE}:s3:::stocktrackrecord-transcripts-us-east-1-{{AWS::AccountId}}"
EXPORT_FILES = f"arn:{HERE}:s3:::stocktrackrecord-user-exports-us-east-1-{{AWS::AccountId}}"
FOR_EVERY_FUNCTION = {"logs:CreateLogStream", "logs:PutLogEvents", "xray:PutTelemetryRecords", "xray:PutTraceSegments"}
FOR_THE_QUEUES_WORKER = {
    "sqs:ChangeMessageVisibility",
    "sqs:DeleteMessage",
    "sqs:GetQueueAttributes",
    "sqs:GetQueueUrl",
    "sqs:ReceiveMessage",
}
WRITES = {
    "dynamodb:PutItem",
    "dynamodb:UpdateItem",
    "dynamodb:DeleteItem",
    "dynamodb:BatchWriteItem",
    "s3:PutObject",
    "s3:DeleteObject",
}

WILDCARDS = {
    "xray:PutTelemetryRecords": "X-Ray has no resources to name",
    "xray:PutTraceSegments": "X-Ray has no resources to name",
    "xray:GetSamplingRules": "X-Ray has no resources to name",
    "xray:GetSamplingTargets": "X-Ray has no resources to name",
    "logs:CreateLogDelivery": "log deliveries have no resources to name",
    "logs:GetLogDelivery": "log deliveries have no resources to name",
    "logs:UpdateLogDelivery": "log deliveries have no resources to name",
    "logs:DeleteLogDelivery": "log deliveries have no resources to name",
    "logs:ListLogDeliveries": "log deliveries have no resources to name",
    "logs:PutResourcePolicy": "log deliveries have no resources to name",
    "logs:DescribeResourcePolicies": "log deliveries have no resources to name",
    "logs:DescribeLogGroups": "log deliveries have no resources to name",
    "states:StopExecution": "an execution's name is known only when it runs; the machine is named",
    "s3:DeleteObject": "a transcript is named after its video, an archive after its export",
    "s3:GetObject": "a transcript is named after its video, an archive after its export",
    "s3:PutObject": "so too; and DynamoDB names the objects of an export, below the table's folder",
    "s3:PutObjectAcl": "DynamoDB names the objects of an export, below the table's folder",
    "dynamodb:DescribeExport": "DynamoDB names its exports, below their table",
    "s3:AbortMultipartUpload": "an archive is named after its export; DynamoDB names the objects of its own exports",
    "sns:GetSubscriptionAttributes": "SNS names no resource for it; the ARN of a subscription cannot be guessed",
    "sns:Unsubscribe": "SNS names no resource for it; the ARN of a subscription cannot be guessed",
    "bedrock:InvokeModel": "an inference profile calls its model in whichever region has capacity",
}
"""Where AWS has nothing narrower, and why."""


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: route.module)
def test_a_route_may_do_exactly_what_its_row_says(system: Synthesise, route: Route) -> None:
    allowed = _beyond_logs(system().permissions(route.module))

    expected = _of_tables(route.grants) | _of_files(route) | _of_alerts(route) | _of_queues(route)
    expected |= _of_cloudfront(system())
    if route.starts_runs:
        expected |= {("states:StartExecution", MACHINE)}
    if route.stops_runs:
        expected |= {("states:StopExecution", EXECUTIONS)}
    assert allowed == expected


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.module)
def test_a_step_may_do_exactly_what_its_row_says(system: Synthesise, step: Step) -> None:
    allowed = _beyond_logs(system().permissions(step.module))

    of_queue = {permission for permission in allowed if permission[0] in FOR_THE_QUEUES_WORKER}
    expected = _of_tables(step.grants) | _of_files(step) | _of_alerts(step) | _of_queues(step)
    if step.starts_runs:
        expected |= {("states:StartExecution", MACHINE)}
    assert allowed - of_queue == expected
    assert bool(of_queue) == (step.module in ("run_jobs", "write_exports", "analyse_news"))


@pytest.mark.parametrize("settings", [{}, RICH, LEAN], ids=["by default", "rich", "not kept"])
def test_only_functions_whose_row_says_so_reach_a_bucket(system: Synthesise, settings: dict[str, str]) -> None:
    made = system(**settings)
    rows = {each.module: (set(each.transcripts), set(each.export_files)) for each in (*ROUTES, *STEPS)}

    def granted(module: str, bucket: str) -> set[str]:
        reached = {action for action, where in made.permissions(module) if f"-{bucket}-" in where}
        return {action.removeprefix("s3:") for action in reached if action.startswith("s3:")}

    for module in made.functions():
        reached = (granted(module, "transcripts"), granted(module, "user-exports"))
        assert reached == rows.get(module, (set(), set())), module
        others = {where for action, where in made.permissions(module) if action.startswith("s3:")}
        assert all("-transcripts-" in where or "-user-exports-" in where for where in others)


def test_only_functions_that_reach_the_kept_transcripts_are_told_of_them(system: Synthesise) -> None:
    rows = {each.module: each.transcripts for each in (*ROUTES, *STEPS)}

    for kept, made in (("true", system()), ("false", system(**LEAN))):
        for module, function in made.functions().items():
            told = function["Environment"]["Variables"]
            assert ("KEPT_TRANSCRIPTS_BUCKET" in told) == bool(rows.get(module)), module
            assert told.get("KEEP_TRANSCRIPTS") == (kept if rows.get(module) else None), module
    of_exports = {each.module: each.export_files for each in (*ROUTES, *STEPS)}
    for module, function in system().functions().items():
        assert ("EXPORTS_BUCKET" in function["Environment"]["Variables"]) == bool(of_exports.get(module)), module


def test_the_buckets_that_functions_are_told_of_are_those_that_are_made(system: Synthesise) -> None:
    for settings in ({}, RICH, {"prefix": "A-prefix-of-thirty-nine-characters-long"}):
        made = system(**settings)
        buckets = made.resources("AWS::S3::Bucket", "data").values()
        names = {text(each["Properties"]["BucketName"]) for each in buckets if "BucketName" in each["Properties"]}
        told = {
            text(each["Environment"]["Variables"][setting])
            for each in made.functions().values()
            for setting in ("KEPT_TRANSCRIPTS_BUCKET", "EXPORTS_BUCKET")
            if setting in each["Environment"]["Variables"]
        }
        granted = {
            where.removesuffix("/*").partition(":s3:::")[2]
            for module in made.functions()
            for action, where in made.permissions(module)
            if action.startswith("s3:")
        }

        assert names == told == granted


def test_starting_and_stopping_runs_are_two_rights(system: Synthesise) -> None:
    def holders(action: str) -> set[str]:
        made = system()
        return {module for module in made.functions() if action in {allowed for allowed, _ in made.permissions(module)}}

    assert holders("states:StartExecution") >= {"create_channel", "process_channel"}
    assert not holders("states:StartExecution") & holders("states:StopExecution")


def test_the_fallback_and_the_authorizer_touch_no_table(system: Synthesise) -> None:
    assert _beyond_logs(system().permissions(FALLBACK.module)) == _of_cloudfront(system())
    assert {action for action, _ in _beyond_logs(system().permissions("authorizer"))} == {
        "secretsmanager:GetSecretValue"
    }


def test_routes_that_only_read_cannot_write(system: Synthesise) -> None:
    for route in ROUTES:
        if not route.changes:
            assert not WRITES & {action for action, _ in system().permissions(route.module)}, route.module


def test_a_read_that_calls_a_live_price_source_may_write_its_pace_and_nothing_else(system: Synthesise) -> None:
    live, demo = system(**RICH), system()

    readers = [route for route in ROUTES if not route.changes]
    writing = {
        route.module: [each for each in live.statements(route.module) if WRITES & set(listed(each["Action"]))]
        for route in readers
    }

    assert {module for module, statements in writing.items() if statements} == {"get_stock_price", "get_stock_history"}
    for (statement,) in filter(None, writing.values()):
        assert listed(statement["Action"]) == ["dynamodb:UpdateItem"]
        assert statement["Condition"] == {"ForAllValues:StringLike": {"dynamodb:LeadingKeys": ["PACE#*"]}}
    assert not any(WRITES & {action for action, _ in demo.permissions(route.module)} for route in readers)


@pytest.mark.parametrize(
    ("settings", "live"),
    [({}, False), (LEAN, False), (RICH, True)],
)
def test_only_live_prices_have_a_pace(system: Synthesise, settings: dict[str, str], live: bool) -> None:
    allowed = {action for action, _ in system(**settings).permissions("get_stock_history")}

    assert ("dynamodb:UpdateItem" in allowed) == live


def test_only_functions_that_use_providers_may_read_their_keys(system: Synthesise) -> None:
    live = system(**RICH)

    readers = {
        module
        for module in live.functions()
        if module != "authorizer"
        and any(
            action == "secretsmanager:GetSecretValue" and "provider-keys" in where
            for action, where in live.permissions(module)
        )
    }

    assert readers == {each.module for each in (*ROUTES, *STEPS) if each.uses_providers}


@pytest.mark.parametrize(
    ("settings", "model"),
    [
        (RICH, "us.amazon.nova-lite-v1:0"),
        (EVERY_READ, "global.anthropic.claude-haiku-4-5-20251001-v1:0"),
        (LEAN, None),
        ({}, None),
    ],
    ids=["chosen", "by default", "rules", "demo"],
)
def test_functions_that_read_may_invoke_the_model_that_is_set_and_no_other(
    system: Synthesise, settings: dict[str, str], model: str | None
) -> None:
    made = system(**settings)
    invoked = {
        module: {where for action, where in made.permissions(module) if action.startswith("bedrock:")}
        for module in made.functions()
    }

    readers = {step.module for step in STEPS if step.uses_model} if model else set()
    assert {module for module, resources in invoked.items() if resources} == readers
    for module in readers:
        assert {where.rpartition("/")[2] for where in invoked[module]} == {model, str(model).partition(".")[2]}
        assert made.functions()[module]["Environment"]["Variables"]["BEDROCK_MODEL_ID"] == model


@pytest.mark.parametrize(
    ("settings", "who", "reads_token"),
    [
        ({"providers": "live"}, "token", True),
        (EVERY_READ, "everyone", False),
        (LEAN, "everyone", False),
        (JWT, "nobody", False),
    ],
)
def test_open_reads_call_a_metered_source_only_for_those_who_may_change(
    system: Synthesise, settings: dict[str, str], who: str, reads_token: bool
) -> None:
    live = system(**settings)

    for route in ROUTES:
        told = live.functions()[route.module]["Environment"]["Variables"]
        is_metered_read = route.uses_providers and not route.changes
        assert told.get("METERED_READS") == (who if is_metered_read else None), route.module
        assert ("API_TOKEN_SECRET_ID" in told) == (is_metered_read and reads_token), route.module


def test_a_free_source_needs_no_token(system: Synthesise) -> None:
    for route in ROUTES:
        assert "METERED_READS" not in system().functions()[route.module]["Environment"]["Variables"]


def test_no_policy_has_a_wildcard_that_could_be_narrower(system: Synthesise) -> None:
    for (role,), policy in system(**RICH).policies():
        if "CustomCDKBucketDeployment" in role:
            continue  # CDK's own uploader of the page, whose grants CDK writes
        for statement in policy["PolicyDocument"]["Statement"]:
            for action in listed(statement["Action"]):
                assert "*" not in action, role
                if any("*" in text(resource) for resource in listed(statement["Resource"])):
                    assert action in WILDCARDS, f"{role} allows {action} on {statement['Resource']}"


def test_an_export_may_do_what_dynamodb_requires_of_it_and_nothing_else(system: Synthesise) -> None:
    (machine,) = [
        each["Properties"]
        for name, each in system().resources("AWS::StepFunctions::StateMachine").items()
        if name.startswith("data/")
    ]
    role = machine["RoleArn"]["Fn::GetAtt"][0]
    statements = [
        statement
        for policy in system().resources("AWS::IAM::Policy", "data").values()
        if {"Ref": role} in policy["Properties"]["Roles"]
        for statement in policy["Properties"]["PolicyDocument"]["Statement"]
    ]
    allowed = {permission for statement in statements for permission in allowed_by(statement)}

    assert {action for action, _ in allowed if action.startswith(("s3:", "dynamodb:"))} == {
        "dynamodb:ExportTableToPointInTime",
        "dynamodb:DescribeExport",
        "s3:AbortMultipartUpload",
        "s3:PutObject",
        "s3:PutObjectAcl",
    }
    for table in TABLES:
        name = table.name("StockTrackRecord")
        arn = f"arn:{HERE}:dynamodb:{IN_THE_REGION}:table/{name}"
        assert ("dynamodb:ExportTableToPointInTime", arn) in allowed
        assert ("dynamodb:DescribeExport", f"{arn}/export/*") in allowed
        assert any(action == "s3:PutObjectAcl" and where.endswith(f"/{name}/*") for action, where in allowed)


def test_logs_are_written_to_the_functions_own_group_alone(system: Synthesise) -> None:
    for module in system().functions():
        groups = {resource for action, resource in system().permissions(module) if action == "logs:PutLogEvents"}
        assert len(groups) == 1
        assert groups.pop().endswith(".Arn}")


def test_functions_that_callers_reach_directly_have_no_origin_secret(system: Synthesise) -> None:
    made = system(emulator="true")

    assert not _beyond_logs(made.permissions(FALLBACK.module))
    assert "origin-secret" not in json.dumps(made.stacks)
    assert not [each for each in made.functions().values() if "ORIGIN_SECRET_ID" in each["Environment"]["Variables"]]


def _of_cloudfront(made: System) -> set[Permission]:
    """Each function of the API reads the secret by which it knows CloudFront."""
    return {("secretsmanager:GetSecretValue", f"{{{origin_secret_of(made)}.Id}}")}


def _beyond_logs(permissions: set[Permission]) -> set[Permission]:
    return {permission for permission in permissions if permission[0] not in FOR_EVERY_FUNCTION}


def _of_files(row: Route | Step) -> set[Permission]:
    return _of_bucket(TRANSCRIPTS, row.transcripts) | _of_bucket(EXPORT_FILES, row.export_files)


def _of_bucket(bucket: str, actions: tuple[FileAction, ...]) -> set[Permission]:
    return {(f"s3:{action}", bucket if action == "ListBucket" else f"{bucket}/*") for action in actions}


def _of_queues(row: Route | Step) -> set[Permission]:
    queues = {JOBS: row.sends_jobs, EXPORTS: row.sends_exports, NEWS_TO_ANALYSE: row.sends_news}
    return {("sqs:SendMessage", queue) for queue, sends in queues.items() if sends}


def _of_alerts(row: Route | Step) -> set[Permission]:
    key = {("secretsmanager:GetSecretValue", ALERT_KEY)} if row.signs_webhooks else set()
    topics = [ALERTS, *(f"{ALERTS}-{number}" for number in range(2, 6))]
    return key | {
        (f"sns:{action}", resource)
        for action in row.email
        for resource in (topics if action in ("Publish", "Subscribe") else ["*"])
    }


def _of_tables(grants: tuple[Grant, ...]) -> set[Permission]:
    names = {MAIN: "StockTrackRecord", STOCKS: "StockTrackRecord-Stocks", NEWS: "StockTrackRecord-News"}
    return {
        (
            f"dynamodb:{action}",
            f"arn:{HERE}:dynamodb:{IN_THE_REGION}:table/{names[grant.table]}"
            + (f"/index/{grant.index.name}" if grant.index else ""),
        )
        for grant in grants
        for action in grant.actions
    }
