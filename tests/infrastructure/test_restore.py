"""A restore relies on the templates: a role of its own, and tables written as it reads them."""

import json
from typing import Any

from functions.runtime.dynamodb.tables import TABLES
from tests.infrastructure.conftest import Synthesise
from tests.operations.test_restore import PREFIX, deployed


def test_aws_backup_restores_with_a_role_of_its_own(system: Synthesise) -> None:
    made = system()

    (restoring,) = [
        role["Properties"]
        for role in made.resources("AWS::IAM::Role").values()
        if "AWSBackupServiceRolePolicyForRestores" in json.dumps(role["Properties"].get("ManagedPolicyArns", []))
    ]
    (statement,) = restoring["AssumeRolePolicyDocument"]["Statement"]
    assert len(restoring["ManagedPolicyArns"]) == 1
    assert statement["Principal"] == {"Service": "backup.amazonaws.com"}
    assert "RestoreRoleArn" in made.stacks["data"]["Outputs"]


def test_a_restore_reads_tables_as_the_template_writes_them(system: Synthesise) -> None:
    """The tests of the restore write the template by hand."""
    made = system(stage="prod", prefix=PREFIX, billing="provisioned")
    tables = {each["Properties"]["TableName"]: each for each in made.resources("AWS::DynamoDB::GlobalTable").values()}

    for definition in TABLES:
        assert _has(tables[definition.name(PREFIX)], deployed(definition)), definition.id


def _has(whole: Any, part: Any) -> bool:
    """True if a template contains everything in another."""
    if isinstance(part, dict):
        return isinstance(whole, dict) and all(name in whole and _has(whole[name], part[name]) for name in part)
    if isinstance(part, list):
        return all(any(_has(each, wanted) for each in whole) for wanted in part)
    return bool(whole == part)
