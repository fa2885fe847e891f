"""A person's exports: begun, listed, downloaded and deleted, and found again when their message was lost."""

from collections.abc import Sequence
from dataclasses import dataclass

from functions.core import ids
from functions.core.attributes import Item
from functions.core.clock import now, seconds_after
from functions.core.errors import ExportNotFound, NotAccepted, TooManyExports
from functions.core.exports import Export, ExportStatus, expiry_of
from functions.core.observability import logger
from functions.dispatch import WriteExport, dispatcher
from functions.store import exports
from functions.store.channels import channels_by_id
from functions.store.export_files import download_address, remove_export_file
from functions.store.requests import Page

PATIENCE_SECONDS = 300
"""How long a message may take before it counts as lost."""
LATE_SECONDS = 3600
REMOVAL_TRIES = 5


@dataclass(frozen=True, slots=True)
class Download:
    export: Export
    url: str | None
    """Once the file is there."""


def begin_export(user_id: str, channel_ids: Sequence[str], file_format: str, *, request: str | None = None) -> Export:
    """Has an export written, of these channels or, without any, of all. Repeated for the same `request` while it is
    being written, it returns the export that was begun first.

    NotAccepted if a channel is not there; TooManyExports.
    """
    wanted = tuple(dict.fromkeys(channel_ids))
    _require_channels(wanted)
    if request and (begun := _begun_by(user_id, request)):
        return begun
    export = new_export(ids.new_export_id(), user_id, wanted, file_format, request=request)
    try:
        exports.add_export(export)
    except TooManyExports:
        if not exports.unlist_ended_exports(user_id):
            raise
        exports.add_export(export)
    send_export(export)
    return export


def new_export(
    export_id: str, user_id: str, channel_ids: tuple[str, ...], file_format: str, *, request: str | None = None
) -> Export:
    moment = now()
    return Export(
        id=export_id,
        user_id=user_id,
        format=file_format,
        created_at=moment,
        updated_at=moment,
        expires_at=expiry_of(export_id),
        channel_ids=channel_ids,
        request=request,
        sent_at=moment,
    )


def send_export(export: Export) -> None:
    """The export is stored: an error would have it begun twice."""
    try:
        dispatcher().send(WriteExport(export.id))
    except Exception:
        logger.exception("An export was stored, but its message was not sent; the clock does it", export_id=export.id)


def list_exports(user_id: str, start: Item | None, limit: int) -> Page[Export]:
    return exports.newest_exports(user_id, limit, start)


def get_export(user_id: str, export_id: str) -> Download:
    export = _export(user_id, export_id)
    return Download(export, download_address(export) if export.status is ExportStatus.COMPLETED else None)


def delete_export(user_id: str, export_id: str) -> None:
    """Removes the file, then the export: whoever is killed in between leaves one that can be deleted again.

    A worker that is writing notices at its next write. It may have put the file in place meanwhile, so that is
    removed once more at the end.
    """
    for _ in range(REMOVAL_TRIES):
        export = _export(user_id, export_id)
        remove_export_file(export.id)
        if exports.remove_export(export):
            if export.is_open:
                remove_export_file(export.id)
            return
    raise TimeoutError(f"export {export_id} kept changing while it was deleted")


def send_lost_exports() -> tuple[list[str], int]:
    """Sends a message for exports that have none on their way, or whose worker died; returns their ids, and how many
    were begun more than an hour ago and have not ended.

    Called by the clock. A message too many is harmless: one worker may write an export.
    """
    moment = now()
    sent = []
    late = 0
    for export in list(exports.open_exports()):
        late += export.created_at < seconds_after(moment, -LATE_SECONDS)
        is_being_written = export.lease_until is not None and export.lease_until > moment
        is_on_its_way = export.sent_at is not None and export.sent_at > seconds_after(moment, -PATIENCE_SECONDS)
        if not is_being_written and not is_on_its_way and exports.mark_export_sent(export, moment):
            dispatcher().send(WriteExport(export.id))
            sent.append(export.id)
    return sent, late


def resume_exports() -> None:
    """Has everything that is open written, where no worker can be alive and no message was kept."""
    for export in list(exports.open_exports()):
        exports.free_export(export)
        dispatcher().send(WriteExport(export.id))


def _require_channels(channel_ids: tuple[str, ...]) -> None:
    plausible = [channel_id for channel_id in channel_ids if ids.is_uuid(channel_id)]
    known = channels_by_id(plausible, consistent=True) if plausible else {}
    if unknown := [channel_id for channel_id in channel_ids if channel_id not in known]:
        raise NotAccepted("channel_ids", f"There is no channel {', '.join(unknown)}", ", ".join(unknown))


def _begun_by(user_id: str, request: str) -> Export | None:
    return next((export for export in exports.open_exports_of_user(user_id) if export.request == request), None)


def _export(user_id: str, export_id: str) -> Export:
    found = exports.export_of_user(user_id, export_id, consistent=True) if ids.is_ulid(export_id) else None
    if found is None:
        raise ExportNotFound(export_id)
    return found
