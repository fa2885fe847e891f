"""Export files: in a private bucket on AWS, in a folder next to the data locally."""

from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path

from functions.runtime.errors import InvalidSetting
from functions.runtime.files import Bucket, Folder, Writer, files_in
from functions.runtime.ids import is_ulid
from functions.runtime.settings import settings
from functions.transfers.exports.models import Export, saved_as

SUFFIX = ".zip"
LINK_SECONDS = 600


def writing_export_file(export_id: str) -> AbstractContextManager[Writer]:
    """The file appears when the block ends; after an error it never does."""
    return _files().writing(export_file_name(export_id))


def remove_export_file(export_id: str) -> None:
    """Idempotent."""
    _files().delete(export_file_name(export_id))


def download_address(export: Export) -> str:
    """On AWS a link to the file, valid for ten minutes; locally the path under which the gateway serves it."""
    files = _files()
    if isinstance(files, Bucket):
        name = saved_as(export.created_at, export.format)
        return files.address_of(export_file_name(export.id), seconds=LINK_SECONDS, saved_as=name)
    return f"/api/exports/{export.id}/download"


def local_export_file(export_id: str) -> Path:
    """The local path of the file, if it exists."""
    folder = settings().exports_folder
    if folder is None:
        raise InvalidSetting("EXPORTS_FOLDER is not set. It is needed to download exports.")
    return Path(folder) / export_file_name(export_id)


def each_export_file() -> Iterator[tuple[str, str]]:
    """Yields the id and name of each, including unfinished ones. Files with other names are skipped."""
    for name in _files().names():
        export_id = name.partition(".")[0]
        if is_ulid(export_id) and name.startswith(f"{export_id}{SUFFIX}"):
            yield export_id, name


def remove_file(name: str) -> None:
    """Deletes a file by the name that `each_export_file` yields."""
    _files().delete(name)


def export_file_name(export_id: str) -> str:
    # The id becomes part of a path: other characters could lead out of the folder.
    if not is_ulid(export_id):
        raise ValueError(f"{export_id!r} is not the id of an export")
    return f"{export_id}{SUFFIX}"


def _files() -> Bucket | Folder:
    files = files_in(settings().exports_bucket, settings().exports_folder)
    if files is None:
        raise InvalidSetting("EXPORTS_BUCKET is not set. It is needed to keep exports.")
    return files
