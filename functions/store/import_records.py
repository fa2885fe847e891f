"""Imports that people have begun: claimed by one worker at a time, ended once, and found again by the clock."""

import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace

from functions.core import tables
from functions.core.attributes import Value, encode
from functions.core.clock import now, seconds_from_now
from functions.core.errors import ImportLost
from functions.core.imports import Import, ImportStatus
from functions.store.connection import main_table
from functions.store.requests import ConditionNotMet, get, put_if, query, update

LEASE_SECONDS = 120
"""How long a worker may give no sign of life. Each note of its progress renews the lease."""
THERE = "attribute_exists(PK)"
CLAIMABLE = f"{THERE} AND (#status = :pending OR (#status = :processing AND lease_until <= :now))"
MINE = f"{THERE} AND #status = :processing AND claimed_by = :me"
_STATUSES: dict[str, Value] = {"pending": ImportStatus.PENDING, "processing": ImportStatus.PROCESSING}


def add_import(record: Import) -> None:
    put_if(record.to_item(), "attribute_not_exists(PK)")


def import_of_user(user_id: str, import_id: str) -> Import | None:
    """None also for somebody else's, and for one that has expired but is still there."""
    item = get(main_table(), tables.import_key(user_id, import_id), consistent=True)
    record = Import.from_item(item) if item else None
    return record if record and record.expires_at > time.time() else None


def import_by_id(import_id: str) -> Import | None:
    """Whosever it is. The index is eventually consistent."""
    items = query(
        TableName=main_table(),
        IndexName=tables.BY_TICKER_OR_LISTING.name,
        KeyConditionExpression="GSI1PK = :pk",
        ExpressionAttributeValues=encode({":pk": tables.import_pk(import_id)}),
    )
    return next((Import.from_item(item) for item in items), None)


def open_imports() -> Iterator[Import]:
    """Everybody's. The index holds only those that have not ended."""
    items = query(
        TableName=main_table(),
        IndexName=tables.BY_YOUTUBE_CHANNEL_OR_CHANNEL.name,
        KeyConditionExpression="GSI2PK = :pk",
        ExpressionAttributeValues=encode({":pk": tables.OPEN_IMPORTS}),
    )
    return map(Import.from_item, items)


def claim_import_record(record: Import, claimed_by: str) -> Import | None:
    """Of all who try, one may work on it; so may one after a worker that died. None if nobody may now."""
    try:
        item = update(
            _key(record),
            "SET #status = :processing, claimed_by = :me, lease_until = :lease, updated_at = :now ADD attempts :one",
            CLAIMABLE,
            {**_STATUSES, "me": claimed_by, "now": now(), "lease": seconds_from_now(LEASE_SECONDS), "one": 1},
        )
    except ConditionNotMet:
        return None
    return Import.from_item(item)


def note_import_progress(record: Import, items_done: int, items: int | None) -> None:
    """Tells how far a worker is, and renews its lease; ImportLost if it is its import no more."""
    known = ", #items = :items" if items is not None else ""
    _update_mine(
        record,
        f"SET items_done = :done, lease_until = :lease, updated_at = :now{known}",
        {"done": items_done, "items": items, "lease": seconds_from_now(LEASE_SECONDS)},
    )


def renew_import_lease(record: Import) -> None:
    _update_mine(record, "SET lease_until = :lease, updated_at = :now", {"lease": seconds_from_now(LEASE_SECONDS)})


def put_off_import(record: Import, seconds: float) -> None:
    """Gives it back with what it has come to, for another attempt, whose message arrives after that time."""
    waiting = replace(
        record,
        status=ImportStatus.PENDING,
        updated_at=now(),
        claimed_by=None,
        lease_until=None,
        sent_at=seconds_from_now(seconds),
    )
    _put_mine(record, waiting)


def end_import(record: Import, ended: Import) -> None:
    """Once; ImportLost if another worker has it."""
    _put_mine(record, replace(ended, updated_at=now(), claimed_by=None, lease_until=None, sent_at=None))


def mark_import_sent(record: Import, sent_at: str) -> bool:
    """Whether a message is to be sent: not if another has done so since it was read."""
    with suppress(ConditionNotMet):
        same = "sent_at = :seen" if record.sent_at else "attribute_not_exists(sent_at)"
        update(
            _key(record),
            "SET sent_at = :sent",
            f"{THERE} AND #status IN (:pending, :processing) AND {same}",
            {**_STATUSES, "sent": sent_at, "seen": record.sent_at},
        )
        return True
    return False


def free_import(record: Import) -> None:
    """Ends the lease of a worker that is known to be dead."""
    with suppress(ConditionNotMet):
        update(_key(record), "SET lease_until = :now", MINE, {**_STATUSES, "me": record.claimed_by, "now": now()})


def _put_mine(record: Import, after: Import) -> None:
    values = {"processing": ImportStatus.PROCESSING, "me": record.claimed_by}
    if not put_if(after.to_item(), MINE, values):
        raise ImportLost(record.id)


def _update_mine(record: Import, expression: str, values: dict[str, Value]) -> None:
    try:
        update(_key(record), expression, MINE, {**_STATUSES, "me": record.claimed_by, "now": now(), **values})
    except ConditionNotMet:
        raise ImportLost(record.id) from None


def _key(record: Import) -> dict[str, str]:
    return tables.import_key(record.user_id, record.id)
