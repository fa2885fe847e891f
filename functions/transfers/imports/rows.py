"""Rows of CSV files and JSON lines, each with its location."""

import csv
import json
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any, Self

from functions.transfers.imports.problems import Findings, Place

Fields = dict[str, Any]
DELIMITERS = ",\t;"
MAX_ROW_CHARACTERS = 1024 * 1024
"""Maximum size of a CSV row, which may span many lines."""


def csv_rows(lines: Iterator[str], name: str, findings: Findings) -> Iterator[tuple[Place, Fields]]:
    """Yields the cells of each row by column. For a truncated file, yields the rows before the end."""
    first = next(lines, "")
    # As the program that wrote it separates cells, which the names of the columns do not contain.
    delimiter = max(DELIMITERS, key=first.count)
    counted = _CountedLines(chain([first], lines))
    reader = csv.reader(counted, delimiter=delimiter, strict=True)
    header: list[str] | None = None
    while True:
        place = Place(name, reader.line_num + 1)
        counted.begin_row()
        try:
            row = next(reader, None)
        except _RowTooLong:
            findings.complain(
                place,
                f"this row is longer than {MAX_ROW_CHARACTERS:,} characters: a quotation mark may be missing. "
                "The rest of the file was not read",
            )
            return
        except csv.Error as problem:
            findings.complain(place, f"the rest of the file cannot be read as CSV: {problem}")
            return
        if row is None:
            return
        if header is None:
            header = _header(row, place, findings)
            if not header:
                return
        elif row and len(row) != len(header):
            findings.complain(place, f"{len(row)} cells instead of {len(header)}")
        elif row:
            yield place, dict(zip(header, row, strict=True))


def json_rows(lines: Iterator[str], name: str, findings: Findings) -> Iterator[tuple[Place, Fields]]:
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        place = Place(name, number)
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            row = None
        if isinstance(row, dict):
            yield place, row
        else:
            findings.complain(place, "this line is no JSON object")


def check_columns(
    present: Sequence[str], known: Sequence[str], required: Sequence[str], place: Place | str, findings: Findings
) -> None:
    """Reports missing columns, and remarks on ignored ones."""
    for name in required:
        if name not in present:
            findings.complain(place, f"the column {name} is missing")
    file = place.file if isinstance(place, Place) else place
    if unknown := [name for name in present if name not in known]:
        findings.remark(f"{file}: not read: {', '.join(map(str, unknown[:20]))}")


class _RowTooLong(Exception):
    pass


class _CountedLines:
    """Feeds lines to the CSV reader, which buffers a row in memory however many lines it spans."""

    def __init__(self, lines: Iterator[str]) -> None:
        self._lines = lines
        self._characters = 0

    def begin_row(self) -> None:
        self._characters = 0

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> str:
        line = next(self._lines)
        self._characters += len(line)
        if self._characters > MAX_ROW_CHARACTERS:
            raise _RowTooLong
        return line


def _header(row: list[str], place: Place, findings: Findings) -> list[str]:
    header = [name.strip() for name in row]
    if len(set(header)) < len(header):
        findings.complain(place, "two columns have the same name")
        return []
    return header
