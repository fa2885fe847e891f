"""Removes the files of exports that have expired or are gone: what the bucket's lifecycle does on AWS."""

import time

from functions.runtime.ids import milliseconds_of
from functions.transfers.exports.files import each_export_file, export_file_name, remove_file
from functions.transfers.exports.models import Export
from functions.transfers.models import expiry_of
from functions.transfers.store import transfer_by_id

UNFINISHED_SECONDS = 24 * 60 * 60
"""How long it may take to write a file: what is older was left by a worker that was killed."""
NEW_SECONDS = 60 * 60
"""A file is kept for at least this long: the index of another engine may not have its export yet."""


def remove_old_exports() -> list[str]:
    """The names of the files that were removed."""
    removed = []
    for export_id, name in each_export_file():
        if _is_old(export_id, name):
            remove_file(name)
            removed.append(name)
    return removed


def remove_unfinished_exports() -> None:
    """What killed workers left, where none can be at work: it may be what fills the disk."""
    for export_id, name in each_export_file():
        if name != export_file_name(export_id):
            remove_file(name)


def _is_old(export_id: str, name: str) -> bool:
    moment = time.time()
    age = moment - milliseconds_of(export_id) / 1000
    if name != export_file_name(export_id):
        return age > UNFINISHED_SECONDS
    return expiry_of(export_id) <= moment or (age > NEW_SECONDS and transfer_by_id(Export, export_id) is None)
