"""The tables in the cloud are the tables of the one definition, and their data is kept."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from aws_cdk import App
from aws_cdk.assertions import Template

from functions.core.settings import Settings
from functions.core.tables import TABLES, Index, Table
from infra.stacks.data import DataStack
from local.engine import ROOT

PREFIX = "Elsewhere"


@pytest.fixture(scope="module")
def template() -> Template:
    return Template.from_stack(DataStack(App(), "Data", prefix=PREFIX))


@pytest.fixture(params=TABLES, ids=lambda table: table.name("Table"))
def table(request: pytest.FixtureRequest) -> Table:
    found: Table = request.param
    return found


@pytest.fixture
def resource(template: Template, table: Table) -> dict[str, Any]:
    """What the stack makes of a table."""
    resources = template.find_resources("AWS::DynamoDB::GlobalTable")
    (found,) = [each for each in resources.values() if each["Properties"]["TableName"] == table.name(PREFIX)]
    return found


@pytest.fixture
def replica(resource: dict[str, Any]) -> dict[str, Any]:
    (found,) = resource["Properties"]["Replicas"]
    assert isinstance(found, dict)
    return found


def key_schema(keyed: Table | Index) -> list[dict[str, str]]:
    schema = [{"AttributeName": keyed.partition, "KeyType": "HASH"}]
    return [*schema, {"AttributeName": keyed.sort, "KeyType": "RANGE"}] if keyed.sort else schema


def test_every_table_is_one_of_the_definition(template: Template) -> None:
    resources = template.find_resources("AWS::DynamoDB::GlobalTable").values()

    names = sorted(each["Properties"]["TableName"] for each in resources)

    assert names == sorted(table.name(PREFIX) for table in TABLES)


def test_the_keys_are_the_defined_ones(resource: dict[str, Any], table: Table) -> None:
    properties = resource["Properties"]

    assert properties["KeySchema"] == key_schema(table)
    types = {each["AttributeName"]: each["AttributeType"] for each in properties["AttributeDefinitions"]}
    assert types == dict.fromkeys(table.key_attributes, "S")


def test_the_indexes_are_the_defined_ones(resource: dict[str, Any], table: Table) -> None:
    indexes = resource["Properties"].get("GlobalSecondaryIndexes", [])

    assert indexes == [
        {"IndexName": index.name, "KeySchema": key_schema(index), "Projection": {"ProjectionType": index.projection}}
        for index in table.indexes
    ]


def test_items_expire_by_the_defined_attribute(resource: dict[str, Any], table: Table) -> None:
    expiry = resource["Properties"].get("TimeToLiveSpecification")

    assert expiry == ({"AttributeName": table.time_to_live, "Enabled": True} if table.time_to_live else None)


def test_what_is_used_is_what_is_paid(resource: dict[str, Any]) -> None:
    assert resource["Properties"]["BillingMode"] == "PAY_PER_REQUEST"


def test_the_data_is_kept(resource: dict[str, Any], replica: dict[str, Any]) -> None:
    assert (resource["DeletionPolicy"], resource["UpdateReplacePolicy"]) == ("Retain", "Retain")
    assert replica["DeletionProtectionEnabled"] is True
    assert replica["PointInTimeRecoverySpecification"] == {
        "PointInTimeRecoveryEnabled": True,
        "RecoveryPeriodInDays": 35,
    }


def test_the_stack_tells_the_name_arn_and_indexes_of_each_table(template: Template, table: Table) -> None:
    resources = template.find_resources("AWS::DynamoDB::GlobalTable")
    (logical_id,) = [key for key, each in resources.items() if each["Properties"]["TableName"] == table.name(PREFIX)]

    told = [output["Value"] for output in template.find_outputs("*").values()]

    assert {"Ref": logical_id} in told
    assert {"Fn::GetAtt": [logical_id, "Arn"]} in told
    if table.indexes:
        assert ",".join(index.name for index in table.indexes) in told


def test_the_app_synthesises_with_no_credentials_under_the_prefix_of_its_context(tmp_path: Path) -> None:
    without = {name: value for name, value in os.environ.items() if not name.startswith("AWS_")}
    nowhere = dict.fromkeys(["AWS_CONFIG_FILE", "AWS_SHARED_CREDENTIALS_FILE"], str(tmp_path / "none"))
    context = {"CDK_OUTDIR": str(tmp_path / "out"), "CDK_CONTEXT_JSON": json.dumps({"prefix": "Mine"})}

    subprocess.run([sys.executable, "app.py"], cwd=ROOT, env=without | nowhere | context, check=True, timeout=300)

    template = json.loads((tmp_path / "out" / "Mine-Data.template.json").read_text())
    names = {resource["Properties"].get("TableName") for resource in template["Resources"].values()}
    assert {table.name("Mine") for table in TABLES} <= names


def test_the_context_names_the_prefix_that_the_functions_expect() -> None:
    context = json.loads((ROOT / "cdk.json").read_text())["context"]

    assert context["prefix"] == Settings.from_environment({}).table_prefix
