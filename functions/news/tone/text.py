"""Tokenises a headline for the rules and marks the companies in it."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

MAX_CHARACTERS = 1_000
"""Maximum characters read, to bound the time per headline: the title and its first sentences."""
SUBJECT, OTHER, NUMBER = "§", "¤", "#"
"""The company that the headline is about, another company, and a number or a sum."""
ABBREVIATIONS = frozenset({"co", "corp", "dr", "inc", "jr", "ltd", "mr", "mrs", "ms", "no", "st", "vs"})
"""A full stop after one of these doesn't end a sentence."""
BREAKS = frozenset(",;:.!?-|")
TITLE_CASE = 0.7
"""Share of capitalised words from which a capital letter isn't significant."""

_PIECE = re.compile(
    r"(?P<sign>(?<![\w$])[+\u2212-])?(?P<number>[$€£¥]?\d[\w.,/]*%?"
    r"(?: (?:billion|million|trillion|percent|pct|points?|bn|mln)(?!\w))?)"
    r"|(?P<word>(?:[^\W\d_]\.){2,}|[^\W\d_]+(?:[.&'\u2019][^\W_]+)*)"
    r"|(?P<break>[,;:!?|\u2013\u2014]|\.(?=\s|$)|(?<=\s)-+(?=\s))"
)


@dataclass(frozen=True, slots=True)
class Piece:
    """A word, a number or a mark between clauses."""

    key: str
    """The lexicon's spelling: lower case, no possessive; a punctuation mark, or one of the signs above."""
    spelling: str


def pieces_of(text: str) -> list[Piece]:
    pieces: list[Piece] = []
    for match in _PIECE.finditer(text[:MAX_CHARACTERS]):
        piece = _piece(match)
        if piece.key != "." or not pieces or pieces[-1].key not in ABBREVIATIONS:
            pieces.append(piece)
    return pieces


def is_title_case(pieces: Iterable[Piece]) -> bool:
    words = [piece.spelling for piece in pieces if len(piece.spelling) > 3 and piece.spelling.isalpha()]
    return sum(word[0].isupper() for word in words) >= TITLE_CASE * max(len(words), 1)


def mark(pieces: Sequence[Piece], sign: str, lengths: Iterator[tuple[int, int]]) -> list[Piece]:
    """Replaces each span (ordered, not overlapping) with one sign."""
    marked: list[Piece] = []
    end = 0
    for first, length in lengths:
        marked += pieces[end:first]
        marked.append(Piece(sign, " ".join(piece.spelling for piece in pieces[first : first + length])))
        end = first + length
    return [*marked, *pieces[end:]]


def _piece(match: re.Match[str]) -> Piece:
    spelling = match[0]
    if match["number"]:
        sign = {"+": "+", None: ""}.get(match["sign"], "-") if spelling.endswith("%") else ""
        return Piece(sign + NUMBER, spelling)
    if match["break"]:
        return Piece("-" if spelling in "\u2013\u2014" or spelling[0] == "-" else spelling, spelling)
    key = spelling.lower().replace("\u2019", "'").rstrip(".")
    return Piece(key[:-2] if key.endswith("'s") and key != "here's" else key, spelling)
