"""Shared by the workers of exports and imports: the claim, and the heartbeat while they work."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from threading import Event, Thread
from typing import TypeVar
from uuid import uuid4

from functions.runtime.observability import describe, logger
from functions.transfers import store as transfers
from functions.transfers.errors import TransferTaken
from functions.transfers.models import Transfer

PROGRESS_SECONDS = 3.0
"""Minimum interval between two progress writes."""
LOOKS, LOOK_SECONDS = 3, 1.0
"""How often a worker retries a transfer that is not in the index yet, and how long it waits in between."""
MAX_ERROR_LENGTH = 500

Kind = TypeVar("Kind", bound=Transfer)


def claim(kind: type[Kind], transfer_id: str) -> Kind | None:
    """None if it is gone, has ended, or is another worker's. If the index is later still, the scheduler sends another
    message."""
    found = _find(kind, transfer_id)
    return transfers.claim_transfer(found, claimed_by=uuid4().hex) if found else None


@contextmanager
def kept_alive(transfer: Transfer, renew: Callable[[], None]) -> Iterator[None]:
    """Renews the lease from a thread, however long a part of the work takes."""
    ended = Event()
    thread = Thread(target=_keep_alive, args=(transfer, renew, ended), name="lease", daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def leave_for_later(transfer: Kind, after: Kind) -> None:
    """Gives it back because the process stops, which is no attempt that failed. Where that cannot be written, it is as
    if the worker had been killed."""
    try:
        transfers.put_back_transfer(transfer, replace(after, attempts=max(0, after.attempts - 1)), seconds=0)
    except Exception as problem:
        fields = {**transfer.identity, **describe(problem)}
        logger.warning("A transfer was not given back; it goes on once its lease has ended", extra=fields)


def _find(kind: type[Kind], transfer_id: str) -> Kind | None:
    for look in range(LOOKS):
        if found := transfers.transfer_by_id(kind, transfer_id):
            return found
        if look < LOOKS - 1:
            time.sleep(LOOK_SECONDS)
    return None


def _keep_alive(transfer: Transfer, renew: Callable[[], None], ended: Event) -> None:
    while not ended.wait(transfers.LEASE_SECONDS / 4):
        try:
            renew()
        except TransferTaken:
            # The worker itself notices on its next write or at the end.
            return
        except Exception as problem:
            fields = {**transfer.identity, **describe(problem)}
            logger.warning("A lease was not renewed, and will be tried again", extra=fields)
