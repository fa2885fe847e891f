"""Builds the data dictionary of an archive: its README, generated from the file definitions."""

from functions.record.files.tables import (
    FORMAT_VERSION,
    MANIFEST,
    RECOMPUTE,
    TABLE_FILES,
    Column,
    FileFormat,
    Kind,
    TableFile,
)
from functions.record.prices.market import BEFORE_A_CALL

KINDS = {
    Kind.TEXT: "text",
    Kind.INTEGER: "whole number",
    Kind.NUMBER: "number, with all its digits",
    Kind.BOOLEAN: "`true` or `false`",
    Kind.DAY: "day, `2026-01-31`",
    Kind.TIMESTAMP: "timestamp in UTC, `2026-01-31T12:00:00.000Z`",
    Kind.LIST: "list of texts, as JSON",
}
FORMATS = {
    FileFormat.CSV: """CSV after RFC 4180: UTF-8 without a byte order mark, commas, a line feed after each line, and
quotes where a cell needs them. The first line holds the names of the columns.

- An empty cell is no value. Where a text may be without a value, an empty text is the same.
- A text that begins with `=`, `+`, `-` or `@` (also in full width), a tab or a line break has an apostrophe before it,
  so that no spreadsheet takes it for a formula; a text that begins with apostrophes before such a character has one
  more. Take one away, and the text is as it was. Numbers are left as they are.
- A list is a JSON array in one cell.""",
    FileFormat.JSONL: "JSON Lines: UTF-8, one object a line, with every column as a field, and `null` for no value.",
}


def data_dictionary(file_format: FileFormat) -> str:
    tables = "\n".join(_table(table, file_format) for table in TABLE_FILES)
    kinds = "\n".join(f"| {kind} | {sentence} |" for kind, sentence in KINDS.items())
    return f"""# The record of YouTube finance channels

What these channels said of which stock and when, the prices, and what became of each call, in format {FORMAT_VERSION}.
`{MANIFEST}` says when it was made and with which benchmark, and how many rows each file has.

A *mention* is what a video says of a stock. A *call* is a mention with a side: a buy or a sell that nobody rejected.

## Check the figures

```
python {RECOMPUTE}
```

in this folder, or `python {RECOMPUTE} ARCHIVE.zip` anywhere, computes every figure of `scorecards` and `calls` again,
from `channels`, `videos`, `mentions` and `prices`. It needs Python 3.9 or newer and nothing else, prints the archive's
figures beside its own, and exits with 1 if any differs. It shares no code with the product.

A channel is scored with the closes from {BEFORE_A_CALL.days} days before its oldest call on. Each stock was read once,
with its closes, and all calls and scorecards rest on what was read.

## The files

{FORMATS[file_format]}

| Kind | Means |
|---|---|
{kinds}

Rows are in a fixed order: two archives of the same data are the same except for the timestamp in `{MANIFEST}`.

{tables}"""


def _table(table: TableFile, file_format: FileFormat) -> str:
    key = " and ".join(f"`{name}`" for name in table.key)
    derived = " It is computed from the other files." if table.derived else ""
    columns = "\n".join(map(_column, table.columns))
    return f"""### {table.file_name(file_format)}

{table.description}. No two rows have the same {key}.{derived}

| Column | Kind | Holds |
|---|---|---|
{columns}
"""


def _column(column: Column) -> str:
    kind = f"{column.kind}, or none" if column.optional else column.kind
    return f"| `{column.name}` | {kind} | {column.description} |"
