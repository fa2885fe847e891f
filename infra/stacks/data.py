"""The data: the tables and their backups, the buckets of transcripts and exports, the keys, and what alerts need."""

from aws_cdk import CfnOutput, Environment, Stack
from aws_cdk import aws_secretsmanager as secretsmanager
from constructs import Construct

from functions.runtime.dynamodb.tables import TABLES, Table
from infra import names
from infra.config import Config
from infra.constructs.alerts import Alerts
from infra.constructs.daily_backups import DailyBackups
from infra.constructs.kept_transcripts import kept_transcripts
from infra.constructs.removal import removal_policy
from infra.constructs.secrets import arn_of
from infra.constructs.table import table
from infra.constructs.user_exports import user_exports
from infra.constructs.weekly_exports import WeeklyExports
from infra.nag_suppressions import suppress_nag


class DataStack(Stack):
    def __init__(self, scope: Construct, config: Config) -> None:
        super().__init__(scope, f"{config.prefix}-data", env=Environment(region=config.region))
        self.tables = {each.id: table(self, each.id, each, config) for each in TABLES}
        for each in TABLES:
            self._add_outputs(each)
        if config.backups:
            DailyBackups(self, config, list(self.tables.values()))
        if config.exports:
            WeeklyExports(self, config)
        CfnOutput(self, "KeptTranscriptsBucket", value=kept_transcripts(self, config).bucket_name)
        CfnOutput(self, "UserExportsBucket", value=user_exports(self, config).bucket_name)
        self._keys_secret(config)
        Alerts(self, config)

    def _keys_secret(self, config: Config) -> None:
        """Created for the demo too, so that keys survive a change of providers. Other stacks refer to it by name."""
        keys = secretsmanager.Secret(
            self,
            "ProviderKeys",
            secret_name=names.keys_secret_name(config.prefix),
            description="Keys of the live providers: a JSON object of the names in docs/providers.md",
            secret_object_value={},
            removal_policy=removal_policy(config),
        )
        suppress_nag(
            keys, "AwsSolutions-SMG4", "The keys are given by other companies, which rotate them in their own way."
        )
        CfnOutput(self, "ProviderKeysSecret", value=arn_of(keys))

    def _add_outputs(self, definition: Table) -> None:
        created = self.tables[definition.id]
        CfnOutput(self, f"{definition.id}TableName", value=created.table_name)
        CfnOutput(self, f"{definition.id}TableArn", value=created.table_arn)
        if definition.indexes:
            CfnOutput(self, f"{definition.id}IndexNames", value=",".join(index.name for index in definition.indexes))
