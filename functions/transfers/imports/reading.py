"""Reads a file to import and validates all of it before anything is written."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from functions.record.files import tables as archive
from functions.transfers.imports.archive_tables import FORMATS, read_archive
from functions.transfers.imports.contents import Contents, check_whole
from functions.transfers.imports.old_tables import OLD_TABLES, read_old_tables
from functions.transfers.imports.problems import FileRefused, Findings
from functions.transfers.imports.sources import SourceFile, opened
from functions.transfers.imports.staging import Staging


@contextmanager
def read_file(path: Path, findings: Findings) -> Iterator[Contents]:
    """Yields the file's contents for the duration of the block; raises FileRefused with all complaints."""
    with Staging() as staged:
        with opened(path) as files:
            read = read_archive if _is_archive(files, path) else read_old_tables
            read(files, staged, findings)
        check_whole(staged, findings)
        findings.require_none()
        yield Contents(staged)


def _is_archive(files: list[SourceFile], path: Path) -> bool:
    """True if these are the files of an export; otherwise they are tables of the old application."""
    names = {file.name.lower() for file in files}
    if any(name.endswith(".sql") for name in names) or "stock_mentions.csv" in names:
        return False
    mentions = {name for name, (table, _) in FORMATS.items() if table is archive.MENTIONS}
    if archive.MANIFEST in names or mentions & names:
        return True
    if {f"{table}.csv" for table in OLD_TABLES} & names:
        return False
    found = ", ".join(sorted(names)[:10]) or "nothing"
    raise FileRefused([f"{path.name} is neither an export nor the tables of the old application: it holds {found}"])
