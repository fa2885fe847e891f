"""The people who have used the system, found by id and by e-mail address."""

from functions.people.models import User
from functions.runtime.clock import seconds_after
from functions.runtime.dynamodb import tables
from functions.runtime.dynamodb.attributes import Value, encode
from functions.runtime.dynamodb.connection import main_table
from functions.runtime.dynamodb.requests import ConditionNotMet, get, query, update

NOTED_EVERY_SECONDS = 3600
"""Visits within this time of the last recorded one are not written."""


def record_visit(user_id: str, email: str | None, timestamp: str) -> User:
    """Returns the user after a visit. If two first visits race, one creates the item.

    A visit without an address, such as with a token that has none, leaves the stored one unchanged.
    """
    values: dict[str, Value] = {
        "user_id": user_id,
        "email": email,
        "timestamp": timestamp,
        "long_ago": seconds_after(timestamp, -NOTED_EVERY_SECONDS),
        "entity": User.__name__,
        "email_pk": tables.email_pk(email) if email else None,
    }
    expression = (
        "SET #user_id = :user_id, #entity = :entity, #last_seen_at = :timestamp, "
        "#first_seen_at = if_not_exists(#first_seen_at, :timestamp)"
    )
    condition = "attribute_not_exists(PK) OR #last_seen_at < :long_ago"
    if email:
        expression += ", #email = :email, #GSI1PK = :email_pk, #GSI1SK = :user_id"
        condition += " OR attribute_not_exists(#email) OR #email <> :email"
    try:
        return User.from_item(update(tables.user_key(user_id), expression, condition, values))
    except ConditionNotMet as recently:
        assert recently.item, "a missing item is created"
        return User.from_item(recently.item)


def user_by_id(user_id: str) -> User | None:
    item = get(main_table(), tables.user_key(user_id), consistent=True)
    return User.from_item(item) if item else None


def users_by_email(email: str) -> list[User]:
    """Case-insensitive. One address may belong to several subjects, for example from two sign-in services."""
    items = query(
        TableName=main_table(),
        IndexName=tables.BY_TICKER_OR_LISTING.name,
        KeyConditionExpression="GSI1PK = :pk",
        ExpressionAttributeValues=encode({":pk": tables.email_pk(email)}),
    )
    return [User.from_item(item) for item in items]
