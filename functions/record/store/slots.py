"""Slots limit how many channels are processed concurrently in the whole system."""

from functions.record.store.channels import channel_by_id
from functions.runtime.clock import now
from functions.runtime.concurrency import for_each
from functions.runtime.dynamodb import tables
from functions.runtime.dynamodb.attributes import decode
from functions.runtime.dynamodb.connection import main_table
from functions.runtime.dynamodb.requests import (
    TRANSACTION_TRIES,
    ConditionNotMet,
    get,
    set_and_remove,
    update,
    wait_before_retry,
)

ENTITY = "Places"


def take_slot(channel_id: str, run_id: str, slots: int) -> bool:
    """Returns True if the run has a slot, which it holds until it ends.

    One whose run is over or dead counts as free, so none is lost when a worker dies before it releases its slot.
    """
    own = f"{channel_id}/{run_id}"
    for attempt in range(TRANSACTION_TRIES):
        seen = _holders()
        if own in seen:
            return True
        holders = seen if len(seen) < slots else _alive(seen)
        if len(holders) >= slots:
            return False
        if _replace(seen, (*holders, own)):
            return True
        wait_before_retry(attempt)
    return False


def release_slot(channel_id: str, run_id: str) -> None:
    """Gives back the slot of a run that has ended, so that the next one is taken without reading every holder."""
    own = f"{channel_id}/{run_id}"
    for attempt in range(TRANSACTION_TRIES):
        seen = _holders()
        if own not in seen or _replace(seen, tuple(holder for holder in seen if holder != own)):
            return
        wait_before_retry(attempt)


def count_free_slots(slots: int) -> int:
    """Counts the slots without a holder. If there are none, those whose holder is over or dead."""
    seen = _holders()
    return max(0, slots - len(seen)) or max(0, slots - len(_alive(seen)))


def _replace(seen: tuple[str, ...], holders: tuple[str, ...]) -> bool:
    """Returns False if another run took or released a slot since the holders were read."""
    try:
        update(
            tables.slots_key(),
            set_and_remove({"entity": ENTITY, "holders": holders or None}),
            "#holders = :seen" if seen else "attribute_not_exists(#holders)",
            {"holders": holders, "seen": seen, "entity": ENTITY},
        )
    except ConditionNotMet:
        return False
    return True


def _holders() -> tuple[str, ...]:
    item = get(main_table(), tables.slots_key(), consistent=True)
    holders = decode(item).get("holders", ()) if item else ()
    assert isinstance(holders, tuple)
    return holders


def _alive(holders: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(holder for holder, alive in zip(holders, for_each(_is_alive, holders), strict=True) if alive)


def _is_alive(holder: str) -> bool:
    channel_id, _, run_id = holder.partition("/")
    channel = channel_by_id(channel_id, consistent=True)
    return (
        channel is not None
        and channel.run_id == run_id
        and channel.is_under_way
        and (channel.lease_until or "") > now()
    )
