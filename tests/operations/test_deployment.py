"""Commands that prepare a deployment for a change or its end, against an AWS in this process."""

import json
import os
from collections.abc import Iterator
from typing import Any

import boto3
import pytest
from moto import mock_aws

from operations import check_stage, deployment, empty

BUCKETS = {
    "AWSTemplateFormatVersion": "2010-09-09",
    "Resources": {
        "Page": {"Type": "AWS::S3::Bucket", "Properties": {"VersioningConfiguration": {"Status": "Enabled"}}},
        "Logs": {"Type": "AWS::S3::Bucket"},
    },
}


@pytest.fixture
def cloudformation(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    for name in ("AWS_DEFAULT_REGION", "AWS_ENDPOINT_URL", "AWS_PROFILE", "AWS_REGION", "CDK_DEFAULT_REGION"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "any")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "any")
    with mock_aws():
        yield boto3.client("cloudformation", region_name="us-east-1")


def deploy(cloudformation: Any, kind: str, *, stage: str = "dev", prefix: str = "StockTrackRecord") -> None:
    cloudformation.create_stack(
        StackName=f"{prefix}-{kind}",
        TemplateBody=json.dumps(BUCKETS),
        Tags=[{"Key": "Environment", "Value": stage}],
    )


def buckets() -> list[str]:
    return [each["Name"] for each in boto3.client("s3", region_name="us-east-1").list_buckets()["Buckets"]]


def upload(bucket: str) -> None:
    s3 = boto3.client("s3", region_name="us-east-1")
    for content in (b"old", b"new"):
        s3.put_object(Bucket=bucket, Key="index.html", Body=content)
    s3.put_object(Bucket=bucket, Key="assets/index-abc.js", Body=b"0")
    s3.delete_object(Bucket=bucket, Key="assets/index-abc.js")


def test_a_destroy_succeeds_with_a_page_uploaded(cloudformation: Any) -> None:
    deploy(cloudformation, "web")
    for bucket in buckets():
        upload(bucket)

    assert empty.main([]) == 0

    cloudformation.delete_stack(StackName="StockTrackRecord-web")
    assert buckets() == []


def test_other_systems_keep_their_objects(cloudformation: Any) -> None:
    deploy(cloudformation, "web", prefix="Another")
    for bucket in buckets():
        upload(bucket)

    assert empty.main([]) == 0

    for bucket in buckets():
        assert boto3.client("s3", region_name="us-east-1").list_objects_v2(Bucket=bucket)["KeyCount"] == 1


def test_production_keeps_its_objects(cloudformation: Any) -> None:
    deploy(cloudformation, "web", prefix="StockTrackRecord-prod", stage="prod")
    for bucket in buckets():
        upload(bucket)

    assert empty.main(["-c", "stage=prod"]) == 0

    for bucket in buckets():
        assert boto3.client("s3", region_name="us-east-1").list_objects_v2(Bucket=bucket)["KeyCount"] == 1


class Backup:
    """A vault whose recovery points are gone one listing after they were deleted."""

    def __init__(self, *points: str) -> None:
        self.points, self.going = list(points), list[str]()

    def get_paginator(self, operation: str) -> "Backup":
        assert operation == "list_recovery_points_by_backup_vault"
        return self

    def paginate(self, **_: str) -> list[dict[str, Any]]:
        shown = [{"RecoveryPointArn": point} for point in self.points]
        self.points = [point for point in self.points if point not in self.going]
        return [{"RecoveryPoints": shown[:1]}, {"RecoveryPoints": shown[1:]}]

    def delete_recovery_point(self, **point: str) -> None:
        self.going.append(point["RecoveryPointArn"])


def test_a_vault_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(empty, "POLL_SECONDS", 0)
    vault = Backup("one", "two")

    assert empty.empty_vault(vault, "vault") == 2
    assert vault.points == []


def test_a_vault_that_stays_full_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(empty, "POLL_SECONDS", 0)
    vault = Backup("one")
    vault.delete_recovery_point = lambda **_: None  # type: ignore[method-assign]

    with pytest.raises(RuntimeError, match="still holds recovery points"):
        empty.empty_vault(vault, "vault")


@pytest.mark.parametrize(
    ("deployed", "asked_for", "code"),
    [("prod", "prod", 0), ("prod", "dev", 1), ("dev", "staging", 1), (None, "prod", 0)],
)
def test_a_stage_is_not_deployed_over_another(
    cloudformation: Any, capsys: pytest.CaptureFixture[str], deployed: str | None, asked_for: str, code: int
) -> None:
    if deployed:
        deploy(cloudformation, "data", stage=deployed, prefix="Mine")

    assert check_stage.main(["-c", f"stage={asked_for}", "-c", "prefix=Mine", "--require-approval", "never"]) == code

    said = capsys.readouterr().err
    assert bool(said) == bool(code)
    if code:
        assert f"Mine is deployed as {deployed}, and this would turn it into {asked_for}" in said


@pytest.mark.usefixtures("cloudformation")
def test_the_account_and_region_are_told_as_bootstrapping_takes_them(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert deployment.main([]) == 0
    monkeypatch.setenv("AWS_DEFAULT_REGION", "eu-central-1")
    assert deployment.main([]) == 0
    assert deployment.main(["-c", "region=eu-west-1"]) == 0

    assert capsys.readouterr().out.splitlines() == [
        f"aws://123456789012/{region}" for region in ("us-east-1", "eu-central-1", "eu-west-1")
    ]


def test_a_wrong_setting_is_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    for command in (check_stage, empty):
        assert command.main(["-c", "stage=live"]) == 1
        assert capsys.readouterr().err == "stage must be one of dev, staging, prod, not 'live'.\n"
