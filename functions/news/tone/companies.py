"""Finds the companies in a headline: the one it is read for, and others."""

import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import islice

from functions.news.tone.lexicon import word_list
from functions.news.tone.text import NUMBER, OTHER, SUBJECT, Piece, is_title_case, mark, pieces_of
from functions.reading.listings import DATA, all_listings, listing

Names = Mapping[str, Sequence[tuple[str, ...]]]
"""By first word, the longest first."""

MAX_ABOUT = 100
LARGEST = 1_000
"""Companies, by size, that are known by their listed names."""
SHORTEST_FIRST_WORD = 4
"""Minimum letters: shorter first words of names are too often ordinary words."""
_LARGE = frozenset({"large"})
_ORDINARY = frozenset({"word", "capitals", "brand"}) | _LARGE
"""Kinds of aliases (see aliases.csv) that are words as well as names; `large` ones are so even in plain sentences."""


def mark_companies(pieces: list[Piece], about: str | None) -> list[Piece]:
    """The pieces with `§` for the company it is about, where one is given, and `¤` for others."""
    if about and about.strip():
        pieces = mark(pieces, SUBJECT, _mentions(pieces, _names_of(about[:MAX_ABOUT]), _ticker_in(about)))
    if any(piece.key == SUBJECT for piece in pieces):
        title_case = is_title_case(pieces)
        pieces = mark(pieces, OTHER, _mentions(pieces, _well_known(title_case)))
        pieces = [Piece(OTHER, piece.spelling) if piece.key in word_list("others") else piece for piece in pieces]
    return pieces


def _mentions(pieces: Sequence[Piece], names: Names, ticker: str | None = None) -> Iterator[tuple[int, int]]:
    keys = [_key(piece) for piece in pieces]
    small = not any(piece.spelling[0].isupper() for piece in pieces)
    index = 0
    while index < len(pieces):
        spelling = pieces[index].spelling
        length = 0
        if small or any(character.isupper() or character.isdigit() for character in spelling):
            fitting = (name for name in names.get(keys[index], ()) if tuple(keys[index : index + len(name)]) == name)
            length = len(next(fitting, ()))
        if not length and ticker and spelling == ticker:
            length = 1
        if length:
            yield index, length
        index += length or 1


@lru_cache(maxsize=1_024)
def _names_of(about: str) -> Names:
    words = _core(_words(about))
    ticker = _tickers_by_alias().get(words) or about.strip().upper()
    names = {words, _core(words[:1] if _tells(words) else ())}
    if found := listing(ticker):
        listed = _core(_words(found.name))
        names |= {listed, *(_core(_words(name)) for name in found.spoken)}
        if found.telling_first_word:
            names.add(listed[:1])
        names.update(name for name in _aliases() if _tickers_by_alias()[name] == found.ticker)
    if len(words) == 1 and about.strip() == _ticker_in(about):
        # Tickers match case-sensitively: `IT` isn't the pronoun.
        names.discard(words)
    return _indexed(name for name in names if name)


def _ticker_in(about: str) -> str | None:
    word = about.strip()[:MAX_ABOUT]
    return word if word.isupper() and len(word.split()) == 1 else None


def _tells(words: tuple[str, ...]) -> bool:
    return len(words) > 1 and len(words[0]) >= SHORTEST_FIRST_WORD and words[0] not in word_list("common first words")


@cache
def _well_known(title_case: bool) -> Names:
    """Companies whose names are known without a list of all; in title case only names that are no ordinary words."""
    unclear = _ORDINARY if title_case else _LARGE
    return _indexed({*_largest(), *(name for name, kind in _aliases().items() if kind not in unclear)})


def _largest() -> Iterator[tuple[str, ...]]:
    """The names of the largest companies, as far as they are no ordinary words."""
    for found in islice(all_listings().values(), LARGEST):
        name = _core(_words(found.name))
        if name and not found.word_name:
            yield name[:1] if found.telling_first_word else name


@cache
def _aliases() -> dict[tuple[str, ...], str]:
    return {words: row["kind"] for row in _alias_rows() for words in map(_words, row["names"].split("|")) if words}


@cache
def _tickers_by_alias() -> dict[tuple[str, ...], str]:
    return {words: row["ticker"] for row in _alias_rows() for words in map(_words, row["names"].split("|")) if words}


@cache
def _alias_rows() -> list[dict[str, str]]:
    with (DATA / "aliases.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def _indexed(names: Iterable[tuple[str, ...]]) -> Names:
    index: dict[str, list[tuple[str, ...]]] = {}
    for name in sorted(names, key=lambda name: (-len(name), name)):
        index.setdefault(name[0], []).append(name)
    return index


def _words(name: str) -> tuple[str, ...]:
    return tuple(_key(piece) for piece in pieces_of(name) if piece.spelling[0].isalnum())


def _core(words: tuple[str, ...]) -> tuple[str, ...]:
    """Removes legal forms: `nvidia` for NVIDIA Corp."""
    core = words[1:] if words[:1] == ("the",) else words
    while len(core) > 1 and core[-1] in word_list("legal forms"):
        core = core[:-1]
    return core


def _key(piece: Piece) -> str:
    return piece.spelling.lower() if piece.key == NUMBER else piece.key
