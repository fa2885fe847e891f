"""Stages the rows of a file in a temporary database, for access in any order with bounded memory."""

import json
import sqlite3
from collections.abc import Iterator
from enum import StrEnum
from hashlib import sha256
from typing import Any

from functions.runtime.version import VERSION
from functions.transfers.imports.problems import Place


class Kind(StrEnum):
    CHANNEL = "channel"
    GUARD = "guard"
    """A name or id of a YouTube channel."""
    VIDEO = "video"
    MENTION = "mention"
    REVIEW = "review"
    LOG = "log"
    NOTE = "note"
    STOCK = "stock"
    CLOSE = "close"


Content = dict[str, Any]


class Staging:
    """Rows by kind and key, each with the key of its parent, the order among its siblings, and its place.

    One thread may use it.
    """

    def __init__(self) -> None:
        # Without a name SQLite keeps it in memory while it is small, then in a file that disappears when closed.
        self._database = sqlite3.connect("", isolation_level=None)
        self._database.executescript(
            "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;"
            "CREATE TABLE staged (kind, key, parent, sort, file, line, row, content, PRIMARY KEY (kind, key))"
            " WITHOUT ROWID;"
            "CREATE INDEX by_parent ON staged (kind, parent, sort);"
            "BEGIN"
        )

    def __enter__(self) -> "Staging":
        return self

    def __exit__(self, *_: object) -> None:
        self._database.close()

    def add(self, kind: Kind, key: str, place: Place, content: Content, *, parent: str = "", sort: str = "") -> bool:
        """False if the key already exists; the existing row stays."""
        added = self._database.execute(
            "INSERT OR IGNORE INTO staged VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (kind, key, parent, sort, place.file, place.line, place.row, json.dumps(content)),
        )
        return added.rowcount == 1

    def place_of(self, kind: Kind, key: str) -> Place:
        row = self._database.execute("SELECT file, line, row FROM staged WHERE kind = ? AND key = ?", (kind, key))
        return Place(*row.fetchone())

    def get(self, kind: Kind, key: str) -> Content | None:
        row = self._database.execute("SELECT content FROM staged WHERE kind = ? AND key = ?", (kind, key)).fetchone()
        return json.loads(row[0]) if row else None

    def all_of(self, kind: Kind) -> Iterator[tuple[str, Content]]:
        """In key order."""
        rows = self._database.execute("SELECT key, content FROM staged WHERE kind = ? ORDER BY key", (kind,))
        return ((key, json.loads(content)) for key, content in rows)

    def of_parent(self, kind: Kind, parent: str) -> Iterator[tuple[str, Content]]:
        """In sibling order."""
        rows = self._database.execute(
            "SELECT key, content FROM staged WHERE kind = ? AND parent = ? ORDER BY sort, key", (kind, parent)
        )
        return ((key, json.loads(content)) for key, content in rows)

    def parents_of(self, kind: Kind) -> list[str]:
        rows = self._database.execute("SELECT DISTINCT parent FROM staged WHERE kind = ? ORDER BY parent", (kind,))
        return [parent for (parent,) in rows]

    def without_parent(self, kind: Kind, parent_kind: Kind) -> Iterator[tuple[Place, str]]:
        """Returns the rows whose parent is missing, each with its key."""
        rows = self._database.execute(
            "SELECT file, line, row, parent FROM staged AS child WHERE kind = ? AND NOT EXISTS"
            " (SELECT 1 FROM staged WHERE kind = ? AND key = child.parent) ORDER BY file, line, row",
            (kind, parent_kind),
        )
        return ((Place(file, line, row), parent) for file, line, row, parent in rows)

    def larger_than(self, kind: Kind, most: int) -> Iterator[tuple[str, int]]:
        """Returns the parents with more rows than that, and their number."""
        return self._database.execute(
            "SELECT parent, COUNT(*) FROM staged WHERE kind = ? GROUP BY parent HAVING COUNT(*) > ?", (kind, most)
        )

    def count(self, kind: Kind, parent: str | None = None) -> int:
        condition, values = ("", ()) if parent is None else (" AND parent = ?", (parent,))
        row = self._database.execute(f"SELECT COUNT(*) FROM staged WHERE kind = ?{condition}", (kind, *values))
        return int(row.fetchone()[0])

    def count_under(self, kind: Kind, folder: str) -> int:
        """Returns the rows whose parent's key is less than this one."""
        row = self._database.execute(
            "SELECT COUNT(*) FROM staged WHERE kind = ? AND parent > ? AND parent < ?",
            (kind, f"{folder}/", f"{folder}0"),
        )
        return int(row.fetchone()[0])

    def fingerprint(self) -> str:
        """Equal for equal content, as long as this program interprets it the same way."""
        digest = sha256(VERSION.encode())
        for row in self._database.execute("SELECT kind, key, parent, content FROM staged ORDER BY kind, key"):
            digest.update("\0".join(row).encode())
        return digest.hexdigest()
