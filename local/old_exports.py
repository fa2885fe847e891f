"""Deletes export files that have expired or whose export is gone, as the bucket's lifecycle does on AWS."""

import time

from functions.runtime.ids import milliseconds_of
from functions.transfers.exports.files import each_export_file, export_file_name, remove_file
from functions.transfers.exports.models import Export
from functions.transfers.models import expiry_of
from functions.transfers.store import transfer_by_id

UNFINISHED_SECONDS = 24 * 60 * 60
"""Maximum time to write a file: older partial files were left by a killed worker."""
NEW_SECONDS = 60 * 60
"""Minimum age of a deleted file: another engine's index may not have its export yet."""


def remove_old_exports() -> list[str]:
    """Returns the names of the deleted files."""
    removed = []
    for export_id, name in each_export_file():
        if _is_old(export_id, name):
            remove_file(name)
            removed.append(name)
    return removed


def remove_unfinished_exports() -> None:
    """Deletes what killed workers left, when none can be working: it may be what fills the disk."""
    for export_id, name in each_export_file():
        if name != export_file_name(export_id):
            remove_file(name)


def _is_old(export_id: str, name: str) -> bool:
    now = time.time()
    age = now - milliseconds_of(export_id) / 1000
    if name != export_file_name(export_id):
        return age > UNFINISHED_SECONDS
    return expiry_of(export_id) <= now or (age > NEW_SECONDS and transfer_by_id(Export, export_id) is None)
