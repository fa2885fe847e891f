"""The tokens that models have used, by day in UTC."""

from datetime import UTC, date, datetime, time, timedelta

from functions.reading.analyst import TokenUsage
from functions.runtime.dynamodb import tables
from functions.runtime.dynamodb.attributes import decode
from functions.runtime.dynamodb.connection import main_table
from functions.runtime.dynamodb.requests import get, update

ENTITY = "TokensOfDay"
KEPT_DAYS = 400


def count_tokens(day: date, usage: TokenUsage) -> None:
    """Adds to the tokens of a day. Concurrent readings are all counted."""
    expires_at = datetime.combine(day + timedelta(days=KEPT_DAYS), time(), UTC)
    update(
        tables.tokens_key(day.isoformat()),
        "ADD tokens_in :input, tokens_out :output SET expires_at = :expires, #entity = :entity",
        "",
        {"input": usage.input, "output": usage.output, "expires": int(expires_at.timestamp()), "entity": ENTITY},
    )


def tokens_of_day(day: date) -> TokenUsage:
    item = get(main_table(), tables.tokens_key(day.isoformat()), consistent=True)
    counted = decode(item) if item else {}
    return TokenUsage(int(str(counted.get("tokens_in", 0))), int(str(counted.get("tokens_out", 0))))
