"""The files of exports: in a private bucket on AWS, in a folder beside the data locally."""

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
    """The file is there once the block has ended; after an error it never is."""
    return _files().writing(export_file_name(export_id))


def remove_export_file(export_id: str) -> None:
    """Repeating it is harmless."""
    _files().delete(export_file_name(export_id))


def download_address(export: Export) -> str:
    """On AWS a link of ten minutes to the file itself; locally the path that the gateway serves it under."""
    files = _files()
    if isinstance(files, Bucket):
        name = saved_as(export.created_at, export.format)
        return files.address_of(export_file_name(export.id), seconds=LINK_SECONDS, saved_as=name)
    return f"/api/exports/{export.id}/download"


def local_export_file(export_id: str) -> Path:
    """Where it lies locally, if it is there."""
    folder = settings().exports_folder
    if folder is None:
        raise InvalidSetting("EXPORTS_FOLDER is not set. It is needed to download exports.")
    return Path(folder) / export_file_name(export_id)


def each_export_file() -> Iterator[tuple[str, str]]:
    """The id and the name of each, unfinished ones too. Files that we have not named are skipped."""
    for name in _files().names():
        export_id = name.partition(".")[0]
        if is_ulid(export_id) and name.startswith(f"{export_id}{SUFFIX}"):
            yield export_id, name


def remove_file(name: str) -> None:
    """By its own name, as `each_export_file` tells it."""
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
