"""Storage specific to exports. Exports are also transfers."""

import time

from functions.runtime.dynamodb import tables
from functions.runtime.dynamodb.attributes import Item, Value, encode
from functions.runtime.dynamodb.connection import main_table
from functions.runtime.dynamodb.requests import Action, Page, TransactionRefused, query_page, transact
from functions.runtime.ids import first_ulid_of
from functions.transfers.exports.models import Export
from functions.transfers.models import KEPT_SECONDS
from functions.transfers.store import THERE, unlist_action


def newest_exports(user_id: str, limit: int, start: Item | None = None) -> Page[Export]:
    """Returns a person's unexpired exports."""
    current = time.time()
    oldest = first_ulid_of(int((current - KEPT_SECONDS) * 1000))
    values: dict[str, Value] = {
        ":pk": tables.user_pk(user_id),
        ":oldest": tables.transfer_sk(Export.prefix, oldest),
        ":end": tables.transfer_sk(Export.prefix, "~"),
    }
    if start and start["SK"]["S"] < str(values[":oldest"]):
        # Everything after it has expired since the previous page, and DynamoDB rejects a start key outside the range.
        return Page([], None)
    page = query_page(
        limit,
        start,
        TableName=main_table(),
        KeyConditionExpression="PK = :pk AND SK BETWEEN :oldest AND :end",
        ExpressionAttributeValues=encode(values),
        ScanIndexForward=False,
    )
    exports = map(Export.from_item, page.items)
    return Page([export for export in exports if not export.is_expired(current)], page.next_key)


def remove_export(export: Export) -> bool:
    """False if it has changed since it was read, and must be read again."""
    delete: Action = {
        "Delete": {
            "TableName": main_table(),
            "Key": encode(export.primary_key),
            "ConditionExpression": f"{THERE} AND #status = :seen",
            "ExpressionAttributeNames": {"#status": "status"},
            "ExpressionAttributeValues": encode({":seen": export.status}),
        }
    }
    try:
        transact([delete, *([unlist_action(export)] if export.is_open else [])])
    except TransactionRefused:
        return False
    return True
