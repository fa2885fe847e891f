"""An import reads a bounded part of a row, line or statement that does not end, and then refuses the file."""

from collections.abc import Callable
from itertools import chain, cycle

import pytest

from functions.transfers.imports import mysql_dump, rows
from functions.transfers.imports.mysql_dump import rows_of_dump
from functions.transfers.imports.problems import FileRefused, Findings
from functions.transfers.imports.rows import csv_rows, json_rows
from functions.transfers.imports.texts import BYTES_AT_ONCE, lines_of

MEGABYTE = 1024 * 1024
SIZE = 300 * MEGABYTE


class Endless:
    """A file that repeats its last part, up to a size that no reader should come to."""

    def __init__(self, start: str, repeated: str) -> None:
        times = max(1, BYTES_AT_ONCE // len(repeated))
        self._parts = chain([start.encode()], cycle([repeated.encode() * times]))
        self._rest = b""
        self.read_bytes = 0

    def read(self, size: int) -> bytes:
        if self.read_bytes >= SIZE:
            return b""
        while len(self._rest) < size:
            self._rest += next(self._parts)
        content, self._rest = self._rest[:size], self._rest[size:]
        self.read_bytes += len(content)
        return content


def _read_csv(file: Endless) -> list[str]:
    findings = Findings()
    list(csv_rows(lines_of(file, "videos.csv"), "videos.csv", findings))
    return findings.complaints


def _read_json(file: Endless) -> list[str]:
    list(json_rows(lines_of(file, "videos.jsonl"), "videos.jsonl", Findings()))
    return []


def _read_dump(file: Endless) -> list[str]:
    list(rows_of_dump(file, "dump.sql", {"t": None}))
    return []


Read = Callable[[Endless], list[str]]
TABLE = "CREATE TABLE `t` (`id` int, `text` text);\n"
ENDLESS: dict[str, tuple[Read, str, str, str]] = {
    "line of CSV": (_read_csv, "id,title\n1,", "x", "videos.csv, line 2: longer than"),
    "quote in CSV": (_read_csv, 'id,title\n1,a\n2,"', "word\n", "videos.csv, line 3: "),
    "cells of CSV": (_read_csv, "id,title\n1,a\n2", ',"\n"', "videos.csv, line 3: this row is longer than"),
    "header of CSV": (_read_csv, "id", ',"\n"', "videos.csv, line 1: this row is longer than"),
    "line of JSON": (_read_json, '{"id": 1}\n{"title": "', "x", "videos.jsonl, line 2: longer than"),
    "text of a dump": (_read_dump, f"{TABLE}INSERT INTO `t` VALUES (1,'a'),\n(2,'", "word ", "line 3, row 2: "),
    "values of a dump": (_read_dump, f"{TABLE}INSERT INTO `t` VALUES (1,'a'),\n(2", ",12", "line 3, row 2: "),
    "columns of a dump": (
        _read_dump,
        "CREATE TABLE `t` (`id` int",
        ",\n`a` int",
        "line 1: this CREATE TABLE is longer",
    ),
    "definition in a dump": (_read_dump, "CREATE TABLE `t` (`id` int", " a()", "line 1: this CREATE TABLE is longer"),
    "statement of a dump": (_read_dump, "SET", " x", "line 1: a statement without an end, or longer than"),
    "comment of a dump": (_read_dump, "/* ", "x", "line 1: a statement without an end, or longer than"),
}


def test_what_does_not_end_is_refused_after_a_bounded_part(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mysql_dump, "MAX_PIECE", 2 * MEGABYTE)
    for name, (read, start, repeated, complaint) in ENDLESS.items():
        file = Endless(start, repeated)
        try:
            complaints = read(file)
        except FileRefused as refused:
            complaints = refused.complaints

        assert len(complaints) == 1 and complaint in complaints[0], (name, complaints)
        assert file.read_bytes <= 4 * MEGABYTE, name


def test_rows_of_many_lines_are_counted_each_for_itself() -> None:
    title = "line\n" * 20_000
    file = ["id,title\n", *(line for number in range(20) for line in f'{number},"{title}"\n'.splitlines(keepends=True))]
    findings = Findings()

    read = list(csv_rows(iter(file), "videos.csv", findings))

    assert sum(map(len, file)) > rows.MAX_ROW_CHARACTERS
    assert [fields["title"] for _, fields in read] == [title] * 20
    assert findings.complaints == []


def test_more_values_than_columns_are_counted_no_further() -> None:
    row = ",".join(["12"] * 100_000)
    file = Endless(f"{TABLE}INSERT INTO `t` VALUES ({row});\n", "\n")

    with pytest.raises(FileRefused, match=r"dump\.sql, line 2, row 1: more values than the 2 columns"):
        _read_dump(file)
