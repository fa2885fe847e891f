"""Streams the rows of a `mysqldump` file. Nothing in it is executed: statements are only recognised."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice

from functions.transfers.imports.problems import FileRefused, Place
from functions.transfers.imports.texts import Readable, decoded_chunks

MAX_PIECE = 16 * 1024 * 1024
"""Maximum characters of a row, a comment or a table definition: MySQL's own default packet limit."""
CHARACTERS_AT_ONCE = 1024 * 1024
MAX_COLUMNS = 4096
"""Maximum columns of a MySQL table."""
LONGEST_NAME = 256
"""Maximum characters of a quoted column name; what follows the name is skipped."""
LONGEST_START = 512 * 1024
"""Maximum characters of a statement before its rows: column names have at most 64 characters."""

_STRING = r"'[^'\\]*+(?:(?:\\.|'')[^'\\]*+)*+'"
_QUOTED = r"`(?:[^`]|``)*+`"
_NAME = rf"(?:{_QUOTED}|[\w$]++)"
_COMMENT = r"(?:--(?=[\s])[^\n]*+(?:\n|\Z)|--\n|\#[^\n]*+(?:\n|\Z)|/\*(?:[^*]|\*(?!/))*+\*/)"
_GAP = re.compile(rf"(?:\s++|;|{_COMMENT})*+")
_INSIDE_GAP = re.compile(rf"(?:\s++|{_COMMENT})*+")
_INSERT = re.compile(
    rf"(?:INSERT|REPLACE)\s+(?:(?:LOW_PRIORITY|DELAYED|HIGH_PRIORITY|IGNORE)\s+)*(?:INTO\s+)?"
    rf"(?:{_NAME}\s*\.\s*)?(?P<table>{_NAME})\s*(?:\((?P<columns>[^()]*+)\)\s*)?VALUES?\s*(?=\()",
    re.IGNORECASE,
)
_CREATE = re.compile(
    rf"CREATE\s+TABLE\s+(?:IF\s+NOT\s+EXISTS\s+)?(?:{_NAME}\s*\.\s*)?(?P<table>{_NAME})\s*\(", re.IGNORECASE
)
_KEYWORD = re.compile(r"[A-Za-z_]++")
_SKIPPED = re.compile(
    rf"(?:[^'\"`;/#\-]++|{_STRING}|\"(?:[^\"\\]|\\.|\"\")*+\"|{_QUOTED}|{_COMMENT}|[/#\-])*+;", re.DOTALL
)
_VALUE = (
    rf"(?:_[a-z0-9]+\s*)?{_STRING}|NULL\b|0x[0-9A-Fa-f]*+|[xX]'[0-9A-Fa-f]*+'|[bB]'[01]{0, 64}+'"
    r"|[+-]?(?:\d++(?:\.\d*+)?|\.\d++)(?:[eE][+-]?\d++)?|TRUE\b|FALSE\b"
)
_ROW = re.compile(rf"\(\s*+(?:(?:{_VALUE})\s*+(?:,\s*+|(?=\))))*+\)", re.DOTALL | re.IGNORECASE)
_VALUES = re.compile(_VALUE, re.DOTALL | re.IGNORECASE)
_COLUMN = re.compile(rf"\s*(?P<name>{_QUOTED})\s")
_PART = re.compile(rf"{_STRING}|{_QUOTED}|\"(?:[^\"\\]|\\.)*+\"|{_COMMENT}|[(),]|[^'\"`(),/#\-]++|[/#\-]", re.DOTALL)
_ESCAPE = re.compile(r"\\(.)|''", re.DOTALL)
_ESCAPED = {"0": "\0", "b": "\b", "n": "\n", "r": "\r", "t": "\t", "Z": "\x1a", "%": "\\%", "_": "\\_"}

Row = tuple[str, Place, dict[str, str | None]]
"""The table name, the row's location, and its values as text by column."""


def rows_of_dump(stream: Readable, name: str, wanted: Mapping[str, object]) -> Iterator[Row]:
    """Yields the rows of the wanted tables, in file order; raises FileRefused if the file cannot be parsed."""
    return _Dump(decoded_chunks(stream, name, CHARACTERS_AT_ONCE), name, wanted).rows()


class _Dump:
    """A window on the file, which advances with each statement and each row."""

    def __init__(self, chunks: Iterator[str], name: str, wanted: Mapping[str, object]) -> None:
        self._chunks = chunks
        self._name = name
        self._wanted = wanted
        self._text = ""
        self._position = 0
        self._line = 1
        self._ended = False
        self._columns: dict[str, list[str]] = {}

    def rows(self) -> Iterator[Row]:
        while True:
            self._skip(_GAP)
            if self._is_at_end():
                return
            if found := self._statement(_INSERT, ("INSERT", "REPLACE")):
                yield from self._inserted(found)
            elif found := self._statement(_CREATE, ("CREATE",)):
                self._define(found)
            else:
                self._require(_SKIPPED, "a statement without an end")

    def _statement(self, pattern: re.Pattern[str], words: Sequence[str]) -> re.Match[str] | None:
        """Consumes the beginning of a statement; None if it is a different one."""
        self._fill(LONGEST_START)
        keyword = _KEYWORD.match(self._text, self._position)
        if not keyword or keyword.group().upper() not in words:
            return None
        found = pattern.match(self._text, self._position)
        if found:
            self._advance(found.end())
        return found

    def _inserted(self, found: re.Match[str]) -> Iterator[Row]:
        table = _name(found["table"])
        listed = found["columns"]
        columns = [_name(each.strip()) for each in listed.split(",")] if listed else self._columns.get(table)
        for number in range(1, 1 << 62):
            place = Place(self._name, self._line, number)
            row = self._require(_ROW, "a row that cannot be understood", place)
            if table in self._wanted:
                yield table, place, self._values(place, row, columns)
            self._skip(_INSIDE_GAP)
            if self._peek() != ",":
                # What may follow, such as ON DUPLICATE KEY UPDATE, isn't a row.
                self._require(_SKIPPED, "an INSERT without an end")
                return
            self._advance(self._position + 1)
            self._skip(_INSIDE_GAP)

    def _values(self, place: Place, row: str, columns: Sequence[str] | None) -> dict[str, str | None]:
        if columns is None:
            raise FileRefused([f"{place}: the columns are not known: no CREATE TABLE comes before this INSERT"])
        # One more than allowed: a row could contain millions of values.
        found = list(islice(_VALUES.finditer(row, 1, len(row) - 1), len(columns) + 1))
        if len(found) > len(columns):
            raise FileRefused([f"{place}: more values than the {len(columns)} columns"])
        if len(found) < len(columns):
            raise FileRefused([f"{place}: {len(found)} values for {len(columns)} columns"])
        values = [_value(each.group()) for each in found]
        return dict(zip(columns, values, strict=True))

    def _define(self, found: re.Match[str]) -> None:
        """Reads the column names of a table, which mysqldump puts in backticks."""
        place = Place(self._name, self._line)
        names: list[str] = []
        depth, part, length = 1, "", 0
        while depth:
            piece = self._require(_PART, "a CREATE TABLE without an end", place)
            length += len(piece)
            if length > MAX_PIECE or len(names) > MAX_COLUMNS:
                raise FileRefused([f"{place}: this CREATE TABLE is longer than any of MySQL"])
            depth += (piece == "(") - (piece == ")")
            if depth == 0 or (depth == 1 and piece == ","):
                if column := _COLUMN.match(part):
                    names.append(_name(column["name"]))
                part = ""
            elif len(part) <= LONGEST_NAME:
                part += piece
        if (table := _name(found["table"])) in self._wanted:
            self._columns[table] = names
        self._require(_SKIPPED, "a CREATE TABLE without an end", place)

    def _require(self, pattern: re.Pattern[str], problem: str, place: Place | None = None) -> str:
        """Consumes the next piece of text."""
        place = place or Place(self._name, self._line)
        found = self._match(pattern)
        if found is None or found.end() == self._position:
            longer = f", or longer than {MAX_PIECE:,} characters" if not self._ended else ""
            raise FileRefused([f"{place}: {problem}{longer}"])
        self._advance(found.end())
        return found.group()

    def _skip(self, pattern: re.Pattern[str]) -> None:
        while (found := self._match(pattern)) and found.end() > self._position:
            self._advance(found.end())

    def _match(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """Matches a whole token: one that ends with the window may continue after it."""
        while True:
            found = pattern.match(self._text, self._position)
            if self._ended or (found and found.end() < len(self._text)):
                return found
            if len(self._text) - self._position > MAX_PIECE:
                # Only what may be skipped in parts can be longer.
                return found
            self._fill(len(self._text) - self._position + CHARACTERS_AT_ONCE)

    def _peek(self) -> str:
        self._fill(1)
        return self._text[self._position : self._position + 1]

    def _is_at_end(self) -> bool:
        return not self._peek()

    def _fill(self, wanted: int) -> None:
        """Fills the window to at least this many characters, if the file has them."""
        size = len(self._text) - self._position
        if size >= wanted or self._ended:
            return
        parts = [self._text[self._position :]]
        while size < wanted and not self._ended:
            chunk = next(self._chunks, None)
            if chunk is None:
                self._ended = True
            else:
                parts.append(chunk)
                size += len(chunk)
        self._text, self._position = "".join(parts), 0

    def _advance(self, position: int) -> None:
        self._line += self._text.count("\n", self._position, position)
        self._position = position


def _name(text: str) -> str:
    return text[1:-1].replace("``", "`") if text.startswith("`") else text


def _value(text: str) -> str | None:
    reader = _READERS.get(text[:1])
    return reader(text) if reader else text


def _text_value(text: str) -> str:
    """Removes the quotes, the escapes and a preceding character set name."""
    content = text[text.index("'") + 1 : -1]
    return _ESCAPE.sub(_unescaped, content) if "\\" in content or "''" in content else content


def _unescaped(found: re.Match[str]) -> str:
    character = found[1]
    return "'" if character is None else _ESCAPED.get(character, character)


def _hexadecimal(digits: str) -> str:
    """Decodes bytes; those that are not UTF-8 become surrogates, which no valid text contains."""
    return bytes.fromhex(digits.zfill(len(digits) + len(digits) % 2)).decode(errors="surrogateescape")


def _zero(text: str) -> str:
    return _hexadecimal(text[2:]) if text[:2] in ("0x", "0X") else text


_READERS: dict[str, Callable[[str], str | None]] = {
    "'": _text_value,
    "_": _text_value,
    **dict.fromkeys("nN", lambda _: None),
    "0": _zero,
    **dict.fromkeys("xX", lambda text: _hexadecimal(text[2:-1])),
    **dict.fromkeys("bB", lambda text: str(int(text[2:-1] or "0", 2))),
    **dict.fromkeys("tT", lambda _: "1"),
    **dict.fromkeys("fF", lambda _: "0"),
}
