"""Reads the tables directly, bypassing the store: for tests that compare before and after."""

from typing import Any

from functions.runtime.dynamodb import tables
from functions.runtime.dynamodb.attributes import Value, decode, encode
from functions.runtime.dynamodb.connection import dynamodb, main_table
from functions.runtime.dynamodb.requests import get

Partition = dict[str, dict[str, Value]]


def partition(pk: str) -> Partition:
    """Every item of a partition, whole, by its sort key."""
    request: dict[str, Any] = {
        "TableName": main_table(),
        "KeyConditionExpression": "PK = :pk",
        "ExpressionAttributeValues": encode({":pk": pk}),
        "ConsistentRead": True,
    }
    items: list[dict[str, Any]] = []
    while True:
        response = dynamodb().query(**request)
        items += response["Items"]
        if "LastEvaluatedKey" not in response:
            return {item["SK"]["S"]: decode(item) for item in items}
        request["ExclusiveStartKey"] = response["LastEvaluatedKey"]


def snapshot(channel_id: str, video_ids: list[str]) -> dict[str, Partition]:
    """A channel's own partition and those of its videos' mentions; only those that hold anything."""
    partitions = [tables.channel_pk(channel_id), *map(tables.video_pk, video_ids)]
    return {pk: items for pk in partitions if (items := partition(pk))}


def guard(youtube_channel_id: str) -> dict[str, Value] | None:
    item = get(main_table(), tables.guard_key(youtube_channel_id), consistent=True)
    return decode(item) if item else None
