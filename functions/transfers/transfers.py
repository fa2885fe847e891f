"""Exports and imports: started once per request, limited in number, and resumed if their message was lost."""

from collections.abc import Sequence

from functions.runtime.clock import now, seconds_after
from functions.runtime.dispatch import ImportData, WriteExport, dispatcher
from functions.runtime.dynamodb.requests import Action
from functions.runtime.observability import logger
from functions.transfers import store as transfers
from functions.transfers.exports.models import Export
from functions.transfers.models import Transfer

PATIENCE_SECONDS = 300
"""How long a message may take before it counts as lost."""
LATE_SECONDS = 3600


def begin_transfer(transfer: Transfer, request: str | None, also: Sequence[Action] = ()) -> bool:
    """False if the same `request` has begun another. A person with as many under way as allowed gets the error that
    the kind names. `also` is written in the same transaction."""
    try:
        is_new = transfers.add_transfer(transfer, request=request, also=also)
    except transfer.too_many:
        if not transfers.unlist_ended_transfers(type(transfer), transfer.user_id):
            raise
        is_new = transfers.add_transfer(transfer, request=request, also=also)
    if is_new:
        send_transfer(transfer)
    return is_new


def send_transfer(transfer: Transfer) -> None:
    """The transfer is stored: raising would make the caller start it twice."""
    try:
        _send(transfer)
    except Exception:
        logger.exception("The message of a transfer was not sent; the scheduler will send it", extra=transfer.identity)


def send_lost_transfers(kind: type[Transfer]) -> tuple[list[str], int]:
    """Sends a message for those that have none on their way, or whose worker died; returns their ids, and how many
    were begun more than an hour ago and have not ended.

    Called by the scheduler. A message too many is harmless: one worker may work on a transfer.
    """
    timestamp = now()
    sent = []
    late = 0
    for transfer in list(transfers.open_transfers(kind)):
        late += transfer.created_at < seconds_after(timestamp, -LATE_SECONDS)
        is_at_work = transfer.lease_until is not None and transfer.lease_until > timestamp
        is_on_its_way = transfer.sent_at is not None and transfer.sent_at > seconds_after(timestamp, -PATIENCE_SECONDS)
        if not is_at_work and not is_on_its_way and transfers.mark_transfer_sent(transfer, timestamp):
            _send(transfer)
            sent.append(transfer.id)
    return sent, late


def resume_transfers(kind: type[Transfer]) -> None:
    """Resumes everything open, when no worker can be alive and no message has survived."""
    for transfer in list(transfers.open_transfers(kind)):
        transfers.free_transfer(transfer)
        _send(transfer)


def _send(transfer: Transfer) -> None:
    dispatcher().send(WriteExport(transfer.id) if isinstance(transfer, Export) else ImportData(transfer.id))
