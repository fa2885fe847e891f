"""Reads the tables of an export, from this system or another, and validates every row."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from functions.record.files import tables as archive
from functions.record.files.cells import InvalidCell, from_cell, from_json
from functions.record.files.statements import wrong_statement
from functions.record.files.tables import Column, FileFormat, Kind, TableFile
from functions.runtime import ids
from functions.runtime.clock import timestamp
from functions.runtime.dynamodb import tables
from functions.runtime.dynamodb.attributes import Value
from functions.transfers.imports import staging
from functions.transfers.imports.checks import CHECKS
from functions.transfers.imports.problems import FileRefused, Findings, Place
from functions.transfers.imports.rows import check_columns, csv_rows, json_rows
from functions.transfers.imports.sources import SourceFile
from functions.transfers.imports.staging import Content, Staging
from functions.transfers.imports.texts import lines_of

MAX_MANIFEST_BYTES = 1024 * 1024
REQUIRED = (archive.CHANNELS, archive.VIDEOS, archive.MENTIONS)
FORMATS: dict[str, tuple[TableFile, FileFormat]] = {
    table.file_name(file_format): (table, file_format) for table in archive.TABLE_FILES for file_format in FileFormat
}


def read_archive(files: list[SourceFile], staged: Staging, findings: Findings) -> None:
    """Stages all rows; complaints are part of the findings."""
    _check_version(files)
    present = {FORMATS[file.name][0].name for file in files if file.name in FORMATS}
    for table in REQUIRED:
        if table.name not in present:
            findings.complain(table.name, "the file is missing")
    read: set[str] = set()
    for file in files:
        if file.name not in FORMATS:
            if file.name not in (archive.MANIFEST, archive.DICTIONARY, archive.RECOMPUTE):
                findings.remark(f"{file.name}: not read")
            continue
        table, file_format = FORMATS[file.name]
        if table.name in read:
            findings.complain(file.name, "the table is there as CSV and as JSON lines")
        elif not table.derived:
            read.add(table.name)
            _read_table(file, _Reader(table, file_format), staged, findings)


def stage(table: TableFile, content: Content, place: Place, staged: Staging, findings: Findings) -> None:
    """Adds a row that is valid on its own, unless its key is a duplicate."""
    entry = _ENTRIES[table.name](content)
    if not staged.add(entry.kind, entry.key, place, content, parent=entry.parent, sort=entry.sort):
        findings.complain(place, f"the same {entry.kind} as in {staged.place_of(entry.kind, entry.key)}")
        return
    if table is archive.CHANNELS:
        _stage_guards(content, place, staged, findings)


def problems_of_row(table: TableFile, content: Mapping[str, Value]) -> Iterator[str]:
    """Returns what is wrong with values of the correct types, one sentence each."""
    checks = CHECKS[table.name]
    for column in table.columns:
        value = content[column.name]
        if value is not None and (check := checks.get(column.name)) and (problem := check(value)):
            yield f"{column.name} {problem}"


@dataclass(frozen=True, slots=True)
class _Entry:
    """Where a row goes in the staging database."""

    kind: staging.Kind
    key: str
    parent: str = ""
    sort: str = ""


def _of_video(row: Content) -> str:
    return f"{row['channel_id']}/{row['video_id']}"


_ENTRIES: dict[str, Callable[[Content], _Entry]] = {
    "channels": lambda row: _Entry(staging.Kind.CHANNEL, row["id"], sort=row["created_at"]),
    "videos": lambda row: _Entry(
        staging.Kind.VIDEO, f"{row['channel_id']}/{row['id']}", row["channel_id"], row["published_at"]
    ),
    "mentions": lambda row: _Entry(
        staging.Kind.MENTION, f"{_of_video(row)}/{row['ticker']}", _of_video(row), row["ticker"]
    ),
    "reviews": lambda row: _Entry(
        staging.Kind.REVIEW, f"{_of_video(row)}/{row['ticker']}", _of_video(row), row["ticker"]
    ),
    "stocks": lambda row: _Entry(staging.Kind.STOCK, row["ticker"]),
    "prices": lambda row: _Entry(staging.Kind.CLOSE, f"{row['ticker']}/{row['day']}", row["ticker"], row["day"]),
    "notes": lambda row: _Entry(staging.Kind.NOTE, row["id"], row["channel_id"], row["created_at"]),
}


def _stage_guards(channel: Content, place: Place, staged: Staging, findings: Findings) -> None:
    # A channel added by its id is guarded by `channel_id:UC…`, which is the same guard as for `UC…`.
    guards = [tables.guard_key(each)["PK"] for each in channel["guards"]]
    if tables.guard_key(channel["youtube_channel_id"])["PK"] not in guards:
        findings.complain(place, f"guards must hold the YouTube id {channel['youtube_channel_id']}")
    if len(set(guards)) < len(guards):
        findings.complain(place, "guards name the same channel on YouTube twice")
    for guard in set(guards):
        if not staged.add(staging.Kind.GUARD, guard, place, {}, parent=channel["id"]):
            other = staged.place_of(staging.Kind.GUARD, guard)
            findings.complain(place, f"the same channel on YouTube ({guard.removeprefix('YT#')}) as in {other}")


class _Reader:
    """Converts the rows of one table to values of the correct types."""

    def __init__(self, table: TableFile, file_format: FileFormat) -> None:
        self.table = table
        self.is_csv = file_format is FileFormat.CSV
        self._convert: Callable[[Any, Column], Value] = from_cell if self.is_csv else from_json

    def content(self, place: Place, row: Mapping[str, Any], findings: Findings) -> Content | None:
        """None if the row is invalid."""
        content: Content = {}
        before = findings.number
        for column in self.table.columns:
            try:
                # Columns that an older version did not write are None, or an empty list.
                content[column.name] = self._value(row.get(column.name, "" if self.is_csv else None), column)
            except InvalidCell as refused:
                findings.complain(place, str(refused))
        if findings.number == before:
            for problem in problems_of_row(self.table, content):
                findings.complain(place, problem)
        if findings.number == before and (check := _WHOLE_ROWS.get(self.table)) and (sentence := check(content)):
            findings.complain(place, sentence)
        return content if findings.number == before else None

    def _value(self, given: Any, column: Column) -> Value:
        if column.kind is Kind.LIST and given in ("", None):
            return ()
        value = self._convert(given, column)
        if column.kind is Kind.TIMESTAMP and isinstance(value, str):
            return timestamp(datetime.fromisoformat(value))
        return value


def _read_table(file: SourceFile, reader: _Reader, staged: Staging, findings: Findings) -> None:
    table = reader.table
    required = [column.name for column in table.columns if not column.optional and column.kind is not Kind.LIST]
    is_checked = False
    with file.open() as stream:
        lines = lines_of(stream, file.name)
        rows = csv_rows(lines, file.name, findings) if reader.is_csv else json_rows(lines, file.name, findings)
        for place, row in rows:
            if not is_checked:
                before = findings.number
                check_columns(list(row), table.column_names, required, Place(file.name, 1), findings)
                if findings.number > before:
                    return
                is_checked = True
            content = reader.content(place, row, findings)
            if content:
                stage(table, content, place, staged, findings)


def _wrong_video(content: Content) -> str | None:
    if content["id"] != ids.video_id(content["channel_id"], content["youtube_video_id"]):
        return "id is not the one that channel_id and youtube_video_id give a video"
    if content["analysis_status"] == "completed" and content["transcript_status"] != "fetched":
        return f"analysis_status is completed, but transcript_status is {content['transcript_status']}"
    return None


_WHOLE_ROWS = {archive.VIDEOS: _wrong_video, archive.MENTIONS: wrong_statement}
"""Checks of several columns together, by table."""


def _check_version(files: list[SourceFile]) -> None:
    manifest = next((file for file in files if file.name == archive.MANIFEST), None)
    if manifest is None:
        return
    with manifest.open() as stream:
        text = stream.read(MAX_MANIFEST_BYTES + 1)
    try:
        version = json.loads(text[: MAX_MANIFEST_BYTES + 1])["format_version"]
    except (ValueError, LookupError, TypeError, RecursionError):
        raise FileRefused([f"{archive.MANIFEST} cannot be read"]) from None
    if version != archive.FORMAT_VERSION:
        raise FileRefused(
            [f"the archive has format {str(version)[:20]}, and this version reads {archive.FORMAT_VERSION}"]
        )
