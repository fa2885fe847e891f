"""Restores a table: `python -m operations.restore`. Without --yes it only says what it would do.

A restore brings the items, keys and indexes of a table, but not its time to live, point-in-time recovery, deletion
protection, tags and scaling. CloudFormation does not bring them either: its template has not changed. So they are
read from the template of the deployed data stack and applied here.
"""

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from botocore.exceptions import BotoCoreError, ClientError, WaiterError

from functions.runtime.dynamodb.tables import MAIN, TABLES, Table
from functions.runtime.errors import StockTrackRecordError
from local.tables import describe_table
from operations.deployment import Deployment

POLL_SECONDS = 15.0
ENDED_BADLY = ("ABORTED", "FAILED")

Say = Callable[[str], None]


class RestoreProblem(StockTrackRecordError):
    """Why a restore is impossible or failed, in one sentence."""


@dataclass(frozen=True)
class Clients:
    dynamodb: Any
    backup: Any
    cloudformation: Any
    scaling: Any

    @classmethod
    def of_session(cls, session: Any) -> "Clients":
        names = ("dynamodb", "backup", "cloudformation", "application-autoscaling")
        return cls(*(session.client(name) for name in names))


@dataclass(frozen=True)
class Step:
    """One action, and the sentence that describes it."""

    sentence: str
    do: Callable[[], object]


@dataclass(frozen=True)
class Restore:
    """A table of a deployment, the source to restore from, and the target name."""

    clients: Clients
    prefix: str
    table: Table
    source: str
    """`latest`, an ISO 8601 timestamp, `backup`, `vault`, or the ARN of a backup or recovery point."""
    target: str
    poll_seconds: float = POLL_SECONDS

    @property
    def name(self) -> str:
        return self.table.name(self.prefix)

    @property
    def is_in_place(self) -> bool:
        return self.target == self.name

    def restoring(self) -> Step | None:
        """None if the target exists: a restore never writes into an existing table."""
        if describe_table(self.clients.dynamodb, self.target):
            return None
        if self.source == "vault":
            return self._from_vault(self._newest_recovery_point())
        if self.source == "backup":
            return self._from_backup(self._newest_backup())
        if self.source.startswith("arn:"):
            is_dynamodbs = self.source.split(":")[2] == "dynamodb"
            return self._from_backup(self.source) if is_dynamodbs else self._from_vault(self.source)
        return self._from_point_in_time()

    def wait(self, say: Say) -> None:
        """Waits until the table can be used; a large one takes hours."""
        begun = time.monotonic()
        while (description := describe_table(self.clients.dynamodb, self.target)) is None or (
            description["TableStatus"] != "ACTIVE"
        ):
            status = description["TableStatus"] if description else "not there yet"
            say(f"  {self.target} is {status} after {time.monotonic() - begun:.0f} s")
            time.sleep(self.poll_seconds)

    def settings(self) -> Iterator[Step]:
        """Steps that apply the settings of the deployed template, each determined after the previous one is done."""
        template = self._template()
        replica = template["Replicas"][0]
        yield from self._time_to_live(template.get("TimeToLiveSpecification"))
        yield from self._recovery(replica.get("PointInTimeRecoverySpecification"))
        yield from self._encryption(template.get("SSESpecification"))
        yield from self._tags({tag["Key"]: tag["Value"] for tag in replica.get("Tags", [])})
        yield from self._scaling(template, replica)
        # Last: a protected table cannot be deleted to restore it again.
        yield from self._protection(replica.get("DeletionProtectionEnabled", False))

    def differences(self) -> list[str]:
        """Returns where keys and indexes differ from functions/runtime/dynamodb/tables.py."""
        description = describe_table(self.clients.dynamodb, self.target)
        if description is None:
            return [f"{self.target} does not exist."]
        found = {index["IndexName"]: _index(index) for index in description.get("GlobalSecondaryIndexes", [])}
        wanted = {each.name: ((each.partition, each.sort), each.projection) for each in self.table.indexes}
        keys = _keys(description["KeySchema"])
        return [
            *(
                [f"Its key is {keys}, and should be {(self.table.partition, self.table.sort)}."]
                if keys != (self.table.partition, self.table.sort)
                else []
            ),
            *(
                f"Its index {name} is {found.get(name, 'missing')}, and should be {wanted.get(name, 'missing')}."
                for name in sorted(found.keys() | wanted.keys())
                if found.get(name) != wanted.get(name)
            ),
        ]

    def replica_regions(self) -> list[str]:
        return [str(replica["Region"]) for replica in self._template()["Replicas"][1:]]

    def _from_point_in_time(self) -> Step:
        dynamodb = self.clients.dynamodb
        if not describe_table(dynamodb, self.name):
            raise RestoreProblem(
                f"{self.name} is gone, and a lost table has no point-in-time recovery any more: use --from backup, "
                "which DynamoDB makes when such a table is deleted and keeps for 35 days, or --from vault."
            )
        window = dynamodb.describe_continuous_backups(TableName=self.name)["ContinuousBackupsDescription"]
        recovery = window["PointInTimeRecoveryDescription"]
        if recovery["PointInTimeRecoveryStatus"] != "ENABLED":
            raise RestoreProblem(f"{self.name} has no point-in-time recovery: use --from backup or --from vault.")
        request: dict[str, Any] = {"SourceTableName": self.name, "TargetTableName": self.target}
        if self.source == "latest":
            request["UseLatestRestorableTime"] = True
        else:
            request["RestoreDateTime"] = _restore_time(
                self.source, recovery["EarliestRestorableDateTime"], recovery["LatestRestorableDateTime"]
            )
        restore_time = request.get("RestoreDateTime", "the latest possible time")
        return Step(
            f"Restore {self.name} as it was at {restore_time} to {self.target}.",
            lambda: dynamodb.restore_table_to_point_in_time(**request),
        )

    def _from_backup(self, arn: str) -> Step:
        return Step(
            f"Restore {arn} to {self.target}.",
            lambda: self.clients.dynamodb.restore_table_from_backup(BackupArn=arn, TargetTableName=self.target),
        )

    def _from_vault(self, arn: str) -> Step:
        return Step(f"Restore the recovery point {arn} to {self.target}.", lambda: self._run_restore_job(arn))

    def _run_restore_job(self, arn: str) -> None:
        backup = self.clients.backup
        metadata = backup.get_recovery_point_restore_metadata(BackupVaultName=self._vault, RecoveryPointArn=arn)
        job = backup.start_restore_job(
            RecoveryPointArn=arn,
            ResourceType="DynamoDB",
            IamRoleArn=self._restore_role(),
            Metadata={**metadata["RestoreMetadata"], "targetTableName": self.target},
        )["RestoreJobId"]
        while (state := backup.describe_restore_job(RestoreJobId=job))["Status"] != "COMPLETED":
            if state["Status"] in ENDED_BADLY:
                raise RestoreProblem(f"AWS Backup's job {job} {state['Status']}: {state.get('StatusMessage', '')}")
            time.sleep(self.poll_seconds)

    def _newest_backup(self) -> str:
        """The manual backups, and the one that DynamoDB makes when a table with recovery is deleted."""
        pages = self.clients.dynamodb.get_paginator("list_backups").paginate(TableName=self.name, BackupType="ALL")
        backups = [
            each
            for page in pages
            for each in page["BackupSummaries"]
            if each["BackupType"] != "AWS_BACKUP" and each["BackupStatus"] == "AVAILABLE"
        ]
        return _newest(backups, "BackupCreationDateTime", "BackupArn", f"There is no backup of {self.name}.")

    def _newest_recovery_point(self) -> str:
        pages = self.clients.backup.get_paginator("list_recovery_points_by_backup_vault").paginate(
            BackupVaultName=self._vault, ByResourceType="DynamoDB"
        )
        points = [
            each
            for page in pages
            for each in page["RecoveryPoints"]
            if each["ResourceArn"].endswith(f":table/{self.name}") and each["Status"] == "COMPLETED"
        ]
        missing = f"The vault {self._vault} has no recovery point of {self.name}."
        return _newest(points, "CreationDate", "RecoveryPointArn", missing)

    @property
    def _vault(self) -> str:
        return f"{self.prefix}-backups"

    @property
    def _stack(self) -> str:
        return f"{self.prefix}-data"

    def _restore_role(self) -> str:
        (stack,) = self.clients.cloudformation.describe_stacks(StackName=self._stack)["Stacks"]
        for output in stack.get("Outputs", []):
            if output["OutputKey"] == "RestoreRoleArn":
                return str(output["OutputValue"])
        raise RestoreProblem(f"The stack {self._stack} has no output RestoreRoleArn: deploy it with backups=true.")

    def _template(self) -> Mapping[str, Any]:
        body = self.clients.cloudformation.get_template(StackName=self._stack)["TemplateBody"]
        template = json.loads(body) if isinstance(body, str) else body
        for resource in template["Resources"].values():
            if resource["Type"] == "AWS::DynamoDB::GlobalTable" and resource["Properties"]["TableName"] == self.name:
                properties: Mapping[str, Any] = resource["Properties"]
                return properties
        raise RestoreProblem(f"The stack {self._stack} has no table {self.name}.")

    def _time_to_live(self, wanted: Mapping[str, Any] | None) -> Iterator[Step]:
        if not wanted or not wanted["Enabled"]:
            return
        dynamodb = self.clients.dynamodb
        found = dynamodb.describe_time_to_live(TableName=self.target)["TimeToLiveDescription"]
        if found["TimeToLiveStatus"] not in ("ENABLED", "ENABLING"):
            yield Step(
                f"Expire items by {wanted['AttributeName']}.",
                lambda: dynamodb.update_time_to_live(TableName=self.target, TimeToLiveSpecification=wanted),
            )

    def _recovery(self, wanted: Mapping[str, Any] | None) -> Iterator[Step]:
        if not wanted or not wanted["PointInTimeRecoveryEnabled"]:
            return
        dynamodb = self.clients.dynamodb
        found = dynamodb.describe_continuous_backups(TableName=self.target)["ContinuousBackupsDescription"]
        if found.get("PointInTimeRecoveryDescription", {}).get("PointInTimeRecoveryStatus") != "ENABLED":
            yield Step(
                f"Turn on point-in-time recovery of {wanted['RecoveryPeriodInDays']} days.",
                lambda: dynamodb.update_continuous_backups(
                    TableName=self.target, PointInTimeRecoverySpecification=wanted
                ),
            )

    def _encryption(self, wanted: Mapping[str, Any] | None) -> Iterator[Step]:
        found = self._described().get("SSEDescription", {}).get("Status")
        if wanted and wanted["SSEEnabled"] and found not in ("ENABLED", "UPDATING"):
            yield self._update(
                "Encrypt with the key that AWS manages for DynamoDB.",
                SSESpecification={"Enabled": True, "SSEType": wanted.get("SSEType", "KMS")},
            )

    def _tags(self, wanted: Mapping[str, str]) -> Iterator[Step]:
        dynamodb, arn = self.clients.dynamodb, self._described()["TableArn"]
        pages = dynamodb.get_paginator("list_tags_of_resource").paginate(ResourceArn=arn)
        found = {tag["Key"]: tag["Value"] for page in pages for tag in page["Tags"]}
        missing = {name: value for name, value in wanted.items() if found.get(name) != value}
        if missing:
            yield Step(
                f"Tag it {', '.join(f'{name}={value}' for name, value in missing.items())}.",
                lambda: dynamodb.tag_resource(
                    ResourceArn=arn, Tags=[{"Key": name, "Value": value} for name, value in missing.items()]
                ),
            )

    def _protection(self, wanted: bool) -> Iterator[Step]:
        if wanted and not self._described().get("DeletionProtectionEnabled"):
            yield self._update("Protect it from deletion.", DeletionProtectionEnabled=True)

    def _scaling(self, template: Mapping[str, Any], replica: Mapping[str, Any]) -> Iterator[Step]:
        """For provisioned capacity: reads and writes of the table and its indexes."""
        if template.get("BillingMode") != "PROVISIONED":
            return
        table = f"table/{self.target}"
        yield from self._scale(table, "table", "Write", template)
        yield from self._scale(table, "table", "Read", replica)
        for kind, indexes in (("Write", template), ("Read", replica)):
            for index in indexes.get("GlobalSecondaryIndexes", []):
                yield from self._scale(f"{table}/index/{index['IndexName']}", "index", kind, index)

    def _scale(self, resource: str, level: str, kind: str, wanted: Mapping[str, Any]) -> Iterator[Step]:
        limits = wanted[f"{kind}ProvisionedThroughputSettings"][f"{kind}CapacityAutoScalingSettings"]
        scaling = self.clients.scaling
        request = {
            "ServiceNamespace": "dynamodb",
            "ResourceId": resource,
            "ScalableDimension": f"dynamodb:{level}:{kind}CapacityUnits",
        }
        found = scaling.describe_scaling_policies(**request)["ScalingPolicies"]
        if found:
            return

        def scale() -> None:
            scaling.register_scalable_target(
                **request, MinCapacity=limits["MinCapacity"], MaxCapacity=limits["MaxCapacity"]
            )
            scaling.put_scaling_policy(
                **request,
                PolicyName=f"{resource}-{kind.lower()}",
                PolicyType="TargetTrackingScaling",
                TargetTrackingScalingPolicyConfiguration={
                    "TargetValue": limits["TargetTrackingScalingPolicyConfiguration"]["TargetValue"],
                    "PredefinedMetricSpecification": {
                        "PredefinedMetricType": f"DynamoDB{kind}CapacityUtilization",
                    },
                },
            )

        yield Step(
            f"Scale the {kind.lower()} capacity of {resource} from {limits['MinCapacity']} "
            f"to {limits['MaxCapacity']} units.",
            scale,
        )

    def _described(self) -> Mapping[str, Any]:
        description = describe_table(self.clients.dynamodb, self.target)
        if description is None:
            raise RestoreProblem(f"{self.target} does not exist.")
        return description

    def _update(self, sentence: str, **change: Any) -> Step:
        def update() -> None:
            self.clients.dynamodb.update_table(TableName=self.target, **change)
            self.wait(lambda _: None)

        return Step(sentence, update)


def run(restore: Restore, *, for_real: bool, say: Say = print) -> int:
    """Exit code: 0 if everything is as expected, 1 otherwise."""
    step = restore.restoring()
    if step is None:
        say(f"{restore.target} exists. Nothing is restored: a restore never writes into a table.")
    else:
        say(step.sentence if for_real else f"Would do: {step.sentence}")
    if not for_real:
        return _say_what_would_follow(restore, say, exists=step is None)
    if step:
        step.do()
    restore.wait(say)
    if restore.is_in_place:
        for setting in restore.settings():
            say(setting.sentence)
            setting.do()
    return _compare(restore, say)


def main(arguments: Sequence[str]) -> int:
    options = _parser().parse_args(arguments)
    table = next(each for each in TABLES if each.id == options.table)
    given = [word for setting in options.context for word in ("-c", setting)]
    given += ["--profile", options.profile] if options.profile else []
    try:
        deployment = Deployment.of_arguments(given, "Restores a table.")
        prefix = deployment.config.prefix
        clients = Clients.of_session(deployment.session)
        return run(
            Restore(clients, prefix, table, options.source, options.to or table.name(prefix)), for_real=options.yes
        )
    except (StockTrackRecordError, ClientError, BotoCoreError, WaiterError) as problem:
        print(problem, file=sys.stderr)
        return 2


def _say_what_would_follow(restore: Restore, say: Say, *, exists: bool) -> int:
    if restore.is_in_place and exists:
        for setting in restore.settings():
            say(f"Would do: {setting.sentence}")
    elif restore.is_in_place:
        say("Would then apply its time to live, recovery, encryption, tags, scaling and protection as deployed.")
    say("Nothing was changed. Repeat it with --yes to do it.")
    return 0


def _compare(restore: Restore, say: Say) -> int:
    differences = restore.differences()
    for sentence in differences:
        say(sentence)
    if differences:
        say(f"{restore.target} does not fit this code. Do not use it before that is understood.")
        return 1
    say(f"The keys and indexes of {restore.target} are as defined.")
    if restore.is_in_place:
        if restore.table is MAIN:
            say("Kept transcripts are not included: docs/operations.md says how to restore missing ones.")
        say("Its settings are as deployed. Next: python -m operations.check, and make deploy, which finds no change.")
        for region in restore.replica_regions():
            say(f"The copy in {region} is not restored by this: docs/operations.md says how.")
    else:
        say(
            "This is a copy for inspection. Copy back what is needed, then delete it: "
            f"aws dynamodb delete-table --table-name {restore.target}"
        )
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m operations.restore", description="Restores a table.")
    parser.add_argument("table", choices=[table.id for table in TABLES], help="which table")
    parser.add_argument(
        "--from",
        dest="source",
        required=True,
        metavar="SOURCE",
        help="latest or a timestamp such as 2026-11-16T09:30:00Z (point-in-time recovery); backup (DynamoDB's newest, "
        "such as the one it makes of a deleted table); vault (the newest of AWS Backup); or an ARN of one of them",
    )
    parser.add_argument(
        "--to", metavar="NAME", help="a new name, to inspect a copy; else the table's own, after a loss"
    )
    parser.add_argument("-c", "--context", action="append", default=[], help="a setting of the deployment: stage=prod")
    parser.add_argument("--profile", help="a profile of ~/.aws/config")
    parser.add_argument("--yes", action="store_true", help="do it; else only say what would be done")
    return parser


def _keys(schema: Sequence[Mapping[str, str]]) -> tuple[str | None, str | None]:
    by_kind = {key["KeyType"]: key["AttributeName"] for key in schema}
    return by_kind.get("HASH"), by_kind.get("RANGE")


def _index(index: Mapping[str, Any]) -> tuple[tuple[str | None, str | None], str]:
    return _keys(index["KeySchema"]), str(index["Projection"]["ProjectionType"])


def _restore_time(text: str, earliest: datetime, latest: datetime) -> datetime:
    try:
        restore_time = datetime.fromisoformat(text)
    except ValueError:
        raise RestoreProblem(f"{text!r} is not a timestamp such as 2026-11-16T09:30:00Z.") from None
    if restore_time.tzinfo is None:
        restore_time = restore_time.replace(tzinfo=UTC)
    if not earliest <= restore_time <= latest:
        raise RestoreProblem(f"It can be restored as it was from {earliest} to {latest}, and not at {restore_time}.")
    return restore_time


def _newest(found: list[Mapping[str, Any]], when: str, arn: str, missing: str) -> str:
    if not found:
        raise RestoreProblem(missing)
    return str(max(found, key=lambda each: each[when])[arn])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
