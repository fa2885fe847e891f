"""A DynamoDB table as functions/runtime/dynamodb/tables.py defines it, with the protection of its stage."""

from aws_cdk import Tags
from aws_cdk import aws_dynamodb as dynamodb
from constructs import Construct

from functions.runtime.dynamodb.tables import Index, Table
from infra.config import Config
from infra.constructs.removal import removal_policy

RECOVERY_DAYS = 35
GROWTH = 20


def table(scope: Construct, construct_id: str, definition: Table, config: Config) -> dynamodb.TableV2:
    name = definition.name(config.prefix)
    created = dynamodb.TableV2(
        scope,
        construct_id,
        table_name=name,
        partition_key=_string(definition.partition),
        sort_key=_string(definition.sort) if definition.sort else None,
        global_secondary_indexes=[_index(index) for index in definition.indexes],
        billing=_billing(config),
        encryption=dynamodb.TableEncryptionV2.aws_managed_key(),
        point_in_time_recovery_specification=dynamodb.PointInTimeRecoverySpecification(
            point_in_time_recovery_enabled=config.pitr, recovery_period_in_days=RECOVERY_DAYS if config.pitr else None
        ),
        time_to_live_attribute=definition.time_to_live if config.ttl else None,
        deletion_protection=config.is_production,
        removal_policy=removal_policy(config),
        replicas=[dynamodb.ReplicaTableProps(region=config.replica_region)] if config.replica_region else None,
    )
    Tags.of(created).add("Name", name)
    return created


def _index(index: Index) -> dynamodb.GlobalSecondaryIndexPropsV2:
    return dynamodb.GlobalSecondaryIndexPropsV2(
        index_name=index.name,
        partition_key=_string(index.partition),
        sort_key=_string(index.sort) if index.sort else None,
        projection_type=dynamodb.ProjectionType[index.projection],
    )


def _string(name: str) -> dynamodb.Attribute:
    return dynamodb.Attribute(name=name, type=dynamodb.AttributeType.STRING)


def _billing(config: Config) -> dynamodb.Billing:
    if config.billing == "on-demand":
        return dynamodb.Billing.on_demand()
    return dynamodb.Billing.provisioned(
        read_capacity=_capacity(config.read_capacity), write_capacity=_capacity(config.write_capacity)
    )


def _capacity(lowest: int) -> dynamodb.Capacity:
    return dynamodb.Capacity.autoscaled(
        min_capacity=lowest, max_capacity=lowest * GROWTH, target_utilization_percent=70
    )
