"""A lost table comes back with all that a deployment gives it: on moto, and on canned responses where moto has none."""

import json
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

import boto3
import pytest
from moto import mock_aws

from functions.runtime.dynamodb.tables import MAIN, STOCKS, Table
from local.tables import create_tables
from operations import restore
from operations.restore import Clients, Restore, RestoreProblem, run

PREFIX = "StockTrackRecord"
REGION = "us-east-1"
ROLE = "arn:aws:iam::123456789012:role/restore"
POINT = "arn:aws:backup:us-east-1:123456789012:recovery-point:1EB3B5E7-9EB0-435A-A80B-108B488B0D45"
TAGS = {"Project": "StockTrackRecord", "Environment": "prod"}


def scaling(kind: str) -> dict[str, Any]:
    limits = {"MinCapacity": 5, "MaxCapacity": 100, "TargetTrackingScalingPolicyConfiguration": {"TargetValue": 70}}
    return {f"{kind}ProvisionedThroughputSettings": {f"{kind}CapacityAutoScalingSettings": limits}}


def deployed(table: Table, **properties: Any) -> dict[str, Any]:
    """A table as the template of the data stack has it in production."""
    indexes = [index.name for index in table.indexes]
    return {
        "Type": "AWS::DynamoDB::GlobalTable",
        "Properties": {
            "TableName": table.name(PREFIX),
            "BillingMode": "PROVISIONED",
            **(
                {"GlobalSecondaryIndexes": [{"IndexName": name, **scaling("Write")} for name in indexes]}
                if indexes
                else {}
            ),
            "Replicas": [
                {
                    "Region": REGION,
                    "DeletionProtectionEnabled": True,
                    "PointInTimeRecoverySpecification": {
                        "PointInTimeRecoveryEnabled": True,
                        "RecoveryPeriodInDays": 35,
                    },
                    **(
                        {"GlobalSecondaryIndexes": [{"IndexName": name, **scaling("Read")} for name in indexes]}
                        if indexes
                        else {}
                    ),
                    "Tags": [{"Key": name, "Value": value} for name, value in TAGS.items()],
                    **scaling("Read"),
                }
            ],
            **(
                {"TimeToLiveSpecification": {"AttributeName": table.time_to_live, "Enabled": True}}
                if table.time_to_live
                else {}
            ),
            **scaling("Write"),
            **properties,
        },
    }


def respond(client: Any, operation: str, response: Callable[[Mapping[str, Any]], dict[str, Any]]) -> None:
    """Responds to an operation in place of AWS. botocore still checks what is sent."""

    def send(model: Any, params: Mapping[str, Any], **_: object) -> tuple[Any, dict[str, Any]]:
        class Response:
            status_code = 200

        body = params["body"]
        return Response(), response(json.loads(body) if isinstance(body, bytes) and body else {})

    client.meta.events.register(f"before-call.{client.meta.service_model.service_id.hyphenize()}.{operation}", send)


@pytest.fixture
def resources() -> dict[str, Any]:
    """The tables of the deployed template."""
    return {"Main": deployed(MAIN), "Stocks": deployed(STOCKS)}


@pytest.fixture
def clients(monkeypatch: pytest.MonkeyPatch, resources: dict[str, Any]) -> Iterator[Clients]:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "test")
    monkeypatch.delenv("AWS_ENDPOINT_URL", raising=False)
    with mock_aws():
        made = Clients.of_session(boto3.session.Session(region_name=REGION))
        respond(made.cloudformation, "GetTemplate", lambda _: {"TemplateBody": {"Resources": resources}})
        outputs = [{"OutputKey": "RestoreRoleArn", "OutputValue": ROLE}]
        respond(made.cloudformation, "DescribeStacks", lambda _: {"Stacks": [{"Outputs": outputs}]})
        create_tables(made.dynamodb, PREFIX)
        for number in range(3):
            item = {"PK": {"S": f"CHANNEL#{number}"}, "SK": {"S": f"CHANNEL#{number}"}}
            made.dynamodb.put_item(TableName=PREFIX, Item=item)
        yield made


def main_table(clients: Clients, source: str, to: str = PREFIX) -> Restore:
    return Restore(clients, PREFIX, MAIN, source, to, poll_seconds=0)


def lose_table(clients: Clients) -> None:
    clients.dynamodb.create_backup(TableName=PREFIX, BackupName="before")
    clients.dynamodb.delete_table(TableName=PREFIX)


def count(clients: Clients, name: str) -> int:
    return int(clients.dynamodb.scan(TableName=name)["Count"])


def test_without_yes_nothing_is_changed(clients: Clients) -> None:
    lose_table(clients)
    said: list[str] = []

    code = run(main_table(clients, "backup"), for_real=False, say=said.append)

    assert code == 0
    assert PREFIX not in clients.dynamodb.list_tables()["TableNames"]
    assert said[0].startswith("Would do: Restore arn:")
    assert said[-1] == "Nothing was changed. Repeat it with --yes to do it."


def test_a_lost_table_comes_back_with_what_a_restore_does_not_bring(clients: Clients) -> None:
    lose_table(clients)
    said: list[str] = []

    code = run(main_table(clients, "backup"), for_real=True, say=said.append)

    known = clients.dynamodb
    table = known.describe_table(TableName=PREFIX)["Table"]
    recovery = known.describe_continuous_backups(TableName=PREFIX)["ContinuousBackupsDescription"]
    assert code == 0, said
    assert count(clients, PREFIX) == 3
    assert table["DeletionProtectionEnabled"] is True
    assert known.describe_time_to_live(TableName=PREFIX)["TimeToLiveDescription"] == {
        "AttributeName": "expires_at",
        "TimeToLiveStatus": "ENABLED",
    }
    assert recovery["PointInTimeRecoveryDescription"]["PointInTimeRecoveryStatus"] == "ENABLED"
    tags = known.list_tags_of_resource(ResourceArn=table["TableArn"])["Tags"]
    assert {tag["Key"]: tag["Value"] for tag in tags} == TAGS
    targets = clients.scaling.describe_scalable_targets(ServiceNamespace="dynamodb")["ScalableTargets"]
    assert {(each["ResourceId"], each["ScalableDimension"].split(":")[2]) for each in targets} == {
        (f"table/{PREFIX}{part}", f"{kind}CapacityUnits")
        for part in ("", *(f"/index/{index.name}" for index in MAIN.indexes))
        for kind in ("Read", "Write")
    }
    assert len(clients.scaling.describe_scaling_policies(ServiceNamespace="dynamodb")["ScalingPolicies"]) == 8
    assert "Kept transcripts are not included" in said[-2]
    assert said[-1].startswith("Its settings are as deployed.")


def test_a_table_that_was_encrypted_with_aws_managed_key_is_again(clients: Clients, resources: dict[str, Any]) -> None:
    """moto does not change a table's encryption, so that the request itself is looked at."""
    requests: list[Mapping[str, Any]] = []
    clients.dynamodb.meta.events.register(
        "provide-client-params.dynamodb.UpdateTable", lambda params, **_: requests.append(params)
    )
    resources["Main"] = deployed(MAIN, SSESpecification={"SSEEnabled": True, "SSEType": "KMS"})

    run(main_table(clients, "backup"), for_real=True, say=lambda _: None)

    assert {"TableName": PREFIX, "SSESpecification": {"Enabled": True, "SSEType": "KMS"}} in requests


def test_a_second_time_nothing_is_left_to_do(clients: Clients) -> None:
    lose_table(clients)
    run(main_table(clients, "backup"), for_real=True, say=lambda _: None)
    said: list[str] = []

    code = run(main_table(clients, "backup"), for_real=True, say=said.append)

    assert code == 0
    assert said[0] == f"{PREFIX} exists. Nothing is restored: a restore never writes into a table."
    assert said[1] == f"The keys and indexes of {PREFIX} are as defined."


def test_a_table_without_indexes_or_expiry_comes_back_too(clients: Clients) -> None:
    stocks = STOCKS.name(PREFIX)
    clients.dynamodb.create_backup(TableName=stocks, BackupName="before")
    clients.dynamodb.delete_table(TableName=stocks)

    code = run(Restore(clients, PREFIX, STOCKS, "backup", stocks, poll_seconds=0), for_real=True, say=lambda _: None)

    assert code == 0


def test_a_copy_from_a_point_in_time_is_left_as_it_was_restored(clients: Clients) -> None:
    recovery = {"PointInTimeRecoveryEnabled": True}
    clients.dynamodb.update_continuous_backups(TableName=PREFIX, PointInTimeRecoverySpecification=recovery)
    said: list[str] = []

    code = run(main_table(clients, "latest", to="Copy"), for_real=True, say=said.append)

    assert code == 0
    assert count(clients, "Copy") == 3
    assert not clients.dynamodb.describe_table(TableName="Copy")["Table"]["DeletionProtectionEnabled"]
    assert said[-1].endswith("aws dynamodb delete-table --table-name Copy")


@pytest.mark.parametrize(
    ("source", "sentence"),
    [
        ("yesterday", "is not a timestamp"),
        ("2020-01-01T00:00:00Z", "It can be restored as it was from"),
        ("2999-01-01", "It can be restored as it was from"),
    ],
)
def test_a_time_that_cannot_be_restored_is_refused_before_anything_is_done(
    clients: Clients, source: str, sentence: str
) -> None:
    recovery = {"PointInTimeRecoveryEnabled": True}
    clients.dynamodb.update_continuous_backups(TableName=PREFIX, PointInTimeRecoverySpecification=recovery)

    with pytest.raises(RestoreProblem, match=sentence):
        run(main_table(clients, source, to="Copy"), for_real=True, say=lambda _: None)


def test_a_lost_table_has_no_point_in_time_any_more(clients: Clients) -> None:
    lose_table(clients)

    with pytest.raises(RestoreProblem, match="use --from backup"):
        run(main_table(clients, "latest"), for_real=True, say=lambda _: None)


def test_a_table_without_recovery_says_where_else_to_look(clients: Clients) -> None:
    with pytest.raises(RestoreProblem, match="no point-in-time recovery: use"):
        run(main_table(clients, "latest", to="Copy"), for_real=True, say=lambda _: None)


def test_a_table_that_was_never_backed_up_is_told(clients: Clients) -> None:
    clients.dynamodb.delete_table(TableName=PREFIX)

    with pytest.raises(RestoreProblem, match="There is no backup of StockTrackRecord"):
        run(main_table(clients, "backup"), for_real=True, say=lambda _: None)


def test_the_newest_recovery_point_of_the_vault_is_restored_with_the_restore_role(clients: Clients) -> None:
    """moto knows no restore jobs: AWS Backup's responses are canned, and its job makes the table."""
    lose_table(clients)
    started: list[Mapping[str, Any]] = []
    states = iter(["PENDING", "RUNNING", "COMPLETED"])

    def point(number: int, name: str, arn: str) -> dict[str, Any]:
        created_at = datetime(2026, 11, 1, tzinfo=UTC) + timedelta(days=number)
        source = f"arn:aws:dynamodb:us-east-1:123456789012:table/{name}"
        return {"RecoveryPointArn": arn, "ResourceArn": source, "CreationDate": created_at, "Status": "COMPLETED"}

    points = [point(1, PREFIX, "older"), point(2, PREFIX, POINT), point(3, f"{PREFIX}-Stocks", "another's")]

    def start(request: Mapping[str, Any]) -> dict[str, Any]:
        started.append(request)
        create_tables(clients.dynamodb, PREFIX)
        return {"RestoreJobId": "job"}

    vault = clients.backup
    respond(vault, "ListRecoveryPointsByBackupVault", lambda _: {"RecoveryPoints": points})
    respond(vault, "GetRecoveryPointRestoreMetadata", lambda _: {"RestoreMetadata": {"encryptionType": "Default"}})
    respond(vault, "StartRestoreJob", start)
    respond(vault, "DescribeRestoreJob", lambda _: {"Status": next(states)})

    code = run(main_table(clients, "vault"), for_real=True, say=lambda _: None)

    assert code == 0
    (request,) = started
    assert (request["RecoveryPointArn"], request["ResourceType"], request["IamRoleArn"]) == (POINT, "DynamoDB", ROLE)
    assert request["Metadata"] == {"encryptionType": "Default", "targetTableName": PREFIX}
    assert clients.dynamodb.describe_table(TableName=PREFIX)["Table"]["DeletionProtectionEnabled"] is True


def test_a_restore_job_that_fails_is_told_in_its_own_words(clients: Clients) -> None:
    lose_table(clients)
    vault = clients.backup
    respond(vault, "GetRecoveryPointRestoreMetadata", lambda _: {"RestoreMetadata": {}})
    respond(vault, "StartRestoreJob", lambda _: {"RestoreJobId": "job"})
    respond(vault, "DescribeRestoreJob", lambda _: {"Status": "FAILED", "StatusMessage": "no permission"})

    with pytest.raises(RestoreProblem, match="job FAILED: no permission"):
        run(main_table(clients, POINT), for_real=True, say=lambda _: None)


def test_a_table_of_other_keys_is_not_called_restored(clients: Clients) -> None:
    said: list[str] = []

    code = run(Restore(clients, PREFIX, STOCKS, "backup", PREFIX, poll_seconds=0), for_real=True, say=said.append)

    assert code == 1
    assert "Its key is ('PK', 'SK'), and should be ('ticker', None)." in said
    assert "Its index GSI3-index is ((" in "\n".join(said)


def test_a_problem_is_one_sentence_and_no_traceback(clients: Clients, capsys: pytest.CaptureFixture[str]) -> None:
    clients.dynamodb.delete_table(TableName=PREFIX)

    code = restore.main(["Main", "--from", "latest", "-c", f"prefix={PREFIX}", "-c", f"region={REGION}"])

    assert code == 2
    assert "StockTrackRecord is gone" in capsys.readouterr().err


def test_a_setting_that_does_not_exist_is_one_sentence_too(capsys: pytest.CaptureFixture[str]) -> None:
    assert restore.main(["Main", "--from", "latest", "-c", "stag=prod"]) == 2
    assert "stag" in capsys.readouterr().err


def test_credentials_are_not_requested_where_the_command_is_only_explained(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="0"):
        restore.main(["--help"])

    assert "--from SOURCE" in capsys.readouterr().out
