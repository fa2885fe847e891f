"""The queue of alert deliveries per person and method, taken when due and stored for a month."""

import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from itertools import islice

from functions.record.models.alerts import Delivery
from functions.runtime.concurrency import for_each
from functions.runtime.dynamodb import tables
from functions.runtime.dynamodb.attributes import Value, encode
from functions.runtime.dynamodb.connection import main_table
from functions.runtime.dynamodb.requests import ConditionNotMet, batch_delete, count, put_if, query, update

KEPT_SECONDS = 30 * 24 * 3600
_AFTER_PLACES = "$"
"""Sorts after the `#` that follows the time in the sort key."""


def queue_delivery(delivery: Delivery) -> bool:
    """False if the alert is already queued for this person, or has been delivered."""
    return put_if(delivery.to_item(), "attribute_not_exists(PK)")


def due_deliveries(timestamp: str, limit: int) -> list[Delivery]:
    """Returns the most overdue first, with a person's deliveries grouped together."""
    items = query(
        TableName=main_table(),
        IndexName=tables.BY_TICKER_OR_LISTING.name,
        KeyConditionExpression="GSI1PK = :pk AND GSI1SK <= :timestamp",
        ExpressionAttributeValues=encode({":pk": tables.OPEN_DELIVERIES, ":timestamp": f"{timestamp}{_AFTER_PLACES}"}),
        Limit=limit,
    )
    return [Delivery.from_item(item) for item in islice(items, limit)]


def claim_deliveries(deliveries: Iterable[Delivery], until: str) -> list[Delivery]:
    """Returns the deliveries that nobody else has claimed. If we crash, they are due again at `until`."""

    def claim(delivery: Delivery) -> Delivery | None:
        claimed = replace(delivery, due_at=until)
        return claimed if _move(delivery, claimed) else None

    return [claimed for claimed in for_each(claim, deliveries) if claimed]


def delay_deliveries(deliveries: Iterable[Delivery], due_at: str) -> None:
    """Moves deliveries back in the queue, as if they had become due later. Does not count as an attempt."""
    for_each(lambda delivery: _move(delivery, replace(delivery, due_at=due_at)), deliveries)


def postpone_deliveries(deliveries: Iterable[Delivery], due_at: str, problem: str) -> None:
    """Postpones deliveries after a failed attempt, except those that another worker has claimed since."""

    def postpone(delivery: Delivery) -> bool:
        after = replace(delivery, due_at=due_at, attempts=delivery.attempts + 1, problem=problem)
        return _move(delivery, after)

    for_each(postpone, deliveries)


def end_deliveries(deliveries: Iterable[Delivery], timestamp: str, problem: str | None = None) -> None:
    """Removes deliveries from the queue: delivered, or given up because of a problem."""
    expires_at = int(time.time()) + KEPT_SECONDS

    def end(delivery: Delivery) -> None:
        ended = replace(
            delivery,
            ended_at=timestamp,
            problem=problem,
            attempts=delivery.attempts + (problem is not None),
            expires_at=expires_at,
        )
        # Unconditional, even if another worker has claimed it since: that worker must not send it again.
        put_if(ended.to_item(), "attribute_exists(PK)")

    for_each(end, deliveries)


def drop_deliveries(deliveries: Iterable[Delivery]) -> None:
    """Deletes deliveries of alerts that no longer exist, or that their reader no longer wants."""
    keys = [encode(tables.delivery_key(each.user_id, each.alert_id, each.way)) for each in deliveries]
    batch_delete(main_table(), keys)


def count_failing_deliveries() -> int:
    """Counts queued deliveries that have failed repeatedly, and reads no other."""
    return count(
        TableName=main_table(),
        IndexName=tables.BY_YOUTUBE_VIDEO_OR_STATE.name,
        KeyConditionExpression="GSI3PK = :pk",
        ExpressionAttributeValues=encode({":pk": tables.FAILING_DELIVERIES}),
    )


def count_failing_deliveries_of_user(user_id: str) -> int:
    """Counts the deliveries to this person that are being retried."""
    values: dict[str, Value] = {":pk": tables.user_pk(user_id), ":prefix": tables.DELIVERY_PREFIX, ":none": 0}
    return count(
        TableName=main_table(),
        KeyConditionExpression="PK = :pk AND begins_with(SK, :prefix)",
        FilterExpression="attempts > :none AND attribute_not_exists(ended_at)",
        ExpressionAttributeValues=encode(values),
    )


def _move(before: Delivery, after: Delivery) -> bool:
    """Reschedules a delivery, unless its due time has changed in the meantime."""
    with suppress(ConditionNotMet):
        update(
            tables.delivery_key(before.user_id, before.alert_id, before.way),
            "SET due_at = :due, GSI1SK = :place, attempts = :attempts"
            + (", problem = :problem" if after.problem else "")
            + (", GSI3PK = :failing" if after.is_failing else ""),
            "due_at = :before AND attribute_not_exists(ended_at)",
            {
                "due": after.due_at,
                "place": after.place,
                "before": before.due_at,
                "attempts": after.attempts,
                "problem": after.problem,
                "failing": tables.FAILING_DELIVERIES,
            },
        )
        return True
    return False
