"""The templates promise: one function a route, data that is kept, alarms that reach someone, tags, outputs."""

import json
import re
import subprocess
import sys
from importlib.util import MAGIC_NUMBER, cache_from_source
from pathlib import Path
from typing import Any

import pytest
from aws_cdk import Aws

from functions.routes import FALLBACK, ROUTES
from functions.runtime.dynamodb.tables import TABLES, TIME_TO_LIVE
from functions.steps import STEPS
from functions.transfers.models import KEPT_DAYS
from infra.config import read_config
from infra.constructs.distribution import REWRITE_TO_INDEX, WITHOUT_TRAILING_SLASH
from infra.constructs.lambda_code import FUNCTIONS, with_bytecode
from infra.names import kept_transcripts_bucket_name, user_exports_bucket_name
from tests.infrastructure.conftest import EVERY_READ, JWT, LEAN, RICH, Synthesise
from tests.infrastructure.templates import System, synthesise, text

TABLE = "AWS::DynamoDB::GlobalTable"
BUCKET = "AWS::S3::Bucket"
UNCHECKED = (1).to_bytes(4, "little")
"""Flags of bytecode that is taken as it is, whatever the times and the contents of files."""
KEPT_TYPES = (TABLE, "AWS::Logs::LogGroup", BUCKET, "AWS::SQS::Queue", "AWS::Backup::BackupVault")


def test_each_route_has_exactly_one_function(system: Synthesise) -> None:
    made = system()
    called = _integrated_functions(made)

    assert called.pop("$default") == FALLBACK.module
    assert called == {f"{route.method} {route.path}": route.module for route in ROUTES}
    assert set(made.functions()) == {each.module for each in (*ROUTES, FALLBACK, *STEPS)} | {"authorizer"}


def test_without_cloudfront_a_path_with_a_slash_at_its_end_is_the_same_route(system: Synthesise) -> None:
    called = _integrated_functions(system(emulator="true"))

    for route in ROUTES:
        assert called[f"{route.method} {route.path}"] == called[f"{route.method} {route.path}/"] == route.module
    assert len(called) == 2 * len(ROUTES) + 1


@pytest.mark.parametrize(
    ("requested", "forwarded"),
    [
        ("/api/channels/", "/api/channels"),
        ("/api/channels", "/api/channels"),
        ("/api/stocks/BRK.B/price/", "/api/stocks/BRK.B/price"),
        ("/api/stocks/A%2F/", "/api/stocks/A%2F"),
        ("/health/", "/health"),
        ("/api//", "/api/"),
        ("/", "/"),
    ],
)
def test_cloudfront_removes_one_slash_at_the_end_of_a_path(requested: str, forwarded: str) -> None:
    assert _rewritten(WITHOUT_TRAILING_SLASH, requested) == forwarded


def test_every_path_of_the_api_goes_through_that_function(system: Synthesise) -> None:
    (distribution,) = system().resources("AWS::CloudFront::Distribution").values()
    behaviours = distribution["Properties"]["DistributionConfig"]["CacheBehaviors"]

    called = {text(each["FunctionARN"]) for behaviour in behaviours for each in behaviour["FunctionAssociations"]}
    assert len(called) == 1
    assert "WithoutTrailingSlash" in called.pop()
    patterns = {behaviour["PathPattern"] for behaviour in behaviours}
    for route in ROUTES:
        if not route.path.startswith("/api/"):
            assert {route.path, f"{route.path}/"} <= patterns


def test_all_functions_share_one_asset_and_the_layer(system: Synthesise) -> None:
    functions = system().functions().values()

    assert len({json.dumps(each["Code"], sort_keys=True) for each in functions}) == 1
    for each in functions:
        assert each["Runtime"] == "python3.13"
        assert each["Architectures"] == ["arm64"]
        assert len(each["Layers"]) == 1
        assert each["TracingConfig"] == {"Mode": "Active"}


def test_lambda_code_is_shipped_alone_and_with_bytecode_of_its_python() -> None:
    folder = with_bytecode(FUNCTIONS, "{}.{}".format(*sys.version_info)).name

    (shipped,) = Path(folder).iterdir()
    sources = {path.relative_to(shipped) for path in shipped.rglob("*.py")}
    assert sources == {path.relative_to(FUNCTIONS) for path in FUNCTIONS.rglob("*.py")}
    for source in sources:
        bytecode = Path(cache_from_source(str(shipped / source))).read_bytes()
        assert bytecode.startswith(MAGIC_NUMBER + UNCHECKED), source
        assert folder.encode() not in bytecode, source


def test_lambda_code_is_shipped_also_where_its_python_is_not() -> None:
    folder = Path(with_bytecode(FUNCTIONS, "2.0").name)

    assert (folder / "functions" / "routes.py").exists()
    assert not list(folder.rglob("*.pyc"))


def test_each_function_has_a_log_group_of_ours_that_forgets(system: Synthesise) -> None:
    made = system(**RICH)
    groups = {
        name.partition("/")[2]: each["Properties"] for name, each in made.resources("AWS::Logs::LogGroup").items()
    }

    used = [each["LoggingConfig"]["LogGroup"]["Ref"] for each in made.functions().values()]
    assert set(used) <= set(groups)
    assert {each["RetentionInDays"] for each in groups.values()} == {7}


def test_tables_are_those_of_the_one_definition(system: Synthesise) -> None:
    made = {each["Properties"]["TableName"]: each["Properties"] for each in system().resources(TABLE).values()}

    assert set(made) == {table.name("StockTrackRecord") for table in TABLES}
    for table in TABLES:
        properties = made[table.name("StockTrackRecord")]
        assert _keys(properties) == [key for key in (table.partition, table.sort) if key]
        assert {
            index["IndexName"]: (_keys(index), index["Projection"]["ProjectionType"])
            for index in properties.get("GlobalSecondaryIndexes", [])
        } == {
            index.name: ([key for key in (index.partition, index.sort) if key], index.projection)
            for index in table.indexes
        }
        assert properties["BillingMode"] == "PAY_PER_REQUEST"
        assert properties["SSESpecification"] == {"SSEEnabled": True, "SSEType": "KMS"}
        (replica,) = properties["Replicas"]
        assert replica["PointInTimeRecoverySpecification"] == {
            "PointInTimeRecoveryEnabled": True,
            "RecoveryPeriodInDays": 35,
        }
    assert {name: each["TimeToLiveSpecification"] for name, each in made.items() if not name.endswith("-Stocks")} == {
        "StockTrackRecord": {"AttributeName": TIME_TO_LIVE, "Enabled": True},
        "StockTrackRecord-News": {"AttributeName": "ttl_timestamp", "Enabled": True},
    }


def test_recovery_and_time_to_live_can_be_left_out(system: Synthesise) -> None:
    for each in system(**LEAN).resources(TABLE).values():
        assert "TimeToLiveSpecification" not in each["Properties"]
        (replica,) = each["Properties"]["Replicas"]
        assert replica["PointInTimeRecoverySpecification"] == {"PointInTimeRecoveryEnabled": False}


def test_capacity_can_be_provisioned_and_a_copy_kept_in_a_second_region(system: Synthesise) -> None:
    for each in system(**LEAN).resources(TABLE).values():
        (replica,) = each["Properties"]["Replicas"]
        reads = replica["ReadProvisionedThroughputSettings"]["ReadCapacityAutoScalingSettings"]
        assert (reads["MinCapacity"], reads["MaxCapacity"]) == (7, 140)
    for each in system(**RICH).resources(TABLE).values():
        assert {replica["Region"] for replica in each["Properties"]["Replicas"]} == {"us-east-1", "eu-west-1"}


def test_production_keeps_its_data(system: Synthesise) -> None:
    made = system(**RICH)

    for name, resource in made.all():
        if resource["Type"] in KEPT_TYPES:
            assert resource.get("DeletionPolicy") == "RetainExceptOnCreate", name
            assert resource.get("UpdateReplacePolicy") == "Retain", name
        if resource["Type"] == TABLE:
            assert all(replica["DeletionProtectionEnabled"] for replica in resource["Properties"]["Replicas"])
    for _, resource in system().all():
        if resource["Type"] in KEPT_TYPES:
            assert resource.get("DeletionPolicy") == "Delete"


def test_tables_are_backed_up_at_two_in_the_night_and_exported_each_week(system: Synthesise) -> None:
    data = system()

    (plan,) = data.resources("AWS::Backup::BackupPlan").values()
    (rule,) = plan["Properties"]["BackupPlan"]["BackupPlanRule"]
    assert rule["ScheduleExpression"] == "cron(0 2 * * ? *)"
    assert rule["Lifecycle"] == {"DeleteAfterDays": 7}
    (selection,) = data.resources("AWS::Backup::BackupSelection").values()
    assert len(selection["Properties"]["BackupSelection"]["Resources"]) == len(TABLES)
    (export,) = data.resources("AWS::Scheduler::Schedule", "data").values()
    assert export["Properties"]["ScheduleExpression"] == "cron(0 3 ? * SUN *)"
    exported = json.loads(text(export["Properties"]["Target"]["Input"]))["tables"]
    assert [table["name"] for table in exported] == [table.name("StockTrackRecord") for table in TABLES]
    rules = [each["Properties"]["LifecycleConfiguration"]["Rules"] for each in data.resources(BUCKET, "data").values()]
    (kept,) = [rule for (rule,) in rules if rule["Id"] == "old-exports"]
    assert kept["ExpirationInDays"] == 90


@pytest.mark.parametrize("settings", [{}, LEAN, RICH])
def test_kept_transcripts_are_private_and_their_old_versions_expire(
    system: Synthesise, settings: dict[str, Any]
) -> None:
    name, bucket = _bucket(system(**settings), "-transcripts-")

    assert all(bucket["PublicAccessBlockConfiguration"].values())
    assert "AccessControl" not in bucket
    (encryption,) = bucket["BucketEncryption"]["ServerSideEncryptionConfiguration"]
    assert encryption["ServerSideEncryptionByDefault"]["SSEAlgorithm"] == "AES256"
    assert bucket["VersioningConfiguration"] == {"Status": "Enabled"}
    (rule,) = bucket["LifecycleConfiguration"]["Rules"]
    assert rule["Status"] == "Enabled"
    assert rule["NoncurrentVersionExpiration"] == {"NoncurrentDays": 30}
    assert rule["ExpiredObjectDeleteMarker"] is True
    assert rule["AbortIncompleteMultipartUpload"] == {"DaysAfterInitiation": 1}
    # What is current stays until somebody deletes it, and the rule holds for all objects.
    assert not {"ExpirationInDays", "ExpirationDate", "Prefix", "TagFilters"} & set(rule)
    assert name in system(**settings).stacks["data"]["Outputs"]["KeptTranscriptsBucket"]["Value"]["Ref"]


def test_archives_of_people_are_private_and_expire_with_their_exports(system: Synthesise) -> None:
    for settings in ({}, RICH):
        name, bucket = _bucket(system(**settings), "-user-exports-")

        assert all(bucket["PublicAccessBlockConfiguration"].values())
        assert "AccessControl" not in bucket
        # A version would outlive its deletion.
        assert "VersioningConfiguration" not in bucket
        (rule,) = bucket["LifecycleConfiguration"]["Rules"]
        assert (rule["Status"], rule["ExpirationInDays"]) == ("Enabled", KEPT_DAYS)
        assert rule["AbortIncompleteMultipartUpload"] == {"DaysAfterInitiation": 1}
        assert not {"Prefix", "TagFilters"} & set(rule)
        assert name in system(**settings).stacks["data"]["Outputs"]["UserExportsBucket"]["Value"]["Ref"]


def test_transcripts_and_archives_are_sent_over_tls_only(system: Synthesise) -> None:
    for part in ("-transcripts-", "-user-exports-"):
        name, _ = _bucket(system(), part)
        (policy,) = [
            each["Properties"]
            for each in system().resources("AWS::S3::BucketPolicy", "data").values()
            if each["Properties"]["Bucket"] == {"Ref": name}
        ]

        (statement,) = policy["PolicyDocument"]["Statement"]
        assert (statement["Effect"], statement["Principal"]) == ("Deny", {"AWS": "*"})
        assert statement["Condition"] == {"Bool": {"aws:SecureTransport": "false"}}
        assert {text(each) for each in statement["Resource"]} == {f"{{{name}.Arn}}", f"{{{name}.Arn}}/*"}


@pytest.mark.parametrize("region", ["us-east-1", "ap-southeast-1"])
@pytest.mark.parametrize("prefix", ["Abc", "StockTrackRecord-staging", "A-very-long-prefix-of-forty-characters-x"])
def test_buckets_have_names_that_s3_takes(prefix: str, region: str) -> None:
    config = read_config({"prefix": prefix, "region": region})
    another = read_config({"prefix": f"{prefix[:-1]}9", "region": region})

    for name_of, what in ((kept_transcripts_bucket_name, "transcripts"), (user_exports_bucket_name, "user-exports")):
        name = name_of(config).replace(Aws.ACCOUNT_ID, "123456789012")
        assert re.fullmatch(r"[a-z0-9][a-z0-9-]{1,61}[a-z0-9]", name)
        assert name.endswith(f"-{what}-{region}-123456789012")
        assert name_of(another) != name_of(config)


def test_every_function_knows_what_is_doubtful(system: Synthesise) -> None:
    told = {each["Environment"]["Variables"].get("REVIEW_BELOW") for each in system(**RICH).functions().values()}

    assert told == {"0.6"}


def test_every_function_knows_what_trading_costs(system: Synthesise) -> None:
    told = {each["Environment"]["Variables"].get("COST_BPS") for each in system(**RICH).functions().values()}

    assert told == {"5"}


def test_pages_of_other_origins_are_refused_where_no_token_is_required(system: Synthesise) -> None:
    checked = {
        auth: {
            each["Environment"]["Variables"].get("CHECK_BROWSERS")
            for module, each in system(**settings).functions().items()
            if module in {route.module for route in (*ROUTES, FALLBACK)}
        }
        for auth, settings in {"write": {}, "none": LEAN}.items()
    }

    assert checked == {"write": {None}, "none": {"true"}}


@pytest.mark.parametrize("auth", ["write", "all", "none", "jwt", "private"])
def test_each_way_of_access_guards_the_routes_it_should(system: Synthesise, auth: str) -> None:
    made = system(
        **{"write": {}, "all": EVERY_READ, "none": LEAN, "jwt": JWT, "private": JWT | {"auth": "private"}}[auth]
    )

    guarded = {
        each["Properties"]["RouteKey"]: each["Properties"].get("AuthorizationType", "NONE")
        for each in made.resources("AWS::ApiGatewayV2::Route").values()
    }
    kind = "JWT" if auth in ("jwt", "private") else "CUSTOM"
    for route in ROUTES:
        assert guarded[f"{route.method} {route.path}"] == ("NONE" if route.is_open(auth) else kind)
    assert guarded["$default"] == "NONE"
    if auth != "none":
        assert all(guarded[f"{route.method} {route.path}"] == kind for route in ROUTES if route.method != "GET")
    if auth == "private":
        open_ones = {key.rstrip("/") for key in guarded if guarded[key] == "NONE"}
        assert open_ones == {"$default", "GET /health", "GET /health/live"}


def test_roles_come_from_the_claim_that_the_settings_name(system: Synthesise) -> None:
    own = {"jwt_role_claim": "scope", "jwt_role_prefix": "stocks/"}
    by_default, chosen = (
        made.functions()["delete_channel"]["Environment"]["Variables"] for made in (system(**JWT), system(**JWT, **own))
    )

    names = ("API_AUTH", "JWT_ROLE_CLAIM", "JWT_ROLE_PREFIX")
    assert [by_default[name] for name in names] == ["jwt", "cognito:groups", ""]
    assert [chosen[name] for name in names] == ["jwt", "scope", "stocks/"]


def test_the_token_is_remembered_and_read_from_the_header(system: Synthesise) -> None:
    (authorizer,) = system().resources("AWS::ApiGatewayV2::Authorizer").values()

    assert authorizer["Properties"]["AuthorizerResultTtlInSeconds"] == 300
    assert authorizer["Properties"]["IdentitySource"] == ["$request.header.Authorization"]
    assert authorizer["Properties"]["EnableSimpleResponses"] is True


def test_the_api_is_throttled_and_logged_and_knows_its_origins(system: Synthesise) -> None:
    made = system(**RICH)

    (stage,) = made.resources("AWS::ApiGatewayV2::Stage").values()
    assert stage["Properties"]["DefaultRouteSettings"]["ThrottlingRateLimit"] == 50
    assert stage["Properties"]["DefaultRouteSettings"]["ThrottlingBurstLimit"] == 100
    logged = stage["Properties"]["AccessLogSettings"]["Format"]
    assert "$context.requestId" in logged
    assert "$context.authorizer.claims.sub" in logged
    (api,) = made.resources("AWS::ApiGatewayV2::Api").values()
    assert api["Properties"]["CorsConfiguration"]["AllowOrigins"] == ["https://stocks.example"]
    assert made.functions()["list_channels"]["Environment"]["Variables"]["CORS_ORIGINS"] == "https://stocks.example"


def test_jobs_go_to_the_dead_letters_after_three_tries_one_by_one(system: Synthesise) -> None:
    made = system()
    queues = {
        each["Properties"]["QueueName"]: each["Properties"] for each in made.resources("AWS::SQS::Queue").values()
    }
    for name, module in {"jobs": "run_jobs", "user-exports": "write_exports", "news": "analyse_news"}.items():
        queue = queues[f"StockTrackRecord-{name}"]
        assert queue["RedrivePolicy"]["maxReceiveCount"] == 3
        assert queue["VisibilityTimeout"] == 6 * made.functions()[module]["Timeout"]
    sources = made.resources("AWS::Lambda::EventSourceMapping").values()
    assert [source["Properties"]["FunctionResponseTypes"] for source in sources] == [["ReportBatchItemFailures"]] * 3


def test_the_page_is_private_and_one_origin_with_the_api(system: Synthesise) -> None:
    made = system()

    (distribution,) = made.resources("AWS::CloudFront::Distribution").values()
    settings = distribution["Properties"]["DistributionConfig"]
    assert "/api/*" in {behaviour["PathPattern"] for behaviour in settings["CacheBehaviors"]}
    assert made.resources("AWS::CloudFront::OriginAccessControl")
    for bucket in made.resources("AWS::S3::Bucket", "web").values():
        assert all(bucket["Properties"]["PublicAccessBlockConfiguration"].values())
    policies = [
        each["Properties"]["ResponseHeadersPolicyConfig"]["SecurityHeadersConfig"]
        for each in made.resources("AWS::CloudFront::ResponseHeadersPolicy").values()
    ]
    assert all("StrictTransportSecurity" in policy for policy in policies)
    assert any("ContentSecurityPolicy" in policy for policy in policies)


def test_everything_that_takes_tags_has_them(system: Synthesise) -> None:
    made = system(**RICH)
    wanted = {"Project", "Environment", "ManagedBy", "Name", "Team"}

    tagged = 0
    for name, resource in made.all():
        for tags in _tags(resource):
            assert wanted <= set(tags), f"{name} lacks {wanted - set(tags)}"
            assert tags["Environment"] == "prod"
            tagged += 1
    assert tagged > len(ROUTES)
    for module, function in made.functions().items():
        assert {"Key": "Name", "Value": function["FunctionName"]} in function["Tags"], module


def test_outputs_tell_where_everything_is(system: Synthesise) -> None:
    outputs = {name for template in system().stacks.values() for name in template["Outputs"]}

    assert {
        "MainTableName",
        "MainTableArn",
        "MainIndexNames",
        "StocksTableName",
        "StocksTableArn",
        "ApiUrl",
        "PageUrl",
        "StateMachineArn",
    } <= outputs


def test_no_template_holds_an_account_or_a_secret(system: Synthesise) -> None:
    for name, template in system(**RICH).stacks.items():
        content = json.dumps(template)
        assert not re.search(r"(?<![\w.-])\d{12}(?![\w.-])", content), name
        assert not re.search(r"AKIA[0-9A-Z]{16}", content), name
    for secret in system(**RICH).resources("AWS::SecretsManager::Secret").values():
        assert secret["Properties"].get("SecretString", "{}") == "{}"


def test_synthesising_twice_gives_the_same_templates(system: Synthesise, tmp_path: Path) -> None:
    synthesise(tmp_path, {})

    assert System.read(tmp_path).stacks == system().stacks


def test_the_emulators_deployment_lacks_only_what_the_emulator_does_not_know(system: Synthesise) -> None:
    kinds = {resource["Type"] for _, resource in system().all()}
    known = {resource["Type"] for _, resource in system(emulator="true").all()}

    assert {"AWS::Backup::BackupSelection", "AWS::Budgets::Budget", "AWS::Logs::QueryDefinition"} == kinds - known


def _integrated_functions(made: System) -> dict[str, str]:
    """The module that serves each route key."""
    resources = made.stacks["api"]["Resources"]
    modules = {
        logical_id: resource["Properties"]["Handler"].split(".")[-2]
        for logical_id, resource in resources.items()
        if resource["Type"] == "AWS::Lambda::Function"
    }
    routes = [each["Properties"] for each in resources.values() if each["Type"] == "AWS::ApiGatewayV2::Route"]
    served = {}
    for route in routes:
        integration = text(route["Target"]).removeprefix("integrations/{").removesuffix("}")
        function = resources[integration]["Properties"]["IntegrationUri"]["Fn::GetAtt"][0]
        assert route["RouteKey"] not in served
        served[route["RouteKey"]] = modules[function]
    return served


def _bucket(made: System, part: str) -> tuple[str, dict[str, Any]]:
    """The logical id of the bucket with that in its name, and its properties."""
    (found,) = [
        (name.partition("/")[2], each["Properties"])
        for name, each in made.resources(BUCKET, "data").items()
        if part in text(each["Properties"].get("BucketName", ""))
    ]
    return found


def _keys(keyed: dict[str, Any]) -> list[str]:
    return [key["AttributeName"] for key in keyed["KeySchema"]]


def _tags(resource: dict[str, Any]) -> list[dict[str, str]]:
    """The tags of a resource, as often as it has some."""
    properties = resource.get("Properties", {})
    holders = [properties, *(properties.get("Replicas", []) if resource["Type"] == TABLE else [])]
    found = []
    for holder in holders:
        for name in ("Tags", "BackupPlanTags", "BackupVaultTags"):
            if tags := holder.get(name):
                found.append(tags if isinstance(tags, dict) else {tag["Key"]: tag["Value"] for tag in tags})
    return found


@pytest.mark.parametrize(
    ("asked_for", "served_by"),
    [
        ("/", "/index.html"),
        ("/channels/x/stocks/BRK.B", "/index.html"),
        ("/channels/x", "/index.html"),
        ("/theme.js", "/theme.js"),
        ("/favicon.ico", "/favicon.ico"),
        ("/assets/index-abc.js", "/assets/index-abc.js"),
    ],
)
def test_a_link_into_the_page_is_served_by_the_page(asked_for: str, served_by: str) -> None:
    assert _rewritten(REWRITE_TO_INDEX, asked_for) == served_by


def _rewritten(function: str, path: str) -> str:
    """The path that a function of CloudFront forwards."""
    program = f"{function}; console.log(handler({{request: {{uri: {json.dumps(path)}}}}}).uri)"
    return subprocess.run(["node", "-e", program], check=True, capture_output=True, text=True).stdout.strip()
