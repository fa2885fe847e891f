"""Ends a worker at a chosen write to DynamoDB, as a kill would."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from functions.runtime.dynamodb.connection import dynamodb

WRITES = ("PutItem", "UpdateItem", "DeleteItem", "TransactWriteItems")


class Crash(BaseException):
    """Ends a worker where it stands: no `except Exception` survives it."""


@contextmanager
def crash_at_write(number: int, event: str, writes: Sequence[str] = WRITES) -> Iterator[list[int]]:
    """Raises Crash before or after the write of that number, as `before-call` and `after-call` say."""
    seen: list[int] = []

    def count(**_: Any) -> None:
        seen.append(len(seen))
        if len(seen) == number:
            raise Crash

    events = dynamodb().meta.events
    for operation in writes:
        events.register(f"{event}.dynamodb.{operation}", count)
    try:
        yield seen
    finally:
        for operation in writes:
            events.unregister(f"{event}.dynamodb.{operation}", count)
