"""Makes text from outside safe to show on one line, or to follow as a link."""

import unicodedata
from collections.abc import Sequence
from urllib.parse import urlsplit

_LINE_BREAKING_CATEGORIES = {"Cc", "Cs", "Zl", "Zp"}
"""Control characters, surrogates, line and paragraph separators."""
_INVISIBLE_CATEGORIES = {"Cc", "Cf", "Cs", "Mn", "Me", "Zl", "Zp", "Zs"}
_BLANKS = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Fillers and the empty Braille pattern, which Unicode counts as letters and symbols."""
MAX_ADDRESS_LENGTH = 2048
EMAIL = r"^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9-]{1,63}(\.[A-Za-z0-9-]{1,63})+$"
MAX_EMAIL_LENGTH = 254
_BIDI_CONTROLS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Bidirectional controls: they make the text after them appear elsewhere in the line."""


def one_line(text: str, max_length: int) -> str:
    """The text on a single line, truncated to the maximum length."""
    line = " ".join("".join(map(_printable, text)).split())
    return line if len(line) <= max_length else line[: max_length - 1].rstrip() + "…"


def is_visible(text: str) -> bool:
    """Whether it has anything to see: not only spaces, controls, marks without a letter and characters of no width."""
    return any(unicodedata.category(each) not in _INVISIBLE_CATEGORIES and each not in _BLANKS for each in text)


def cut_to(text: str, max_length: int) -> str:
    """The beginning of a text, up to the last whole word that fits."""
    if len(text) <= max_length:
        return text
    end = max_length
    while end and not text[end].isspace():
        end -= 1
    return text[:end].rstrip() or text[:max_length]


def web_address(text: object) -> str | None:
    """The address if it is an http or https URL, else None, so that no `javascript:` link is stored."""
    if not isinstance(text, str) or len(text) > MAX_ADDRESS_LENGTH or not text.isprintable() or " " in text:
        return None
    try:
        parts = urlsplit(text)
    except ValueError:
        return None
    return text if parts.scheme in ("http", "https") and parts.hostname else None


def _printable(character: str) -> str:
    unwanted = unicodedata.category(character) in _LINE_BREAKING_CATEGORIES or character in _BIDI_CONTROLS
    return " " if unwanted else character


MAX_LISTED = 20


def some_of(texts: Sequence[str]) -> str:
    """A list in a sentence: the first twenty, and how many more there are."""
    more = len(texts) - MAX_LISTED
    return ", ".join(texts[:MAX_LISTED]) + (f" and {more} more" if more > 0 else "")
