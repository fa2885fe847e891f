"""The log lines of a channel: reading them, and writing one in the same transaction as the event it reports."""

import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

from functions.record.models.records import LOG_LINES_PER_MILLISECOND, LogLevel, ProcessingLog
from functions.runtime.clock import from_milliseconds
from functions.runtime.dynamodb import tables
from functions.runtime.dynamodb.attributes import Item, encode
from functions.runtime.dynamodb.connection import main_table
from functions.runtime.dynamodb.requests import Action, Page, TransactionRefused, query, query_page, transact
from functions.runtime.text import one_line

MAX_LINE_LENGTH = 2000

_write_lock = threading.Lock()


def logs_of_channel(channel_id: str, since: str | None = None, *, consistent: bool = False) -> list[ProcessingLog]:
    """Oldest first, from `since` on, inclusive."""
    items = query(**_logs_request(channel_id, since), ConsistentRead=consistent)
    return [ProcessingLog.from_item(item) for item in items]


def page_of_logs(
    channel_id: str, limit: int, start: Item | None, since: str | None = None, *, consistent: bool = False
) -> Page[ProcessingLog]:
    page = query_page(limit, start, **_logs_request(channel_id, since), ConsistentRead=consistent)
    return Page([ProcessingLog.from_item(item) for item in page.items], page.next_key)


def write_log(channel_id: str, level: LogLevel, message: str) -> None:
    """Writes one line, unless the channel is gone."""
    try:
        transact_with_log([channel_is_there(channel_id)], channel_id, level, message)
    except TransactionRefused:
        return


def channel_is_there(channel_id: str) -> Action:
    """Returns a condition check that refuses the transaction if the channel is gone or being deleted."""
    return {
        "ConditionCheck": {
            "TableName": main_table(),
            "Key": encode(tables.channel_key(channel_id)),
            "ConditionExpression": "attribute_exists(PK) AND attribute_not_exists(deleting)",
        }
    }


def transact_with_log(
    actions: list[Action],
    channel_id: str,
    level: LogLevel,
    message: str,
    more: Sequence[tuple[LogLevel, str]] = (),
) -> None:
    """Writes the actions together with the line that reports them, and any further lines: all or nothing.

    A line gets its timestamp just before it is written, one line at a time: a client that polls from the newest
    line it has seen must not miss one with an earlier timestamp that was written later.
    """
    lines = [_line(channel_id, *each) for each in ((level, message), *more)]
    with _write_lock:
        while True:
            try:
                transact([*actions, *lines])
                return
            except TransactionRefused as refused:
                taken_by_another_process = not any(refused.failed[: len(actions)])
                if not taken_by_another_process:
                    raise


def _line(channel_id: str, level: LogLevel, message: str) -> Callable[[], Action]:
    text = one_line(message, MAX_LINE_LENGTH)

    def put() -> Action:
        item = ProcessingLog(channel_id, level, text, *_timestamps.next()).to_item()
        return {"Put": {"TableName": main_table(), "Item": item, "ConditionExpression": "attribute_not_exists(PK)"}}

    return put


def _logs_request(channel_id: str, since: str | None) -> dict[str, Any]:
    first = f"{tables.LOG_PREFIX}{since or ''}"
    return {
        "TableName": main_table(),
        "KeyConditionExpression": "PK = :pk AND SK BETWEEN :first AND :last",
        "ExpressionAttributeValues": encode({":pk": tables.channel_pk(channel_id), ":first": first, ":last": "LOG$"}),
    }


class _MonotonicTimestamps:
    """Timestamps that only increase: within a millisecond, across threads, and when the system clock is set back."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._last = (0, 0)

    def next(self) -> tuple[str, int]:
        with self._lock:
            milliseconds, sequence = self._last
            present = time.time_ns() // 1_000_000
            if present > milliseconds:
                self._last = (present, 0)
            elif sequence + 1 < LOG_LINES_PER_MILLISECOND:
                self._last = (milliseconds, sequence + 1)
            else:
                self._last = (milliseconds + 1, 0)
            milliseconds, sequence = self._last
        return from_milliseconds(milliseconds), sequence


_timestamps = _MonotonicTimestamps()
