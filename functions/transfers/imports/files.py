"""The files to import: below `imports/` in the exports bucket on AWS, or in the exports folder locally."""

import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from functions.runtime.errors import InvalidSetting
from functions.runtime.files import files_in
from functions.runtime.settings import settings

KEY = re.compile(r"imports/[A-Za-z0-9_][A-Za-z0-9_.\-]{0,199}\.(zip|sql|sql\.gz)")
"""The name becomes part of a path: other characters could escape from the folder."""
MAX_BYTES = 100 * 1024 * 1024
"""A function on AWS has half a gigabyte of disk for the file and its rows."""


@contextmanager
def import_file(key: str) -> Iterator[Path | None]:
    """Yields a copy of the file for the duration of the block; None if there is no such file."""
    if not KEY.fullmatch(key):
        raise ValueError(f"{key!r} is not the name of a file to import")
    files = files_in(settings().exports_bucket, settings().exports_folder)
    if files is None:
        raise InvalidSetting("Neither EXPORTS_BUCKET nor EXPORTS_FOLDER is set. One is needed to import files.")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / key.rpartition("/")[2]
        yield path if files.copy(key, path, most_bytes=MAX_BYTES) else None
