"""Creates the tables on an engine, or reports how existing ones differ from their definition."""

from typing import Any

from botocore.exceptions import ClientError

from functions.runtime.dynamodb.tables import TABLES, Index, Table
from functions.runtime.errors import StockTrackRecordError


class TableDiffers(StockTrackRecordError):
    """An existing table has other keys or indexes. It is left untouched."""

    def __init__(self, name: str, differences: list[str]) -> None:
        super().__init__(f"Table {name} differs from its definition and was not touched: {'; '.join(differences)}.")


def create_tables(client: Any, prefix: str) -> list[str]:
    """Returns a sentence for each table that says what was done. Tables that match their definition are left alone."""
    existing = {table: describe_table(client, table.name(prefix)) for table in TABLES}
    for table, description in existing.items():
        if description and (differences := _differences(table, description)):
            raise TableDiffers(table.name(prefix), differences)
    return [
        _finish(client, table, prefix) if description else _create(client, table, prefix)
        for table, description in existing.items()
    ]


def delete_tables(client: Any, prefix: str) -> None:
    for table in TABLES:
        client.delete_table(TableName=table.name(prefix))


def _create(client: Any, table: Table, prefix: str) -> str:
    name = table.name(prefix)
    indexes = [
        {
            "IndexName": index.name,
            "KeySchema": _key_schema(index),
            "Projection": {"ProjectionType": index.projection},
        }
        for index in table.indexes
    ]
    try:
        created = client.create_table(
            TableName=name,
            BillingMode="PAY_PER_REQUEST",
            KeySchema=_key_schema(table),
            AttributeDefinitions=[
                {"AttributeName": attribute, "AttributeType": "S"} for attribute in table.key_attributes
            ],
            **({"GlobalSecondaryIndexes": indexes} if indexes else {}),
        )
    except client.exceptions.ResourceInUseException:
        return f"{name} is being created by another process."
    if created["TableDescription"]["TableStatus"] != "ACTIVE":
        _wait_for(client, name)
    _turn_expiry_on(client, table, name)
    return f"{name} was created."


def _finish(client: Any, table: Table, prefix: str) -> str:
    """Waits for a table and turns expiry on: the process that created it may have died before doing so."""
    name = table.name(prefix)
    _wait_for(client, name)
    if table.time_to_live is None or _expiry_is_on(client, name):
        return f"{name} is there already."
    _turn_expiry_on(client, table, name)
    return f"{name} is there already; its items now expire by {table.time_to_live}."


def _wait_for(client: Any, name: str) -> None:
    client.get_waiter("table_exists").wait(TableName=name, WaiterConfig={"Delay": 1, "MaxAttempts": 60})


def _turn_expiry_on(client: Any, table: Table, name: str) -> None:
    if table.time_to_live is None:
        return
    try:
        client.update_time_to_live(
            TableName=name,
            TimeToLiveSpecification={"Enabled": True, "AttributeName": table.time_to_live},
        )
    except ClientError:
        # Another process may have done so.
        if not _expiry_is_on(client, name):
            raise


def _expiry_is_on(client: Any, name: str) -> bool:
    status = client.describe_time_to_live(TableName=name)["TimeToLiveDescription"]["TimeToLiveStatus"]
    return status in ("ENABLING", "ENABLED")


def describe_table(client: Any, name: str) -> dict[str, Any] | None:
    try:
        description: dict[str, Any] = client.describe_table(TableName=name)["Table"]
    except client.exceptions.ResourceNotFoundException:
        return None
    return description


def _differences(table: Table, description: dict[str, Any]) -> list[str]:
    types = {each["AttributeName"]: each["AttributeType"] for each in description["AttributeDefinitions"]}
    differences = [
        f"{attribute} is of type {types[attribute]}, not S"
        for attribute in table.key_attributes
        if types.get(attribute, "S") != "S"
    ]
    if _keys(description) != _keys_of(table):
        differences.append(f"its key is {_text(_keys(description))}, not {_text(_keys_of(table))}")
    there = {index["IndexName"]: index for index in description.get("GlobalSecondaryIndexes", [])}
    wanted = {index.name: index for index in table.indexes}
    differences += [f"index {name} is missing" for name in wanted if name not in there]
    differences += [f"index {name} is not one of ours" for name in there if name not in wanted]
    for name in sorted(wanted.keys() & there.keys()):
        differences += _index_differences(wanted[name], there[name])
    return differences


def _index_differences(index: Index, description: dict[str, Any]) -> list[str]:
    differences = []
    if _keys(description) != _keys_of(index):
        differences.append(f"the key of {index.name} is {_text(_keys(description))}, not {_text(_keys_of(index))}")
    projection = description["Projection"]["ProjectionType"]
    if projection != index.projection:
        differences.append(f"{index.name} projects {projection}, not {index.projection}")
    return differences


def _key_schema(keyed: Table | Index) -> list[dict[str, str]]:
    kinds = zip(_keys_of(keyed), ("HASH", "RANGE"), strict=False)
    return [{"AttributeName": attribute, "KeyType": kind} for attribute, kind in kinds]


def _keys(description: dict[str, Any]) -> list[str]:
    return [each["AttributeName"] for each in sorted(description["KeySchema"], key=lambda each: each["KeyType"])]


def _keys_of(keyed: Table | Index) -> list[str]:
    return [attribute for attribute in (keyed.partition, keyed.sort) if attribute]


def _text(keys: list[str]) -> str:
    return " and ".join(keys)
