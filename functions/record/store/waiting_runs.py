"""The queue of runs that wait for a slot: each in an item beside its channel, written and removed with its state."""

from collections.abc import Iterator
from contextlib import suppress

from functions.record.errors import RunEnded
from functions.record.models.records import WITHOUT_END, ChannelStatus, LogLevel
from functions.record.models.runs import WaitingRun
from functions.record.store.logs import transact_with_log
from functions.record.store.readings import put_action
from functions.runtime.clock import now
from functions.runtime.dynamodb import tables
from functions.runtime.dynamodb.attributes import encode
from functions.runtime.dynamodb.connection import dynamodb, main_table
from functions.runtime.dynamodb.requests import Action, TransactionRefused, query, transact, update_action

READ_AT_ONCE = 25
WAITS = "run_id = :run AND #status = :pending AND lease_until = :without_end"


def waiting_runs() -> Iterator[WaitingRun]:
    """Yields the oldest first. The index is eventually consistent."""
    items = query(
        TableName=main_table(),
        IndexName=tables.BY_TICKER_OR_LISTING.name,
        KeyConditionExpression="GSI1PK = :pk",
        ExpressionAttributeValues=encode({":pk": tables.ALL_WAITING_RUNS}),
        Limit=READ_AT_ONCE,
    )
    return map(WaitingRun.from_item, items)


def join_queue(channel_id: str, run_id: str, message: str) -> None:
    """Lets a pending run wait for a slot, and logs why; raises RunEnded if it is over.

    Nobody renews its lease, so the lease has no end. Nor has the channel the index key under which dead runs are found.
    """
    wait = update_action(
        tables.channel_key(channel_id),
        "SET lease_until = :without_end, updated_at = :now REMOVE GSI3PK",
        "run_id = :run AND #status = :pending",
        {"without_end": WITHOUT_END, "now": now(), "run": run_id, "pending": ChannelStatus.PENDING},
    )
    try:
        transact_with_log(
            [{"Update": wait}, put_action(WaitingRun(channel_id, run_id))], channel_id, LogLevel.INFO, message
        )
    except TransactionRefused:
        raise RunEnded(channel_id, run_id) from None


def leave_queue(waiting: WaitingRun, lease_until: str) -> bool:
    """Takes a run that got a slot out of the queue. Returns True to only one of several callers: it starts the run."""
    leave = update_action(
        tables.channel_key(waiting.channel_id),
        "SET lease_until = :lease, updated_at = :now, GSI3PK = :under_way",
        WAITS,
        {
            "lease": lease_until,
            "now": now(),
            "under_way": tables.RUNS_UNDER_WAY,
            "run": waiting.run_id,
            "pending": ChannelStatus.PENDING,
            "without_end": WITHOUT_END,
        },
    )
    try:
        transact([{"Update": leave}, leave_action(waiting.channel_id)])
    except TransactionRefused:
        return False
    return True


def remove_waiting_run(waiting: WaitingRun) -> None:
    """Removes the entry of a run that does not wait any more, unless another run of the channel waits."""
    with suppress(dynamodb().exceptions.ConditionalCheckFailedException):
        dynamodb().delete_item(
            TableName=main_table(),
            Key=encode(tables.waiting_run_key(waiting.channel_id)),
            ConditionExpression="run_id = :run",
            ExpressionAttributeValues=encode({":run": waiting.run_id}),
        )


def leave_action(channel_id: str) -> Action:
    """Returns the write that removes a channel's entry."""
    return {"Delete": {"TableName": main_table(), "Key": encode(tables.waiting_run_key(channel_id))}}
