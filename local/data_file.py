"""Keeps a copy of the data file, and puts it in the place of a damaged one."""

import os
import shutil
import sqlite3
import time
from contextlib import closing, suppress
from datetime import UTC, datetime
from pathlib import Path

from functions.runtime.clock import now
from functions.runtime.errors import StockTrackRecordError
from functions.runtime.observability import logger

DATABASE = "dynamodb.sqlite"
BESIDE = (f"{DATABASE}-wal", f"{DATABASE}-shm")
"""SQLite's own files: the newest writes are in the first."""
COPY = "dynamodb.copy.sqlite"
PREFIX = "dynamodb."
"""Begins the names of all of these, and of unfinished copies."""
DAMAGED = "damaged-"
"""Begins the name of the folder into which a damaged data file is moved."""
COPY_SECONDS = 24 * 60 * 60
"""The age at which the copy is replaced."""


class DataFileDamaged(StockTrackRecordError):
    """The data file cannot be read as a whole. The message says what to do."""


def damage_of(database: Path) -> str | None:
    """Returns what is wrong with a data file; None if it is sound."""
    try:
        with closing(sqlite3.connect(database)) as opened:
            (verdict,) = opened.execute("PRAGMA quick_check(1)").fetchone()
    except sqlite3.Error as problem:
        verdict = str(problem)
    return None if verdict == "ok" else verdict.splitlines()[-1]


def copy_database(source: Path, target: Path) -> None:
    """Copies a database as of one point in time, also while it is in use; raises sqlite3.Error."""
    with closing(sqlite3.connect(source)) as opened, closing(sqlite3.connect(target)) as copied:
        opened.backup(copied)


def copy_data_file(data: Path) -> bool:
    """Replaces the copy once it is a day old; returns True if it did. Raises DataFileDamaged."""
    database, copy = data / DATABASE, data / COPY
    if copy.exists() and 0 <= time.time() - copy.stat().st_mtime < COPY_SECONDS:
        return False
    if shutil.disk_usage(data).free < 2 * database.stat().st_size:
        logger.warning("There is too little room on the disk for a copy of the data file")
        return False
    unfinished = copy.with_suffix(".new")
    try:
        copy_database(database, unfinished)
        if damage := damage_of(unfinished):
            raise DataFileDamaged(damage)
        unfinished.replace(copy)
    except sqlite3.DatabaseError as problem:
        raise DataFileDamaged(str(problem)) from None
    finally:
        unfinished.unlink(missing_ok=True)
    return True


def replace_if_damaged(data: Path) -> str | None:
    """Puts the copy in the place of a damaged data file that nothing uses; returns a sentence if it did."""
    database, copy = data / DATABASE, data / COPY
    damage = damage_of(database) if database.exists() else None
    if damage is None:
        return None
    if not copy.exists() or damage_of(copy):
        raise DataFileDamaged(
            f"The data file {database} is damaged ({damage}), and there is no copy of it. "
            "Bring a backup back with `make restore FILE=…`, or choose another folder with DATA=…"
        )
    aside = data / f"{DAMAGED}{now()[:19].replace(':', '')}"
    aside.mkdir(exist_ok=True)
    replacement = database.with_suffix(".new")
    shutil.copyfile(copy, replacement)
    # A start that is killed in between finds the damaged file, or the copy in its place: never none.
    for name in BESIDE:
        with suppress(FileNotFoundError):
            (data / name).rename(aside / name)
    (aside / DATABASE).unlink(missing_ok=True)
    os.link(database, aside / DATABASE)
    replacement.replace(database)
    as_of = datetime.fromtimestamp(copy.stat().st_mtime, UTC).isoformat(" ", "minutes").removesuffix("+00:00")
    return (
        f"The data file was damaged ({damage}) and is now in {aside}. The copy of {as_of} UTC took its place: what was "
        "added or changed later is missing."
    )
