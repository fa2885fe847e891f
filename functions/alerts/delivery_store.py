"""The queue of alerts on their way to people: by way and person, taken when they are due, kept for a month."""

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
"""Sorts after the `#` that follows the time in a place."""


def queue_delivery(delivery: Delivery) -> bool:
    """False if the alert is on its way to this person already, or has been delivered."""
    return put_if(delivery.to_item(), "attribute_not_exists(PK)")


def due_deliveries(moment: str, limit: int) -> list[Delivery]:
    """The longest due first, and of those the ones of a person together."""
    items = query(
        TableName=main_table(),
        IndexName=tables.BY_TICKER_OR_LISTING.name,
        KeyConditionExpression="GSI1PK = :pk AND GSI1SK <= :moment",
        ExpressionAttributeValues=encode({":pk": tables.OPEN_DELIVERIES, ":moment": f"{moment}{_AFTER_PLACES}"}),
        Limit=limit,
    )
    return [Delivery.from_item(item) for item in islice(items, limit)]


def claim_deliveries(deliveries: Iterable[Delivery], until: str) -> list[Delivery]:
    """Those that nobody else has claimed: they are ours until then, and due again if we die."""

    def claim(delivery: Delivery) -> Delivery | None:
        claimed = replace(delivery, due_at=until)
        return claimed if _move(delivery, claimed) else None

    return [claimed for claimed in for_each(claim, deliveries) if claimed]


def delay_deliveries(deliveries: Iterable[Delivery], due_at: str) -> None:
    """Puts them behind others, as if they had become due later. It counts as no attempt."""
    for_each(lambda delivery: _move(delivery, replace(delivery, due_at=due_at)), deliveries)


def postpone_deliveries(deliveries: Iterable[Delivery], due_at: str, problem: str) -> None:
    """After a failed attempt. Nothing is done to those that somebody else has claimed since."""

    def postpone(delivery: Delivery) -> bool:
        after = replace(delivery, due_at=due_at, attempts=delivery.attempts + 1, problem=problem)
        return _move(delivery, after)

    for_each(postpone, deliveries)


def end_deliveries(deliveries: Iterable[Delivery], moment: str, problem: str | None = None) -> None:
    """Takes them out of the queue: delivered, or given up for a problem."""
    expires_at = int(time.time()) + KEPT_SECONDS

    def end(delivery: Delivery) -> None:
        ended = replace(
            delivery,
            ended_at=moment,
            problem=problem,
            attempts=delivery.attempts + (problem is not None),
            expires_at=expires_at,
        )
        # Whoever has claimed it since would send it once more; that it was sent is known now.
        put_if(ended.to_item(), "attribute_exists(PK)")

    for_each(end, deliveries)


def drop_deliveries(deliveries: Iterable[Delivery]) -> None:
    """Of alerts that are gone, or that their reader does not want any more."""
    keys = [encode(tables.delivery_key(each.user_id, each.alert_id, each.way)) for each in deliveries]
    batch_delete(main_table(), keys)


def count_failing_deliveries(attempts: int) -> int:
    """How many in the queue have failed at least so often."""
    return count(
        TableName=main_table(),
        IndexName=tables.BY_TICKER_OR_LISTING.name,
        KeyConditionExpression="GSI1PK = :pk",
        FilterExpression="attempts >= :attempts",
        ExpressionAttributeValues=encode({":pk": tables.OPEN_DELIVERIES, ":attempts": attempts}),
    )


def count_failing_deliveries_of_user(user_id: str) -> int:
    """How many to this person are being tried again."""
    values: dict[str, Value] = {":pk": tables.user_pk(user_id), ":prefix": tables.DELIVERY_PREFIX, ":none": 0}
    return count(
        TableName=main_table(),
        KeyConditionExpression="PK = :pk AND begins_with(SK, :prefix)",
        FilterExpression="attempts > :none AND attribute_not_exists(ended_at)",
        ExpressionAttributeValues=encode(values),
    )


def _move(before: Delivery, after: Delivery) -> bool:
    """Puts a delivery at another time in the queue, if it is still where it was."""
    with suppress(ConditionNotMet):
        update(
            tables.delivery_key(before.user_id, before.alert_id, before.way),
            "SET due_at = :due, GSI1SK = :place, attempts = :attempts"
            + (", problem = :problem" if after.problem else ""),
            "due_at = :before AND attribute_not_exists(ended_at)",
            {
                "due": after.due_at,
                "place": after.place,
                "before": before.due_at,
                "attempts": after.attempts,
                "problem": after.problem,
            },
        )
        return True
    return False
