"""A full export of every table to S3 each Sunday, kept for 90 days."""

from aws_cdk import Duration, Stack
from aws_cdk import aws_iam as iam
from aws_cdk import aws_s3 as s3
from aws_cdk import aws_scheduler as scheduler
from aws_cdk import aws_scheduler_targets as targets
from constructs import Construct

from functions.core.tables import TABLES, Table
from infra import names
from infra.config import Config
from infra.constructs.private_bucket import private_bucket
from infra.nag_suppressions import suppress_nag

KEPT_DAYS = 90
SUNDAY_MORNING = scheduler.ScheduleExpression.cron(minute="0", hour="3", week_day="SUN")


class WeeklyExports(Construct):
    def __init__(self, scope: Construct, config: Config) -> None:
        super().__init__(scope, "WeeklyExports")
        self._bucket = private_bucket(
            self,
            "Bucket",
            config,
            lifecycle_rules=[s3.LifecycleRule(id="old-exports", expiration=Duration.days(KEPT_DAYS))],
        )
        suppress_nag(self._bucket, "AwsSolutions-S1", "Only DynamoDB writes here, and CloudTrail tells who reads.")
        for table in TABLES:
            self._export(config.prefix, table)

    def _export(self, prefix: str, table: Table) -> None:
        name, arn = table.name(prefix), names.table_arn(self, prefix, table)
        export = iam.PolicyStatement(actions=["dynamodb:ExportTableToPointInTime"], resources=[arn])
        write = iam.PolicyStatement(
            actions=["s3:AbortMultipartUpload", "s3:PutObject"], resources=[self._bucket.arn_for_objects(f"{name}/*")]
        )
        what = {
            "TableArn": arn,
            "S3Bucket": self._bucket.bucket_name,
            "S3Prefix": name,
            "ExportFormat": "DYNAMODB_JSON",
        }
        scheduler.Schedule(
            self,
            f"{table.id}Schedule",
            schedule_name=f"{prefix}-export-{table.id.lower()}",
            description=f"Exports {name} to S3",
            schedule=SUNDAY_MORNING,
            target=targets.Universal(
                service="dynamodb",
                action="exportTableToPointInTime",
                role=self._role(table, name),
                policy_statements=[export, write],
                input=scheduler.ScheduleTargetInput.from_object(what),
            ),
        )

    def _role(self, table: Table, name: str) -> iam.Role:
        role = iam.Role(self, f"{table.id}Role", assumed_by=iam.ServicePrincipal("scheduler.amazonaws.com"))
        bucket, _ = Stack.of(self).resolve(self._bucket.bucket_arn)["Fn::GetAtt"]
        suppress_nag(
            role,
            f"AwsSolutions-IAM5[Resource::<{bucket}.Arn>/{name}/*]",
            "DynamoDB chooses the names of the objects it exports, below the table's folder.",
        )
        return role
