"""Writes the data of `make run` into one file while it runs, and brings it back: `make backup`, `make restore`."""

import argparse
import io
import json
import os
import shutil
import sqlite3
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from functions.runtime.clock import now
from functions.runtime.errors import StockTrackRecordError
from functions.runtime.files import PART_SUFFIX
from functions.runtime.version import VERSION
from local.data_file import DAMAGED, DATABASE, PREFIX, copy_database, damage_of
from local.engine import locked

FORMAT = 1
MANIFEST = "backup.json"
REPLACED = "before-restore-"
"""Begins the name of the folder into which a restore moves what was there."""
RESTORING = ".restoring"
TEMPORARY = ".backup-"
SUFFIX = ".tar.gz"


class BackupProblem(StockTrackRecordError):
    """Nothing was written, or nothing was replaced. The message says what to do."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """Describes a backup; the first file in it."""

    format: int
    version: str
    """The version of the product that wrote it."""
    created_at: str


def back_up(data: Path, target: Path) -> int:
    """Returns how many files lie beside the database. The target appears once it is complete.

    The database comes first: a file is written before the item that refers to it, so none is missing.
    """
    database = data / DATABASE
    if not database.exists():
        raise BackupProblem(f"{data} is not a folder with the data of `make run`. Name another with DATA=…")
    if target.exists():
        raise BackupProblem(f"{target} exists already. Choose another name.")
    unfinished = target.with_name(target.name + PART_SUFFIX)
    try:
        with tempfile.TemporaryDirectory(dir=target.parent, prefix=TEMPORARY) as folder:
            copied = Path(folder) / DATABASE
            _copy_database(database, copied)
            # Only its owner may read it: it holds the key that signs webhooks.
            with os.fdopen(os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
                count = _write(file, copied, data)
                file.flush()
                os.fsync(file.fileno())
        unfinished.replace(target)
    except OSError as problem:
        raise BackupProblem(f"The backup could not be written: {problem}.") from None
    finally:
        unfinished.unlink(missing_ok=True)
    return count


def restore(file: Path, data: Path) -> Path | None:
    """Replaces the data of a stopped product. Returns the folder that now holds what was there before."""
    new = data / RESTORING
    with locked(data):
        shutil.rmtree(new, ignore_errors=True)
        try:
            new.mkdir()
            _unpack(file, new)
            return _replace(data, new)
        except (OSError, EOFError, tarfile.TarError) as problem:
            raise BackupProblem(f"{file} could not be restored: {problem}") from None
        finally:
            shutil.rmtree(new, ignore_errors=True)


def _copy_database(database: Path, target: Path) -> None:
    try:
        copy_database(database, target)
    except sqlite3.Error as problem:
        raise BackupProblem(f"The database could not be read: {problem}.") from None


def _write(file: Any, database: Path, data: Path) -> int:
    manifest = json.dumps(asdict(Manifest(FORMAT, VERSION, now()))).encode()
    count = 0
    with tarfile.open(fileobj=file, mode="w:gz", compresslevel=6) as archive:
        described = tarfile.TarInfo(MANIFEST)
        described.size = len(manifest)
        archive.addfile(described, io.BytesIO(manifest))
        archive.add(database, DATABASE)
        for path in _files(data):
            # A file may be deleted meanwhile, such as an expired export.
            with suppress(FileNotFoundError), path.open("rb") as content:
                archive.addfile(archive.gettarinfo(arcname=str(path.relative_to(data)), fileobj=content), content)
                count += 1
    return count


def _files(data: Path) -> Iterator[Path]:
    for path in sorted(data.rglob("*")):
        inside = path.relative_to(data)
        # The database is copied as of one point in time instead.
        is_ours = not inside.parts[0].startswith(("lock", PREFIX, REPLACED, RESTORING, TEMPORARY, DAMAGED))
        is_complete = not path.name.endswith((PART_SUFFIX, SUFFIX))
        if is_ours and is_complete and path.is_file() and not path.is_symlink():
            yield path


def _unpack(file: Path, folder: Path) -> None:
    with tarfile.open(file, "r:gz") as archive:
        _check_manifest(archive, file)
        for member in archive:
            inside = PurePosixPath(member.name)
            if not member.isfile() or inside.is_absolute() or ".." in inside.parts:
                raise BackupProblem(f"{file} is not a backup: it holds {member.name!r}.")
            target = folder / inside
            target.parent.mkdir(parents=True, exist_ok=True)
            content = archive.extractfile(member)
            assert content
            with (
                content,
                os.fdopen(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, member.mode & 0o700), "wb") as new,
            ):
                shutil.copyfileobj(content, new)
    _check_database(folder / DATABASE, file)


def _check_manifest(archive: tarfile.TarFile, file: Path) -> None:
    first = archive.next()
    content = archive.extractfile(first) if first and first.name == MANIFEST else None
    try:
        manifest = Manifest(**json.loads(content.read())) if content else None
    except (ValueError, TypeError):
        manifest = None
    if manifest is None:
        raise BackupProblem(f"{file} is not a backup of `make backup`.")
    if manifest.format > FORMAT:
        raise BackupProblem(f"{file} was written by version {manifest.version}, and this is {VERSION}: update first.")


def _check_database(database: Path, file: Path) -> None:
    if not database.exists():
        raise BackupProblem(f"{file} is not a backup: it holds no database.")
    if damage := damage_of(database):
        raise BackupProblem(f"The database in {file} is damaged: {damage}.")


def _replace(data: Path, new: Path) -> Path | None:
    """Moves within the folder, which may be a mounted volume. The database comes last: without one, nothing starts."""
    stays = ("lock", RESTORING)
    before = [path for path in data.iterdir() if path.name not in stays and not path.name.startswith(REPLACED)]
    replaced = data / f"{REPLACED}{_stamp()}" if before else None
    if replaced:
        replaced.mkdir()
        for path in sorted(before, key=lambda path: path.name != DATABASE):
            path.rename(replaced / path.name)
    for path in sorted(new.iterdir(), key=lambda path: path.name == DATABASE):
        if path.name != MANIFEST:
            path.rename(data / path.name)
    return replaced


def _stamp() -> str:
    """The time, as a part of a file's name."""
    return now()[:19].replace(":", "")


def main() -> int:
    arguments = _arguments()
    data: Path = arguments.data
    try:
        if arguments.restore:
            replaced = restore(arguments.restore, data)
            print(f"{data} holds what {arguments.restore} had. Start it with `make run`.")
            if replaced:
                print(f"What was there before is in {replaced}; delete it when you no longer need it.")
        else:
            target = arguments.to or Path(f"stock-track-record-{_stamp()}{SUFFIX}")
            count = back_up(data, target)
            print(
                f"Backed up {data} to {target}: the database and {count} files, {target.stat().st_size / 1e6:.1f} MB."
            )
            print("It holds keys and transcripts: keep it where only you can read it.")
    except StockTrackRecordError as problem:
        print(problem, file=sys.stderr)
        return 1
    return 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m local.backup", description=__doc__)
    parser.add_argument("--data", type=Path, default=Path(".local"), help="the folder of the data")
    parser.add_argument("--to", type=Path, help="the file to write")
    parser.add_argument(
        "--restore", type=Path, metavar="FILE", help="a backup to bring back; the product must be stopped"
    )
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
