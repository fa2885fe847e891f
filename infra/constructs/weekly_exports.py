"""A full export of every table to S3 each Sunday, kept for 90 days.

A state machine starts the exports and waits for them: DynamoDB tells nobody when one fails after it was accepted.
"""

import json
from typing import Any

from aws_cdk import Aws, Duration, Stack
from aws_cdk import aws_iam as iam
from aws_cdk import aws_s3 as s3
from aws_cdk import aws_scheduler as scheduler
from aws_cdk import aws_scheduler_targets as targets
from aws_cdk import aws_stepfunctions as stepfunctions
from constructs import Construct

from functions.runtime.dynamodb.tables import TABLES
from infra import names
from infra.config import Config
from infra.constructs.log_group import log_group
from infra.constructs.private_bucket import private_bucket
from infra.constructs.schedule_group import schedule_group
from infra.nag_suppressions import suppress_nag
from infra.permissions import principal_of_this_account

KEPT_DAYS = 90
SUNDAY_MORNING = scheduler.ScheduleExpression.cron(minute="0", hour="3", week_day="SUN")
SECONDS_BETWEEN_LOOKS = 300
MAX_EXPORT_SECONDS = 12 * 60 * 60


class WeeklyExports(Construct):
    def __init__(self, scope: Construct, config: Config) -> None:
        super().__init__(scope, "WeeklyExports")
        self._prefix = config.prefix
        self._bucket = private_bucket(
            self,
            "Bucket",
            config,
            lifecycle_rules=[s3.LifecycleRule(id="old-exports", expiration=Duration.days(KEPT_DAYS))],
        )
        suppress_nag(self._bucket, "AwsSolutions-S1", "Only DynamoDB writes here, and CloudTrail tells who reads.")
        self._schedule(self._state_machine(config))

    def _state_machine(self, config: Config) -> stepfunctions.StateMachine:
        name = names.exports_machine_name(self._prefix)
        machine = stepfunctions.StateMachine(
            self,
            "StateMachine",
            state_machine_name=name,
            definition_body=stepfunctions.DefinitionBody.from_string(
                json.dumps(export_definition(self._bucket.bucket_name))
            ),
            role=iam.Role(self, "MachineRole", assumed_by=principal_of_this_account("states.amazonaws.com")),
            tracing_enabled=True,
            logs=stepfunctions.LogOptions(
                destination=log_group(self, "Logs", config, f"/aws/vendedlogs/states/{name}"),
                level=stepfunctions.LogLevel.ALL,
            ),
        )
        tables = [names.table_arn(self, self._prefix, table) for table in TABLES]
        folders = [self._bucket.arn_for_objects(f"{table.name(self._prefix)}/*") for table in TABLES]
        for actions, resources in (
            (["dynamodb:ExportTableToPointInTime"], tables),
            (["dynamodb:DescribeExport"], [f"{arn}/export/*" for arn in tables]),
            (["s3:AbortMultipartUpload", "s3:PutObject", "s3:PutObjectAcl"], folders),
        ):
            machine.add_to_role_policy(iam.PolicyStatement(actions=actions, resources=resources))
        self._suppress(machine)
        return machine

    def _suppress(self, machine: stepfunctions.StateMachine) -> None:
        stack = Stack.of(self)
        bucket, _ = stack.resolve(self._bucket.bucket_arn)["Fn::GetAtt"]
        tables = [table.name(self._prefix) for table in TABLES]
        arn = f"arn:<AWS::Partition>:dynamodb:{stack.region}:<AWS::AccountId>:table"
        for resource, reason in (
            ("*", "Log deliveries and X-Ray segments have no ARNs to name."),
            *((f"<{bucket}.Arn>/{table}/*", "DynamoDB names the objects it exports.") for table in tables),
            *((f"{arn}/{table}/export/*", "DynamoDB names its exports.") for table in tables),
        ):
            suppress_nag(machine.role, f"AwsSolutions-IAM5[Resource::{resource}]", reason)

    def _schedule(self, machine: stepfunctions.StateMachine) -> None:
        tables = [
            {"arn": names.table_arn(self, self._prefix, table), "name": table.name(self._prefix)} for table in TABLES
        ]
        scheduler.Schedule(
            self,
            "Schedule",
            schedule_name=names.exports_machine_name(self._prefix),
            # Its own group, because the scheduler counts what it cannot start by group.
            schedule_group=schedule_group(self, names.exports_machine_name(self._prefix)),
            description="Exports every table to S3",
            schedule=SUNDAY_MORNING,
            target=targets.StepFunctionsStartExecution(
                machine,
                role=iam.Role(self, "ScheduleRole", assumed_by=principal_of_this_account("scheduler.amazonaws.com")),
                input=scheduler.ScheduleTargetInput.from_object({"tables": tables}),
            ),
        )


def export_definition(bucket_name: str) -> dict[str, Any]:
    """Exports the tables of its input side by side. Fails when one of them does."""
    dynamodb = f"arn:{Aws.PARTITION}:states:::aws-sdk:dynamodb"
    status = "$.ExportDescription.ExportStatus"
    each = {
        "Export": {
            "Type": "Task",
            "Resource": f"{dynamodb}:exportTableToPointInTime",
            "Parameters": {
                "TableArn.$": "$.arn",
                "S3Bucket": bucket_name,
                "S3Prefix.$": "$.name",
                "ExportFormat": "DYNAMODB_JSON",
            },
            "Next": "Wait",
        },
        "Wait": {"Type": "Wait", "Seconds": SECONDS_BETWEEN_LOOKS, "Next": "Describe"},
        "Describe": {
            "Type": "Task",
            "Resource": f"{dynamodb}:describeExport",
            "Parameters": {"ExportArn.$": "$.ExportDescription.ExportArn"},
            "Retry": [{"ErrorEquals": ["States.ALL"], "IntervalSeconds": 60, "MaxAttempts": 3}],
            "Next": "IsOver",
        },
        "IsOver": {
            "Type": "Choice",
            "Choices": [
                {"Variable": status, "StringEquals": "COMPLETED", "Next": "Exported"},
                {"Variable": status, "StringEquals": "IN_PROGRESS", "Next": "Wait"},
            ],
            "Default": "ExportFailed",
        },
        "Exported": {"Type": "Succeed"},
        "ExportFailed": {"Type": "Fail", "Error": "ExportFailed", "Cause": "DescribeExport tells the reason."},
    }
    tables = {
        "Type": "Map",
        "ItemsPath": "$.tables",
        "ItemProcessor": {"StartAt": "Export", "States": each},
        "End": True,
    }
    return {"StartAt": "Tables", "TimeoutSeconds": MAX_EXPORT_SECONDS, "States": {"Tables": tables}}
