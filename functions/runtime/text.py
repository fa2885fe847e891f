"""Makes untrusted text safe to show on one line or to use as a link."""

import unicodedata
from collections.abc import Sequence
from urllib.parse import urlsplit

_LINE_BREAKING_CATEGORIES = {"Cc", "Cs", "Zl", "Zp"}
"""Control characters, surrogates, line and paragraph separators."""
_INVISIBLE_CATEGORIES = {"Cc", "Cf", "Cs", "Mn", "Me", "Zl", "Zp", "Zs"}
_BLANKS = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Fillers and the empty Braille pattern, which Unicode classifies as letters and symbols."""
MAX_ADDRESS_LENGTH = 2048
EMAIL = r"^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9-]{1,63}(\.[A-Za-z0-9-]{1,63})+$"
MAX_EMAIL_LENGTH = 254
_BIDI_CONTROLS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Bidirectional controls, which change where the text after them appears in the line."""


def one_line(text: str, max_length: int) -> str:
    """Returns the text on a single line, truncated to the maximum length."""
    line = " ".join("".join(map(_printable, text)).split())
    return line if len(line) <= max_length else line[: max_length - 1].rstrip() + "…"


def is_visible(text: str) -> bool:
    """True if it contains more than spaces, controls, combining marks and zero-width characters."""
    return any(unicodedata.category(each) not in _INVISIBLE_CATEGORIES and each not in _BLANKS for each in text)


def cut_to(text: str, max_length: int) -> str:
    """Truncates a text after the last whole word that fits."""
    if len(text) <= max_length:
        return text
    end = max_length
    while end and not text[end].isspace():
        end -= 1
    return text[:end].rstrip() or text[:max_length]


def web_address(text: object) -> str | None:
    """Returns the text if it is an http or https URL, else None, so that no `javascript:` link is stored."""
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
    """Joins texts for a sentence: the first twenty, and the number of the rest."""
    more = len(texts) - MAX_LISTED
    return ", ".join(texts[:MAX_LISTED]) + (f" and {more} more" if more > 0 else "")
