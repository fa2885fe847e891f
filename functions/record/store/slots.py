"""Slots limit how many channels are processed concurrently in the whole system."""

from functions.record.store.channels import channel_by_id
from functions.runtime.clock import now
from functions.runtime.concurrency import for_each
from functions.runtime.dynamodb import tables
from functions.runtime.dynamodb.attributes import decode
from functions.runtime.dynamodb.connection import main_table
from functions.runtime.dynamodb.requests import TRANSACTION_TRIES, ConditionNotMet, get, update, wait_before_retry

ENTITY = "Places"


def take_slot(channel_id: str, run_id: str, slots: int) -> bool:
    """Returns True if the run has a slot, which it holds until it ends.

    Slots are not released: one whose run is over or dead counts as free, so none is lost when a worker dies.
    """
    own = f"{channel_id}/{run_id}"
    for attempt in range(TRANSACTION_TRIES):
        seen = _holders()
        if own in seen:
            return True
        holders = seen if len(seen) < slots else _alive(seen)
        if len(holders) >= slots:
            return False
        try:
            update(
                tables.slots_key(),
                "SET #holders = :holders, #entity = :entity",
                "#holders = :seen" if seen else "attribute_not_exists(#holders)",
                {"holders": (*holders, own), "seen": seen, "entity": ENTITY},
            )
            return True
        except ConditionNotMet:
            # Another run took a slot concurrently.
            wait_before_retry(attempt)
    return False


def count_taken_slots() -> int:
    """Counts the slots held by runs that are alive."""
    return len(_alive(_holders()))


def _holders() -> tuple[str, ...]:
    item = get(main_table(), tables.slots_key(), consistent=True)
    holders = decode(item)["holders"] if item else ()
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
