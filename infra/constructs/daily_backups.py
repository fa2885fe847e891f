"""AWS Backup: every table each night at 02:00 UTC, stored for a week."""

from collections.abc import Sequence

from aws_cdk import CfnOutput, Duration, Stack
from aws_cdk import aws_backup as backup
from aws_cdk import aws_dynamodb as dynamodb
from aws_cdk import aws_events as events
from aws_cdk import aws_iam as iam
from constructs import Construct

from infra import names
from infra.config import Config
from infra.constructs.removal import removal_policy
from infra.nag_suppressions import suppress_nag
from infra.permissions import principal_of_this_account

KEPT_DAYS = 7


class DailyBackups(Construct):
    def __init__(self, scope: Construct, config: Config, tables: Sequence[dynamodb.ITable]) -> None:
        super().__init__(scope, "DailyBackups")
        vault = backup.BackupVault(
            self,
            "Vault",
            backup_vault_name=names.backup_vault_name(config.prefix),
            removal_policy=removal_policy(config),
        )
        plan = backup.BackupPlan(
            self,
            "Plan",
            backup_plan_name=f"{config.prefix}-daily",
            backup_vault=vault,
            backup_plan_rules=[
                backup.BackupPlanRule(
                    rule_name="daily",
                    schedule_expression=events.Schedule.cron(hour="2", minute="0"),
                    start_window=Duration.hours(1),
                    completion_window=Duration.hours(3),
                    delete_after=Duration.days(KEPT_DAYS),
                )
            ],
        )
        if not config.emulator:
            self._select(plan, tables)
        self._restore_role()

    def _select(self, plan: backup.BackupPlan, tables: Sequence[dynamodb.ITable]) -> None:
        role = iam.Role(self, "Role", assumed_by=principal_of_this_account("backup.amazonaws.com"))
        # Attaches AWS's managed policy for backups to the role.
        plan.add_selection(
            "Tables", role=role, resources=[backup.BackupResource.from_dynamo_db_table(table) for table in tables]
        )
        suppress_nag(
            role,
            "AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/"
            "AWSBackupServiceRolePolicyForBackup]",
            "AWS keeps this policy in step with what AWS Backup needs; only AWS Backup may assume the role.",
        )

    def _restore_role(self) -> None:
        """The role that AWS Backup restores with: separate from the backup role, which only reads."""
        role = iam.Role(
            self,
            "RestoreRole",
            assumed_by=principal_of_this_account("backup.amazonaws.com"),
            managed_policies=[
                iam.ManagedPolicy.from_aws_managed_policy_name("service-role/AWSBackupServiceRolePolicyForRestores")
            ],
        )
        suppress_nag(
            role,
            "AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/"
            "AWSBackupServiceRolePolicyForRestores]",
            "AWS keeps this policy in step with what AWS Backup needs; only AWS Backup may assume the role.",
        )
        CfnOutput(Stack.of(self), "RestoreRoleArn", value=role.role_arn)
