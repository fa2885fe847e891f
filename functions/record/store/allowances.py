"""How much each person may add in a day, counted in the transaction that adds it."""

from datetime import UTC, datetime, timedelta

from functions.record.models.audit import DailyCounts
from functions.runtime.caller import Caller
from functions.runtime.clock import to_milliseconds
from functions.runtime.dynamodb import tables
from functions.runtime.dynamodb.requests import Action, update_action
from functions.runtime.errors import LimitReached
from functions.runtime.limits import Limited, limit_of

KEPT_DAYS = 2


def count_action(by: Caller, what: Limited, amount: int = 1) -> Action:
    """Returns the write that counts what a person adds, which is refused beyond their limit."""
    today = datetime.now(UTC).date()
    expires = f"{today + timedelta(days=KEPT_DAYS)}T00:00:00Z"
    return {
        "Update": update_action(
            tables.daily_counts_key(by.id, f"{today}"),
            f"SET entity = :entity, user_id = :user, #day = :day, expires_at = :expires ADD #{what} :amount",
            f"(attribute_not_exists(#{what}) AND :amount <= :most) OR #{what} <= :left",
            {
                "entity": DailyCounts.__name__,
                "user": by.id,
                "day": f"{today}",
                "expires": to_milliseconds(expires) // 1000,
                "amount": amount,
                "most": limit_of(by, what),
                "left": limit_of(by, what) - amount,
            },
        )
    }


def daily_limit_reached(by: Caller, what: Limited) -> LimitReached:
    return LimitReached(
        f"You can add {limit_of(by, what)} {what} a day. Go on tomorrow (UTC), or ask an admin to raise the limit."
    )
