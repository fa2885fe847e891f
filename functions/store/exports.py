"""Exports: begun by a person, claimed by one worker at a time, ended once, and found again by the clock."""

import time
from collections.abc import Iterable, Iterator
from contextlib import suppress

from functions.core import tables
from functions.core.attributes import Item, Value, encode
from functions.core.clock import now, seconds_from_now
from functions.core.errors import ExportTaken, TooManyExports
from functions.core.exports import KEPT_SECONDS, MAX_OPEN, Export, ExportStatus, OpenExports
from functions.core.ids import first_ulid_of
from functions.store.connection import main_table
from functions.store.requests import (
    Action,
    ConditionNotMet,
    Page,
    TransactionRefused,
    batch_get,
    get,
    query,
    query_page,
    transact,
    update,
    update_action,
)

LEASE_SECONDS = 120
"""How long a worker may give no sign of life. Each note of its progress renews the lease."""
THERE = "attribute_exists(PK)"
CLAIMABLE = f"{THERE} AND (#status = :pending OR (#status = :processing AND lease_until <= :now))"
MINE = f"{THERE} AND #status = :processing AND claimed_by = :me"
_STATUSES: dict[str, Value] = {"pending": ExportStatus.PENDING, "processing": ExportStatus.PROCESSING}
_HAS_ROOM = "attribute_not_exists(ids) OR size(ids) < :most"


def export_of_user(user_id: str, export_id: str, *, consistent: bool = False) -> Export | None:
    """None also for somebody else's, and for one that has expired but is still there."""
    item = get(main_table(), tables.export_key(user_id, export_id), consistent=consistent)
    return next(_unexpired([item]), None) if item else None


def export_by_id(export_id: str) -> Export | None:
    """Whosever it is. The index is eventually consistent."""
    items = query(
        TableName=main_table(),
        IndexName=tables.BY_TICKER_OR_LISTING.name,
        KeyConditionExpression="GSI1PK = :pk",
        ExpressionAttributeValues=encode({":pk": tables.export_pk(export_id)}),
    )
    return next((Export.from_item(item) for item in items), None)


def newest_exports(user_id: str, limit: int, start: Item | None = None) -> Page[Export]:
    """Of a person, those that have not expired."""
    oldest = first_ulid_of(int((time.time() - KEPT_SECONDS) * 1000))
    values: dict[str, Value] = {
        ":pk": tables.user_pk(user_id),
        ":oldest": tables.export_sk(oldest),
        ":end": tables.export_sk("~"),
    }
    if start and start["SK"]["S"] < str(values[":oldest"]):
        # All that would follow has expired since the page before, and DynamoDB rejects a start key outside the range.
        return Page([], None)
    page = query_page(
        limit,
        start,
        TableName=main_table(),
        KeyConditionExpression="PK = :pk AND SK BETWEEN :oldest AND :end",
        ExpressionAttributeValues=encode(values),
        ScanIndexForward=False,
    )
    return Page(list(_unexpired(page.items)), page.next_key)


def open_exports_of_user(user_id: str) -> list[Export]:
    item = get(main_table(), tables.open_exports_key(user_id), consistent=True)
    if item is None:
        return []
    keys = [tables.export_key(user_id, export_id) for export_id in OpenExports.from_item(item).ids]
    exports = map(Export.from_item, batch_get(main_table(), keys, ConsistentRead=True))
    return [export for export in exports if export.is_open]


def open_exports() -> Iterator[Export]:
    """Everybody's. The index holds only those that have not ended."""
    items = query(
        TableName=main_table(),
        IndexName=tables.BY_YOUTUBE_CHANNEL_OR_CHANNEL.name,
        KeyConditionExpression="GSI2PK = :pk",
        ExpressionAttributeValues=encode({":pk": tables.OPEN_EXPORTS}),
    )
    return map(Export.from_item, items)


def add_export(export: Export, *, most_open: int | None = MAX_OPEN) -> None:
    """TooManyExports if the person has so many under way; None allows any number. Harmless if it is there already."""
    put: Action = {
        "Put": {"TableName": main_table(), "Item": export.to_item(), "ConditionExpression": "attribute_not_exists(PK)"}
    }
    try:
        transact([put, _list_as_open(export, most_open)])
    except TransactionRefused as refused:
        is_there, is_full = refused.failed
        if is_full and not is_there:
            raise TooManyExports from None


def unlist_ended_exports(user_id: str) -> bool:
    """Takes exports from the list of the open ones that are not: what an expiry leaves. Whether there were any."""
    item = get(main_table(), tables.open_exports_key(user_id), consistent=True)
    listed = OpenExports.from_item(item).ids if item else frozenset()
    ended = listed - {export.id for export in open_exports_of_user(user_id)}
    if not ended:
        return False
    update(tables.open_exports_key(user_id), "DELETE ids :ended", THERE, {"ended": frozenset(ended)})
    return True


def claim_export(export: Export, claimed_by: str) -> Export | None:
    """Of all who try, one may write it; so may one after a worker that died. None if it may not be written now."""
    try:
        item = update(
            _key(export),
            "SET #status = :processing, claimed_by = :me, lease_until = :lease, updated_at = :now, "
            "channels_done = :none ADD attempts :one",
            CLAIMABLE,
            {
                **_STATUSES,
                "me": claimed_by,
                "now": now(),
                "lease": seconds_from_now(LEASE_SECONDS),
                "none": 0,
                "one": 1,
            },
        )
    except ConditionNotMet:
        return None
    return Export.from_item(item)


def note_progress(export: Export, channels_done: int, channels: int) -> None:
    """Tells how far a worker is, and renews its lease; ExportTaken if it is its export no more."""
    _update_mine(
        export,
        "SET channels_done = :done, channels = :channels, lease_until = :lease, updated_at = :now",
        {"done": channels_done, "channels": channels, "lease": seconds_from_now(LEASE_SECONDS)},
    )


def retry_export(export: Export, seconds: float) -> None:
    """Puts it back for another attempt, whose message arrives after that time."""
    _update_mine(
        export,
        "SET #status = :pending, sent_at = :due, updated_at = :now REMOVE claimed_by, lease_until",
        {"due": seconds_from_now(seconds)},
    )


def complete_export(export: Export, zip_key: str, size_bytes: int, channels: int) -> None:
    _end(
        export,
        ", zip_key = :key, size_bytes = :size, channels = :channels, channels_done = :channels",
        {"ended": ExportStatus.COMPLETED, "key": zip_key, "size": size_bytes, "channels": channels},
    )


def fail_export(export: Export, error_message: str) -> None:
    _end(export, ", error_message = :error", {"ended": ExportStatus.FAILED, "error": error_message})


def remove_export(export: Export) -> bool:
    """False if it has changed since it was read, and has to be read again."""
    delete: Action = {
        "Delete": {
            "TableName": main_table(),
            "Key": encode(_key(export)),
            "ConditionExpression": f"{THERE} AND #status = :seen",
            "ExpressionAttributeNames": {"#status": "status"},
            "ExpressionAttributeValues": encode({":seen": export.status}),
        }
    }
    try:
        transact([delete, *([_unlist(export)] if export.is_open else [])])
    except TransactionRefused:
        return False
    return True


def mark_export_sent(export: Export, sent_at: str) -> bool:
    """Whether a message is to be sent: not if another has done so since the export was read."""
    with suppress(ConditionNotMet):
        same = "sent_at = :seen" if export.sent_at else "attribute_not_exists(sent_at)"
        update(
            _key(export),
            "SET sent_at = :sent",
            f"{THERE} AND #status IN (:pending, :processing) AND {same}",
            {**_STATUSES, "sent": sent_at, "seen": export.sent_at},
        )
        return True
    return False


def free_export(export: Export) -> None:
    """Ends the lease of a worker that is known to be dead. One that no worker has is left as it is."""
    if export.claimed_by is None:
        return
    with suppress(ConditionNotMet):
        update(_key(export), "SET lease_until = :now", MINE, {**_STATUSES, "me": export.claimed_by, "now": now()})


def _end(export: Export, sets: str, values: dict[str, Value]) -> None:
    ended = update_action(
        _key(export),
        f"SET #status = :ended, updated_at = :now{sets} REMOVE GSI2PK, claimed_by, lease_until, sent_at",
        MINE,
        {**_STATUSES, "me": export.claimed_by, "now": now(), **values},
    )
    try:
        transact([{"Update": ended}, _unlist(export)])
    except TransactionRefused:
        present = get(main_table(), _key(export), consistent=True)
        raise ExportTaken(export.id, is_gone=present is None) from None


def _update_mine(export: Export, expression: str, values: dict[str, Value]) -> None:
    try:
        update(_key(export), expression, MINE, {**_STATUSES, "me": export.claimed_by, "now": now(), **values})
    except ConditionNotMet as refused:
        raise ExportTaken(export.id, is_gone=refused.item is None) from None


def _list_as_open(export: Export, most: int | None) -> Action:
    return _change_open(export, "ADD", "" if most is None else _HAS_ROOM, {"most": most})


def _unlist(export: Export) -> Action:
    return _change_open(export, "DELETE", "", {})


def _change_open(export: Export, verb: str, condition: str, values: dict[str, Value]) -> Action:
    expression = f"SET entity = :entity, user_id = :user {verb} ids :id"
    named: dict[str, Value] = {
        "entity": OpenExports.__name__,
        "user": export.user_id,
        "id": frozenset({export.id}),
        **values,
    }
    return {"Update": update_action(tables.open_exports_key(export.user_id), expression, condition, named)}


def _unexpired(items: Iterable[Item]) -> Iterator[Export]:
    """DynamoDB may take days to remove what has expired."""
    moment = time.time()
    return (export for export in map(Export.from_item, items) if not export.is_expired(moment))


def _key(export: Export) -> dict[str, str]:
    return tables.export_key(export.user_id, export.id)
