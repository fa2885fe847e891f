"""The record of who changed what. Each entry is written in the same transaction as the change it reports."""

from functions.record.models.audit import AuditAction, AuditEntry
from functions.record.store.readings import put_action
from functions.runtime import ids
from functions.runtime.caller import Caller
from functions.runtime.clock import now
from functions.runtime.dynamodb import tables
from functions.runtime.dynamodb.attributes import Item, encode
from functions.runtime.dynamodb.connection import main_table
from functions.runtime.dynamodb.requests import Action, Page, query_page
from functions.runtime.settings import settings
from functions.runtime.text import one_line

DAY_SECONDS = 24 * 60 * 60
MAX_DETAIL_LENGTH = 200


def audit_action(by: Caller, action: AuditAction, target: str, detail: str | None = None) -> Action:
    """Returns the write of an entry, as part of the transaction of the change."""
    entry_id = ids.new_audit_id()
    entry = AuditEntry(
        id=entry_id,
        created_at=now(),
        action=action,
        subject=by.id,
        name=by.name,
        target=target,
        detail=one_line(detail, MAX_DETAIL_LENGTH) if detail else None,
        expires_at=ids.milliseconds_of(entry_id) // 1000 + settings().audit_days * DAY_SECONDS,
    )
    return put_action(entry)


def newest_audit_entries(limit: int, start: Item | None = None) -> Page[AuditEntry]:
    page = query_page(
        limit,
        start,
        TableName=main_table(),
        KeyConditionExpression="PK = :pk",
        ExpressionAttributeValues=encode({":pk": tables.AUDIT}),
        ScanIndexForward=False,
    )
    return Page([AuditEntry.from_item(item) for item in page.items], page.next_key)
