"""The change log of a channel. Each entry is written in the same transaction as the change it reports."""

from functions.record.models.records import Change
from functions.runtime.dynamodb import tables
from functions.runtime.dynamodb.attributes import Item, encode
from functions.runtime.dynamodb.connection import main_table
from functions.runtime.dynamodb.requests import Page, query_page


def newest_changes(channel_id: str, limit: int, start: Item | None = None) -> Page[Change]:
    page = query_page(
        limit,
        start,
        TableName=main_table(),
        KeyConditionExpression="PK = :pk AND begins_with(SK, :prefix)",
        ExpressionAttributeValues=encode({":pk": tables.channel_pk(channel_id), ":prefix": tables.CHANGE_PREFIX}),
        ScanIndexForward=False,
    )
    return Page([Change.from_item(item) for item in page.items], page.next_key)
