"""Values as cells of a CSV file and as fields of a JSON line, and back."""

import csv
import io
import json

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from functions.record.files.cells import InvalidCell, csv_row, from_cell, from_json, json_row, to_cell
from functions.record.files.tables import Column, Kind
from functions.runtime.dynamodb.attributes import Value
from tests.soak import times

TEXTS = st.text(st.characters(exclude_categories=["Cs"]))
HOSTILE = (
    "=1+1",
    "'=1",
    "''@x",
    "-",
    "+49",
    "@sum",
    "\t=1",
    "\r",
    "\n\n",
    "\uff1d1",
    '"',
    '""',
    ",",
    "a\r\nb",
    "'",
    "''",
    "\0",
)
ROW = (
    Column("text", Kind.TEXT, ""),
    Column("maybe", Kind.TEXT, "", optional=True),
    Column("integer", Kind.INTEGER, ""),
    Column("number", Kind.NUMBER, ""),
    Column("figure", Kind.NUMBER, "", optional=True),
    Column("boolean", Kind.BOOLEAN, ""),
    Column("day", Kind.DAY, ""),
    Column("timestamp", Kind.TIMESTAMP, "", optional=True),
    Column("list", Kind.LIST, ""),
)
VALUES = st.tuples(
    TEXTS | st.sampled_from(HOSTILE),
    st.none() | st.sampled_from(HOSTILE),
    st.integers(-(10**15) + 1, 10**15 - 1),
    st.floats(allow_nan=False, allow_infinity=False),
    st.none() | st.floats(allow_nan=False, allow_infinity=False),
    st.booleans(),
    st.dates().map(lambda day: day.isoformat()),
    st.none() | st.datetimes().map(lambda at: at.isoformat(timespec="milliseconds") + "Z"),
    st.lists(TEXTS | st.sampled_from(HOSTILE)).map(tuple),
)


@settings(max_examples=times(short=200, long=20_000))
@given(st.lists(VALUES, max_size=4))
def test_rows_come_back_from_csv_as_they_were(rows: list[tuple[Value, ...]]) -> None:
    text = "".join(csv_row(row, ROW) for row in rows)

    read = csv.reader(io.StringIO(text, newline=""))

    assert [tuple(map(from_cell, cells, ROW)) for cells in read] == rows


@settings(max_examples=times(short=100, long=20_000))
@given(VALUES)
def test_a_row_comes_back_from_json_as_it_was(row: tuple[Value, ...]) -> None:
    line = json_row(row, ROW)

    read = json.loads(line)

    assert line.count("\n") == 1
    assert tuple(from_json(read[column.name], column) for column in ROW) == row


@settings(max_examples=times(short=200, long=20_000))
@given(TEXTS)
@example("=HYPERLINK(0)")
@example("'+1")
@example("\uff0d1")
def test_no_text_begins_as_a_formula_does(text: str) -> None:
    cell = to_cell(text, Kind.TEXT)

    assert not cell.removeprefix('"').startswith(
        ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")
    )


def test_numbers_stay_numbers() -> None:
    assert csv_row((-1.5, None, -3, 0.1), (ROW[3], ROW[4], ROW[2], ROW[3])) == "-1.5,,-3,0.1\n"


def test_what_a_column_cannot_hold_is_refused_with_what_it_holds() -> None:
    refused = {
        Kind.INTEGER: ["", "1.0", "\uff11", "1_000", " 1", "9" * 16, "true"],
        Kind.NUMBER: ["", "nan", "inf", "1e999", "1,5", "0x1", "1_0", "--1"],
        Kind.BOOLEAN: ["", "True", "1", "yes"],
        Kind.DAY: ["", "2026-02-30", "20260131", "2026-01-31T00:00:00Z", "31.01.2026"],
        Kind.TIMESTAMP: ["", "2026-01-31", "2026-01-31T12:00:00", "2026-01-31T25:00:00Z", "2026-01-31T12:00:00+01:00"],
        Kind.LIST: ["", "a", "{}", "[1]", '["a"', '["\\ud800"]', "[" * 10_000],
    }

    for kind, cells in refused.items():
        for cell in cells:
            with pytest.raises(InvalidCell, match=r"^price must be "):
                from_cell(cell, Column("price", kind, ""))
    for value in (None, 1, True, ["a"], "\ud800"):
        with pytest.raises(InvalidCell, match=r"^price must be text, not "):
            from_json(value, Column("price", Kind.TEXT, ""))
    for number in (None, "1", True, float("nan"), 10**400):
        with pytest.raises(InvalidCell, match=r"^price must be a number, not "):
            from_json(number, Column("price", Kind.NUMBER, ""))


def test_an_empty_cell_is_none_where_a_column_may_be_without_a_value() -> None:
    assert from_cell("", Column("name", Kind.TEXT, "", optional=True)) is None
    assert from_cell("", Column("name", Kind.TEXT, "")) == ""
    assert from_cell("", Column("price", Kind.NUMBER, "", optional=True)) is None
