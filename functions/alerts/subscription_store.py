"""Stores each person's alert subscription."""

from contextlib import suppress

from functions.record.models.alerts import Subscription
from functions.runtime.dynamodb import tables
from functions.runtime.dynamodb.attributes import encode
from functions.runtime.dynamodb.connection import main_table
from functions.runtime.dynamodb.requests import ConditionNotMet, get, put_versioned, query, update


def subscription_of_user(user_id: str, *, consistent: bool = False) -> Subscription | None:
    item = get(main_table(), tables.subscription_key(user_id), consistent=consistent)
    return Subscription.from_item(item) if item else None


def all_subscriptions() -> list[Subscription]:
    items = query(
        TableName=main_table(),
        IndexName=tables.BY_TICKER_OR_LISTING.name,
        KeyConditionExpression="GSI1PK = :pk",
        ExpressionAttributeValues=encode({":pk": tables.ALL_SUBSCRIPTIONS}),
    )
    return [Subscription.from_item(item) for item in items]


def save_subscription(subscription: Subscription) -> bool:
    """False if the stored version isn't the preceding one: another edit was saved first (optimistic locking)."""
    return put_versioned(subscription.to_item(), subscription.version - 1)


def note_delivered(user_id: str, timestamp: str) -> None:
    """Records a successful delivery and clears the last problem."""
    with suppress(ConditionNotMet):
        update(
            tables.subscription_key(user_id),
            "SET last_delivered_at = :timestamp REMOVE last_problem",
            "attribute_exists(PK)",
            {"timestamp": timestamp},
        )


def note_problem(user_id: str, problem: str) -> None:
    with suppress(ConditionNotMet):
        update(
            tables.subscription_key(user_id),
            "SET last_problem = :problem",
            "attribute_exists(PK)",
            {"problem": problem},
        )


def turn_off_webhook(subscription: Subscription, problem: str) -> None:
    """Does nothing if the person has changed the subscription since it was read."""
    with suppress(ConditionNotMet):
        update(
            tables.subscription_key(subscription.user_id),
            "SET last_problem = :problem ADD #version :one REMOVE webhook_url",
            "#version = :version",
            {"problem": problem, "one": 1, "version": subscription.version},
        )
