"""Parses RSS and Atom safely: a feed with a document type or its own entities is refused.

expat reports the entries one by one, so that those before an error are kept. defusedxml would refuse the same
constructs on top of the same expat, but add a package to the layer.
"""

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from xml.parsers import expat

from functions.runtime.clock import timestamp

MAX_ENTRIES = 200
MAX_TEXT = 20_000
"""Maximum characters of a field."""
MAX_DEPTH = 50
_ENTRIES = ("item", "entry")
_DECLARED = re.compile(rb"""^\s*<\?xml[^>]{0,100}?encoding\s*=\s*["']([\w.:-]{1,40})["']""")
_TIME_OF_DAY = re.compile(r"\d[Tt]\d\d|\s\d{1,2}[:.]\d\d")
_IN_CONTENT_TYPE = re.compile(r"charset\s*=\s*\"?([\w.:-]{1,40})", re.IGNORECASE)
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
"""Some encodings can produce surrogates, which the parser rejects."""


@dataclass
class Entry:
    """The text of each field of an item, by its name without a prefix."""

    fields: dict[str, str] = field(default_factory=dict)
    categories: list[str] = field(default_factory=list)

    @property
    def url(self) -> str:
        return self._first("link", "guid", "id")

    @property
    def text(self) -> str | None:
        return self._first("description", "summary", "encoded", "content") or None

    @property
    def published_at(self) -> str | None:
        """An ISO 8601 timestamp; None if there is none that can be parsed."""
        for name in ("pubDate", "published", "updated", "date"):
            if published := _parse_timestamp(self.fields.get(name, "")):
                return published
        return None

    def _first(self, *names: str) -> str:
        return next((self.fields[name].strip() for name in names if self.fields.get(name, "").strip()), "")


@dataclass(frozen=True, slots=True)
class Entries:
    found: list[Entry]
    problem: str | None
    """The reason why the rest could not be read."""


class _Refused(Exception):
    """The feed contains constructs that no legitimate feed needs."""


class _Enough(Exception):
    """The requested number of entries has been read."""


def read_entries(content: bytes, content_type: str = "") -> Entries:
    """Returns the entries of a feed, as many as could be read."""
    reader = _Reader()
    try:
        reader.read(_decoded(content, content_type))
    except _Enough:
        pass
    except expat.ExpatError as problem:
        return Entries(reader.entries, f"it is no well-formed XML ({expat.ErrorString(problem.code)})")
    except _Refused as problem:
        return Entries(reader.entries, str(problem))
    return Entries(reader.entries, None if reader.is_feed else "it is neither RSS nor Atom")


class _Reader:
    def __init__(self) -> None:
        self.entries: list[Entry] = []
        self.is_feed = False
        self._path: list[str] = []
        self._entry: Entry | None = None
        self._parser = expat.ParserCreate()
        self._parser.buffer_text = True
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._text
        self._parser.StartDoctypeDeclHandler = self._refuse
        self._parser.EntityDeclHandler = self._refuse
        self._parser.ExternalEntityRefHandler = self._refuse

    def read(self, text: str) -> None:
        self._parser.Parse(text, True)

    def _refuse(self, *_: object) -> int:
        raise _Refused("it has a document type or entities of its own")

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        local = name.rpartition(":")[2]
        if not self._path:
            self.is_feed = local in ("rss", "feed", "RDF")
        self._path.append(local)
        if len(self._path) > MAX_DEPTH:
            raise _Refused("it is nested too deeply")
        if self._entry is None:
            self._entry = Entry() if local in _ENTRIES else None
            return
        if local == "link" and attributes.get("rel", "alternate") == "alternate" and attributes.get("href"):
            self._entry.fields.setdefault("link", attributes["href"][:MAX_TEXT])
        if local == "category" and attributes.get("term"):
            self._entry.categories.append(attributes["term"][:100])

    def _end(self, name: str) -> None:
        local = self._path.pop()
        if self._entry is not None and local in _ENTRIES:
            self.entries.append(self._entry)
            self._entry = None
            if len(self.entries) == MAX_ENTRIES:
                raise _Enough

    def _text(self, text: str) -> None:
        if self._entry is None or len(self._path) == 1:
            return
        name = self._path[-1] if self._path[-2] in _ENTRIES else f"{self._path[-2]}/{self._path[-1]}"
        before = self._entry.fields.get(name, "")
        if len(before) < MAX_TEXT:
            self._entry.fields[name] = before + text[: MAX_TEXT - len(before)]


def _decoded(content: bytes, content_type: str) -> str:
    """Decodes a feed by its actual encoding, since many feeds declare a wrong one."""
    for encoding in _encodings(content, content_type):
        with suppress(LookupError, UnicodeError, ValueError):
            return _NOT_XML.sub(" ", content.decode(encoding))
    return _NOT_XML.sub(" ", content.decode("cp1252", "replace"))


def _encodings(content: bytes, content_type: str) -> Iterator[str]:
    if content.startswith(b"\xef\xbb\xbf"):
        yield "utf-8-sig"
    if content[:2] in (b"\xff\xfe", b"\xfe\xff"):
        yield "utf-16"
    # Text in another encoding is hardly ever valid UTF-8.
    yield "utf-8"
    if declared := _DECLARED.match(content):
        yield declared.group(1).decode()
    if named := _IN_CONTENT_TYPE.search(content_type):
        yield named.group(1)


def _parse_timestamp(text: str) -> str | None:
    """Parses RSS (e-mail format) and Atom (ISO 8601) timestamps; the default zone is UTC.

    Rejects a date without a time: at midnight, a story of the evening would precede a call of the morning.
    """
    parsed: datetime | None = None
    if not _TIME_OF_DAY.search(text):
        return None
    with suppress(ValueError, TypeError, OverflowError):
        parsed = parsedate_to_datetime(text.strip())
    if parsed is None:
        with suppress(ValueError):
            parsed = datetime.fromisoformat(text.strip())
    if parsed is None:
        return None
    with suppress(OverflowError, ValueError):
        return timestamp(parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC))
    return None
