"""What keeps the data: both tables, built from their one definition."""

from typing import Any

from aws_cdk import CfnOutput, RemovalPolicy, Stack
from aws_cdk import aws_dynamodb as dynamodb
from constructs import Construct

from functions.core.tables import TABLES, Index, Table

RECOVERY_DAYS = 35
"""How far back a table can be put; the most that DynamoDB offers."""
PROJECTIONS = {"ALL": dynamodb.ProjectionType.ALL, "KEYS_ONLY": dynamodb.ProjectionType.KEYS_ONLY}


class DataStack(Stack):
    def __init__(self, scope: Construct, id: str, *, prefix: str, **options: Any) -> None:
        super().__init__(scope, id, **options)
        self.tables = {table: self._table(table, prefix) for table in TABLES}

    def _table(self, table: Table, prefix: str) -> dynamodb.TableV2:
        name = f"{'Main' if not table.suffix else table.suffix.strip('-')}Table"
        resource = dynamodb.TableV2(
            self,
            name,
            table_name=table.name(prefix),
            partition_key=_key(table.partition),
            sort_key=_key(table.sort) if table.sort else None,
            global_secondary_indexes=[_index(index) for index in table.indexes] or None,
            billing=dynamodb.Billing.on_demand(),
            time_to_live_attribute=table.time_to_live,
            point_in_time_recovery_specification=dynamodb.PointInTimeRecoverySpecification(
                point_in_time_recovery_enabled=True, recovery_period_in_days=RECOVERY_DAYS
            ),
            deletion_protection=True,
            removal_policy=RemovalPolicy.RETAIN,
        )
        CfnOutput(self, f"{name}Name", value=resource.table_name)
        CfnOutput(self, f"{name}Arn", value=resource.table_arn)
        if table.indexes:
            CfnOutput(self, f"{name}Indexes", value=",".join(index.name for index in table.indexes))
        return resource


def _key(attribute: str) -> dynamodb.Attribute:
    return dynamodb.Attribute(name=attribute, type=dynamodb.AttributeType.STRING)


def _index(index: Index) -> dynamodb.GlobalSecondaryIndexPropsV2:
    return dynamodb.GlobalSecondaryIndexPropsV2(
        index_name=index.name,
        partition_key=_key(index.partition),
        sort_key=_key(index.sort) if index.sort else None,
        projection_type=PROJECTIONS[index.projection],
    )
