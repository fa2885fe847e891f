"""A list as CSV, line by line or as a file that fits into a response."""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, is_dataclass
from functools import cache
from typing import Any, get_args, get_type_hints

from functions.record.files.cells import csv_header, csv_row
from functions.record.files.tables import Column, Kind
from functions.record.models.records import Channel
from functions.runtime.errors import CsvTooLarge

MAX_BYTES = 6_000_000
"""Lambda limits a response to 6 MB."""
MAX_NAME_LENGTH = 60


@dataclass(frozen=True, slots=True)
class CsvFile:
    name: str
    """Lowercase letters, digits and dashes, so it is safe in a header and on any file system."""
    text: str


def csv_lines(model: type, rows: Iterable[object], **constant: str) -> Iterator[str]:
    """Yields a header, and a line per model, preceded by the constant columns."""
    columns = (*(Column(name, Kind.TEXT, "") for name in constant), *_columns_of(model))
    yield csv_header(columns)
    for row in rows:
        yield csv_row([*constant.values(), *_values_of(row, model)], columns)


def csv_file(what: str, channel: Channel, model: type, rows: Iterable[object], **constant: str) -> CsvFile:
    """Raises CsvTooLarge if the lines do not fit."""
    lines: list[str] = []
    size = 0
    for line in csv_lines(model, rows, **constant):
        lines.append(line)
        size += len(line.encode())
        if size > MAX_BYTES:
            raise CsvTooLarge
    return CsvFile("-".join((what, _name_of(channel), *constant.values())) + ".csv", "".join(lines))


def _columns_of(model: type, prefix: str = "") -> list[Column]:
    """Returns a column per field; nested fields have joined names. Days and timestamps are treated as text, since they
    start with a digit."""
    columns: list[Column] = []
    for name, hint, inner in _fields_of(model):
        columns += _columns_of(inner, f"{prefix}{name}_") if inner else [Column(prefix + name, _kind(hint), "")]
    return columns


def _values_of(row: object | None, model: type) -> list[Any]:
    """Values in the order of the columns; nested fields of null are empty."""
    values: list[Any] = []
    for name, _, inner in _fields_of(model):
        value = getattr(row, name, None)
        values += _values_of(value, inner) if inner else [value]
    return values


@cache
def _fields_of(model: type) -> list[tuple[str, Any, type | None]]:
    """Returns the name and type of each field, and its nested model, if any."""
    return [(name, hint, _inner_model(hint)) for name, hint in get_type_hints(model).items()]


def _inner_model(hint: Any) -> type | None:
    return next((each for each in (hint, *get_args(hint)) if isinstance(each, type) and is_dataclass(each)), None)


def _kind(hint: Any) -> Kind:
    types = (hint, *get_args(hint))
    kinds = {float: Kind.NUMBER, bool: Kind.BOOLEAN, int: Kind.INTEGER}
    return next((kind for each, kind in kinds.items() if each in types), Kind.TEXT)


def _name_of(channel: Channel) -> str:
    plain = unicodedata.normalize("NFKD", channel.name).encode("ascii", "ignore").decode().lower()
    return "-".join(re.findall("[a-z0-9]+", plain))[:MAX_NAME_LENGTH].strip("-") or channel.id
