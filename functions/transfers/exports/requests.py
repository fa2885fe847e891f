"""A person's exports: started, listed, downloaded and deleted."""

from collections.abc import Sequence
from dataclasses import dataclass

from functions.record.store.channels import channels_by_id
from functions.runtime import ids
from functions.runtime.clock import now
from functions.runtime.dynamodb.attributes import Item
from functions.runtime.dynamodb.requests import Page
from functions.runtime.errors import NotAccepted
from functions.runtime.text import some_of
from functions.transfers.errors import ExportNotFound
from functions.transfers.exports import store as exports
from functions.transfers.exports.files import download_address, remove_export_file
from functions.transfers.exports.models import Export, ExportStatus
from functions.transfers.models import expiry_of
from functions.transfers.store import transfer_id_of_request, transfer_of_user
from functions.transfers.transfers import begin_transfer

REMOVAL_TRIES = 5


@dataclass(frozen=True, slots=True)
class Download:
    export: Export
    url: str | None
    """Set once the file exists."""


def begin_export(user_id: str, channel_ids: Sequence[str], file_format: str, *, request: str | None = None) -> Export:
    """Has an export written, of these channels or, without any, of all. Repeated for the same `request`, it returns the
    export that was begun first.

    NotAccepted if a channel is not there; TooManyExports.
    """
    if request and (begun := transfer_id_of_request(Export, request)):
        return _export(user_id, begun)
    wanted = tuple(dict.fromkeys(channel_ids))
    _require_channels(wanted)
    export = new_export(ids.new_export_id(), user_id, wanted, file_format)
    if not begin_transfer(export, request):
        return begin_export(user_id, channel_ids, file_format, request=request)
    return export


def new_export(export_id: str, user_id: str, channel_ids: tuple[str, ...], file_format: str) -> Export:
    created_at = now()
    return Export(
        id=export_id,
        user_id=user_id,
        format=file_format,
        created_at=created_at,
        updated_at=created_at,
        expires_at=expiry_of(export_id),
        channel_ids=channel_ids,
        sent_at=created_at,
    )


def list_exports(user_id: str, start: Item | None, limit: int) -> Page[Export]:
    return exports.newest_exports(user_id, limit, start)


def get_export(user_id: str, export_id: str) -> Download:
    export = _export(user_id, export_id)
    return Download(export, download_address(export) if export.status is ExportStatus.COMPLETED else None)


def delete_export(user_id: str, export_id: str) -> None:
    """Removes the file, then the export: a worker killed in between leaves one that can be deleted again.

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


def _require_channels(channel_ids: tuple[str, ...]) -> None:
    plausible = [channel_id for channel_id in channel_ids if ids.is_uuid(channel_id)]
    known = channels_by_id(plausible, consistent=True) if plausible else {}
    if unknown := [channel_id for channel_id in channel_ids if channel_id not in known]:
        raise NotAccepted("channel_ids", f"There is no channel {some_of(unknown)}", ", ".join(unknown))


def _export(user_id: str, export_id: str) -> Export:
    found = transfer_of_user(Export, user_id, export_id) if ids.is_ulid(export_id) else None
    if found is None:
        raise ExportNotFound(export_id)
    return found
