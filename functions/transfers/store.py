"""Stores exports and imports: limited per person, claimed by one worker at a time, ended once, and resumable."""

import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import TypeVar

from functions.runtime.clock import now, seconds_from_now
from functions.runtime.dynamodb import tables
from functions.runtime.dynamodb.attributes import Value, encode
from functions.runtime.dynamodb.connection import main_table
from functions.runtime.dynamodb.requests import (
    Action,
    ConditionNotMet,
    TransactionRefused,
    batch_get,
    get,
    query,
    record_of_request,
    set_and_remove,
    transact,
    update,
    update_action,
)
from functions.transfers.errors import TransferTaken
from functions.transfers.models import MAX_OPEN, PENDING, PROCESSING, Transfer

LEASE_SECONDS = 120
"""Maximum time between heartbeats. Every progress write is one."""
THERE = "attribute_exists(PK)"
CLAIMABLE = f"{THERE} AND (#status = :pending OR (#status = :processing AND lease_until <= :now))"
MINE = f"{THERE} AND #status = :processing AND claimed_by = :me"
_STATUSES: dict[str, Value] = {"pending": PENDING, "processing": PROCESSING}
_HAS_ROOM = "attribute_not_exists(ids) OR size(ids) < :most"

Kind = TypeVar("Kind", bound=Transfer)


def transfer_of_user(kind: type[Kind], user_id: str, transfer_id: str) -> Kind | None:
    """None also for another person's, and for an expired one not yet removed: DynamoDB may take days."""
    item = get(main_table(), tables.transfer_key(kind.prefix, user_id, transfer_id), consistent=True)
    found = kind.from_item(item) if item else None
    return found if found and not found.is_expired(time.time()) else None


def transfer_by_id(kind: type[Kind], transfer_id: str) -> Kind | None:
    """Regardless of its owner. The index is eventually consistent."""
    items = query(
        TableName=main_table(),
        IndexName=tables.BY_TICKER_OR_LISTING.name,
        KeyConditionExpression="GSI1PK = :pk",
        ExpressionAttributeValues=encode({":pk": tables.transfer_sk(kind.prefix, transfer_id)}),
    )
    return next((kind.from_item(item) for item in items), None)


def open_transfers(kind: type[Kind]) -> Iterator[Kind]:
    """Yields everybody's. The index contains only unfinished transfers."""
    items = query(
        TableName=main_table(),
        IndexName=tables.BY_YOUTUBE_CHANNEL_OR_CHANNEL.name,
        KeyConditionExpression="GSI2PK = :pk",
        ExpressionAttributeValues=encode({":pk": kind.open_list.listed_as}),
    )
    return map(kind.from_item, items)


def open_transfers_of_user(kind: type[Kind], user_id: str) -> list[Kind]:
    keys = [tables.transfer_key(kind.prefix, user_id, each) for each in _listed_as_open(kind, user_id)]
    transfers = map(kind.from_item, batch_get(main_table(), keys, ConsistentRead=True))
    return [transfer for transfer in transfers if transfer.is_open]


def transfer_id_of_request(kind: type[Transfer], request: str) -> str | None:
    """Returns the id of the transfer that a request with an Idempotency-Key started earlier."""
    item = get(main_table(), tables.transfer_request_key(kind.prefix, request), consistent=True)
    is_known = item is not None and int(item[tables.TIME_TO_LIVE]["N"]) > time.time()
    return str(item["transfer_id"]["S"]) if item and is_known else None


def add_transfer(
    transfer: Transfer,
    *,
    most_open: int | None = MAX_OPEN,
    request: str | None = None,
    also: Sequence[Action] = (),
) -> bool:
    """The error that its kind names if the person has so many under way; None allows any number. Harmless if it is
    there already. False if the `request` has begun another."""
    put: Action = {
        "Put": {
            "TableName": main_table(),
            "Item": transfer.to_item(),
            "ConditionExpression": "attribute_not_exists(PK)",
        }
    }
    listed = _change_list(transfer, "ADD", "" if most_open is None else _HAS_ROOM, {"most": most_open})
    begun = [_record_of(request, transfer)] if request else []
    try:
        transact([put, listed, *begun, *also])
    except TransactionRefused as refused:
        is_there, is_full, *is_begun = refused.failed
        if is_there:
            return True
        if any(is_begun):
            return False
        if is_full:
            raise transfer.too_many from None
    return True


def unlist_ended_transfers(kind: type[Transfer], user_id: str) -> bool:
    """Removes entries that are no longer open, left behind by expiry; True if there were any."""
    ended = _listed_as_open(kind, user_id) - {transfer.id for transfer in open_transfers_of_user(kind, user_id)}
    if not ended:
        return False
    key = tables.open_transfers_key(kind.open_list.listed_as, user_id)
    update(key, "DELETE ids :ended", THERE, {"ended": ended})
    return True


def claim_transfer(transfer: Kind, claimed_by: str) -> Kind | None:
    """Lets exactly one worker claim it, also after the previous one died. None if nobody may claim it now."""
    lease = seconds_from_now(LEASE_SECONDS)
    try:
        item = update(
            transfer.primary_key,
            "SET #status = :processing, claimed_by = :me, lease_until = :lease, updated_at = :now ADD attempts :one",
            CLAIMABLE,
            {**_STATUSES, "me": claimed_by, "now": now(), "lease": lease, "one": 1},
        )
    except ConditionNotMet:
        return None
    return type(transfer).from_item(item)


def note_progress(transfer: Transfer, **progress: int) -> None:
    """Records progress and renews the lease; raises TransferTaken if another worker has taken over."""
    changed: dict[str, Value] = {**progress, "lease_until": seconds_from_now(LEASE_SECONDS), "updated_at": now()}
    _update_mine(transfer, set_and_remove(changed), changed)


def imported_action(transfer: Transfer, imported: tuple[str, ...], videos: int, mentions: int) -> Action:
    """Notes the channels imported so far, the last with its videos and mentions: a worker may die right after it."""
    values: dict[str, Value] = {"imported": imported, "count": len(imported), "videos": videos, "mentions": mentions}
    return {
        "Update": update_action(
            transfer.primary_key,
            "SET imported = :imported, channels = :count ADD videos :videos, mentions :mentions",
            MINE,
            _values(transfer, values),
        )
    }


def put_back_transfer(transfer: Kind, after: Kind, seconds: float) -> None:
    """Releases it, with its progress, for another attempt, whose message arrives after that time."""
    waiting = {**_changes(transfer, after), **_released(), "status": PENDING, "sent_at": seconds_from_now(seconds)}
    _update_mine(transfer, set_and_remove(waiting), waiting)


def end_transfer(transfer: Kind, after: Kind) -> None:
    """Ends it once, with its outcome; raises TransferTaken if another worker has taken over."""
    ended = {**_changes(transfer, after), **_released(), "sent_at": None, "GSI2PK": None}
    end = update_action(transfer.primary_key, set_and_remove(ended), MINE, _values(transfer, ended))
    try:
        transact([{"Update": end}, unlist_action(transfer)])
    except TransactionRefused:
        present = get(main_table(), transfer.primary_key, consistent=True)
        raise TransferTaken(transfer.id, is_gone=present is None) from None


def mark_transfer_sent(transfer: Transfer, sent_at: str) -> bool:
    """True if a message should be sent; False if another process has sent one since the transfer was read."""
    with suppress(ConditionNotMet):
        same = "sent_at = :seen" if transfer.sent_at else "attribute_not_exists(sent_at)"
        update(
            transfer.primary_key,
            "SET sent_at = :sent",
            f"{THERE} AND #status IN (:pending, :processing) AND {same}",
            {**_STATUSES, "sent": sent_at, "seen": transfer.sent_at},
        )
        return True
    return False


def free_transfer(transfer: Transfer) -> None:
    """Ends the lease of a worker that is known to be dead. Does nothing without a lease."""
    if transfer.claimed_by is None:
        return
    with suppress(ConditionNotMet):
        update(
            transfer.primary_key,
            "SET lease_until = :now",
            MINE,
            {**_STATUSES, "me": transfer.claimed_by, "now": now()},
        )


def unlist_action(transfer: Transfer) -> Action:
    """Removes it from its person's list of open transfers."""
    return _change_list(transfer, "DELETE", "", {})


def _changes(before: Transfer, after: Transfer) -> dict[str, Value]:
    """Returns the changed attributes, None for removed ones. Others may have been written since, such as progress."""
    old = before.attributes()
    changed = {name: value for name, value in after.attributes().items() if value != old[name]}
    return {name: None if value == () else value for name, value in changed.items()}


def _released() -> dict[str, Value]:
    return {"updated_at": now(), "claimed_by": None, "lease_until": None}


def _update_mine(transfer: Transfer, expression: str, values: dict[str, Value]) -> None:
    try:
        update(transfer.primary_key, expression, MINE, _values(transfer, values))
    except ConditionNotMet as refused:
        raise TransferTaken(transfer.id, is_gone=refused.item is None) from None


def _values(transfer: Transfer, values: dict[str, Value]) -> dict[str, Value]:
    return {**_STATUSES, "me": transfer.claimed_by, **values}


def _listed_as_open(kind: type[Transfer], user_id: str) -> frozenset[str]:
    item = get(main_table(), tables.open_transfers_key(kind.open_list.listed_as, user_id), consistent=True)
    return kind.open_list.from_item(item).ids if item else frozenset()


def _record_of(request: str, transfer: Transfer) -> Action:
    return record_of_request(tables.transfer_request_key(transfer.prefix, request), {"transfer_id": transfer.id})


def _change_list(transfer: Transfer, verb: str, condition: str, values: dict[str, Value]) -> Action:
    named: dict[str, Value] = {
        "entity": transfer.open_list.__name__,
        "user": transfer.user_id,
        "id": frozenset({transfer.id}),
        **values,
    }
    key = tables.open_transfers_key(transfer.open_list.listed_as, transfer.user_id)
    return {"Update": update_action(key, f"SET entity = :entity, user_id = :user {verb} ids :id", condition, named)}
