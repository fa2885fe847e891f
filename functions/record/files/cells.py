"""Turns values into the cells of a CSV file or the fields of a JSON line, and back, without losing anything."""

import json
import math
import re
from collections.abc import Callable, Sequence
from datetime import date, datetime
from typing import Any

from functions.record.files.tables import Column, Kind
from functions.runtime.dynamodb.attributes import Value
from functions.runtime.errors import StockTrackRecordError

_STARTS = r"[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]"
"""A spreadsheet may treat a cell that starts with one of these as a formula. The last four are full-width forms."""
_FORMULA = re.compile(f"'*{_STARTS}")
_ESCAPED_FORMULA = re.compile(f"'+{_STARTS}")
_NEEDS_QUOTES = re.compile('[",\r\n]|^\\s|\\s$')
_INTEGER = re.compile(r"-?[0-9]{1,15}")
_NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?(e[+-]?[0-9]+)?", re.IGNORECASE)
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_TIMESTAMP = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]+)?Z")
LARGEST_INTEGER = 10**15 - 1
BOOLEANS = {"true": True, "false": False}


class InvalidCell(StockTrackRecordError):
    """A cell with an invalid value for its column. The message says what is expected, in user-facing words."""


def to_cell(value: Any, kind: Kind) -> str:
    """Returns the text of a CSV cell, quoted if necessary. Only texts and lists may need quotes."""
    if kind is Kind.LIST:
        return _quoted(_json(list(value or ())))
    if value is None:
        return ""
    if kind is Kind.TEXT:
        return _quoted(_without_formula(str(value)))
    if kind is Kind.NUMBER:
        return repr(float(value))
    if kind is Kind.BOOLEAN:
        return "true" if value else "false"
    return str(value)


def from_cell(text: str, column: Column) -> Value:
    """Returns the value of an unquoted CSV cell. An empty cell of an optional column is None; raises InvalidCell for
    values the column cannot hold."""
    if not text and (column.optional or column.kind is not Kind.TEXT):
        return from_json(None, column)
    if column.kind is Kind.TEXT:
        return from_json(text[1:] if _ESCAPED_FORMULA.match(text) else text, column)
    if column.kind is Kind.BOOLEAN:
        return from_json(BOOLEANS.get(text, text), column)
    if column.kind is Kind.INTEGER:
        return from_json(int(text) if _INTEGER.fullmatch(text) else text, column)
    if column.kind is Kind.NUMBER:
        return from_json(float(text) if _NUMBER.fullmatch(text) else text, column)
    if column.kind is Kind.LIST:
        return from_json(_read_list(text), column)
    return from_json(text, column)


def to_json(value: Value, kind: Kind) -> Any:
    """Returns the value for a field of a JSON line."""
    if kind is Kind.LIST:
        return list(value or ())  # type: ignore[arg-type]
    if kind is Kind.NUMBER and value is not None:
        return float(value)  # type: ignore[arg-type]
    return value


def from_json(value: Any, column: Column) -> Value:
    """Returns the value of a field of a JSON line, with null as None; raises InvalidCell for invalid values."""
    if value is None and column.optional:
        return None
    if not _IS_OF_KIND[column.kind](value):
        shown = "no value" if value is None else repr(value)[:MAX_SHOWN]
        raise InvalidCell(f"{column.name} must be {_IN_WORDS[column.kind]}, not {shown}")
    if column.kind is Kind.NUMBER:
        return float(value)
    return tuple(value) if column.kind is Kind.LIST else value


def csv_header(columns: Sequence[Column]) -> str:
    return ",".join(column.name for column in columns) + "\n"


def csv_row(values: Sequence[Value], columns: Sequence[Column]) -> str:
    """Returns a line of a CSV file as in RFC 4180, but with a bare line feed at its end."""
    return ",".join([to_cell(value, column.kind) for value, column in zip(values, columns, strict=True)]) + "\n"


def json_row(values: Sequence[Value], columns: Sequence[Column]) -> str:
    fields = {column.name: to_json(value, column.kind) for value, column in zip(values, columns, strict=True)}
    return _json(fields) + "\n"


MAX_SHOWN = 60
"""Maximum characters of an invalid value echoed in an error."""


def _without_formula(text: str) -> str:
    """Adds an apostrophe to text a spreadsheet would evaluate, or that looks as if it had been given one."""
    return f"'{text}" if _FORMULA.match(text) else text


def _quoted(cell: str) -> str:
    return '"' + cell.replace('"', '""') + '"' if _NEEDS_QUOTES.search(cell) else cell


def _json(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def _read_list(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def _is_text(value: Any) -> bool:
    """True if it can be stored: a lone surrogate can't be encoded as UTF-8."""
    return isinstance(value, str) and _can_read(str.encode, value)


def _is_integer(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) <= LARGEST_INTEGER


def _is_number(value: Any) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    try:
        return math.isfinite(float(value))
    except OverflowError:
        return False


def _is_day(value: Any) -> bool:
    return isinstance(value, str) and _DAY.fullmatch(value) is not None and _can_read(date.fromisoformat, value)


def _is_timestamp(value: Any) -> bool:
    return (
        isinstance(value, str) and _TIMESTAMP.fullmatch(value) is not None and _can_read(datetime.fromisoformat, value)
    )


def _can_read(read: Callable[[str], object], text: str) -> bool:
    try:
        read(text)
    except ValueError:
        return False
    return True


_IS_OF_KIND: dict[Kind, Callable[[Any], bool]] = {
    Kind.TEXT: _is_text,
    Kind.INTEGER: _is_integer,
    Kind.NUMBER: _is_number,
    Kind.BOOLEAN: lambda value: isinstance(value, bool),
    Kind.DAY: _is_day,
    Kind.TIMESTAMP: _is_timestamp,
    Kind.LIST: lambda value: isinstance(value, list) and all(map(_is_text, value)),
}
_IN_WORDS = {
    Kind.TEXT: "text",
    Kind.INTEGER: "a whole number",
    Kind.NUMBER: "a number",
    Kind.BOOLEAN: "true or false",
    Kind.DAY: "a day (2026-01-31)",
    Kind.TIMESTAMP: "a timestamp in UTC (2026-01-31T12:00:00.000Z)",
    Kind.LIST: "a list of texts",
}
