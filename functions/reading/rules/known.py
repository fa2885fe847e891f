"""The names the analyst knows: of shares, from the listings and aliases, and of other assets."""

import csv
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache, lru_cache

from functions.reading.listings import DATA, Listing, all_listings, departed_listings
from functions.reading.rules import vocabulary
from functions.reading.rules.text import WORD

LEGAL_FORMS = vocabulary.words("legal forms")
OTHER_ASSETS = vocabulary.names("other assets")
"""Assets that aren't US-listed shares: advice about them must not be attributed to a stock."""
SOUNDALIKES = vocabulary.words("ordinary words that sound like a name", "soundalikes.txt") | vocabulary.words(
    "people and things that sound like a name"
)
SHORTEST = 5
"""Minimum letters: too many shorter words sound alike."""
SILENT_STARTS = re.compile(r"^(?:pn|kn|gn|ps|wr)")
SPELLINGS = (
    (re.compile(r"ph"), "f"),
    (re.compile(r"gh(?=t|$)"), ""),
    (re.compile(r"(?<!^)x"), "ks"),
    (re.compile(r"^x"), "s"),
    (re.compile(r"c(?=[eiy])"), "s"),
    (re.compile(r"sch|tch|ch|sh|ti(?=on)|ci(?=a)"), "j"),
    (re.compile(r"dg"), "j"),
)
SAME_SOUND = str.maketrans("bcdgqvz", "pktkkfs", "aeiouyhw")
REPEATED = re.compile(r"(.)\1+")
SHORTEST_SOUND = 3
AMBIGUOUS = frozenset({"among"})
"""Kinds of names that several companies may share."""
SHORTEST_IN_TWO = 7
"""Minimum letters of a name split in two: two shorter words match by chance."""
WELL_KNOWN = 1_000
"""Number of companies, by size, whose names are also matched in other spellings."""


@dataclass(frozen=True, slots=True)
class Name:
    words: tuple[str, ...]
    ticker: str | None
    """None for anything that isn't a listed share."""
    kind: str
    """`name`, `other`, or a kind of aliases.csv."""
    unless: tuple[str, ...] = ()
    near: tuple[str, ...] = ()
    """Words of which one must occur nearby, for the kind `among`."""
    earlier: str | None = None
    """The delisted share that had this name before."""


@cache
def known_names() -> dict[str, dict[str, tuple[Name, ...]]]:
    """Names by first and second word (empty for names of one word), the longest first."""
    names: dict[tuple[str, ...], Name] = {}
    among = [name for name in _aliases() if name.kind in AMBIGUOUS]
    for name in (*_other_assets(), *_aliases(), *_names(all_listings())):
        if name.kind not in AMBIGUOUS:
            names.setdefault(name.words, name)
    for name in _names(departed_listings()):
        same = names.setdefault(name.words, name)
        names[name.words] = same if same is name else replace(same, earlier=name.ticker)
    index: dict[str, dict[str, tuple[Name, ...]]] = {}
    for name in sorted((*among, *names.values()), key=lambda name: -len(name.words)):
        second = name.words[1] if len(name.words) > 1 else ""
        group = index.setdefault(name.words[0], {})
        group[second] = (*group.get(second, ()), name)
    return index


@cache
def written_without_apostrophe() -> frozenset[str]:
    """Names with an apostrophe, spelled without it: `kohls`."""
    listed = (word for known in all_listings().values() if "'" in known.name for word in _core_words(known.name)[:1])
    # `up's` doesn't mean UPS, whose name equals its ticker.
    return frozenset((*listed, *(name.words[0] for name in _aliases() if name.words[0] != (name.ticker or "").lower())))


@lru_cache(maxsize=8_192)
def means_a_company(word: str) -> Name | None:
    """Returns the well-known company that a word names in any context."""
    for name in known_names().get(word, {}).get("", ()):
        if name.kind in {"name", "brand", "heard"} and name.ticker in well_known():
            return name
    return None


def is_possessive(word: str) -> bool:
    """`apple's`; but `mcdonald's` and `moody's` are the names themselves."""
    if not word.endswith("'s"):
        return False
    return means_a_company(word.replace("'", "")) is None or means_a_company(word[:-2]) is not None


@lru_cache(maxsize=8_192)
def heard_as(word: str) -> Name | None:
    """Returns the well-known name that a word sounds like, if the word isn't a name itself."""
    if len(word) < SHORTEST or word in SOUNDALIKES or not word.isalpha():
        return None
    if any(name.kind not in AMBIGUOUS for name in known_names().get(word, {}).get("", ())):
        return None
    alternatives = [name for name in names_by_sound().get(sound(word), ()) if alike(word, name.words[0])]
    return alternatives[0] if len({name.ticker for name in alternatives}) == 1 else None


def written_in_two(word: str, following: str) -> Name | None:
    """Returns the well-known company whose name captions have split in two: `crowd strike`."""
    name = means_a_company(word + following)
    return name if name and len(name.words[0]) >= SHORTEST_IN_TWO else None


@cache
def with_alias() -> frozenset[str | None]:
    return frozenset(name.ticker for name in _aliases())


@cache
def other_meanings() -> dict[str, tuple[str, ...]]:
    """Words next to which a ticker means something else, by ticker."""
    return {row["ticker"]: _split(row["unless"]) for row in _alias_rows() if row["kind"] == "not"}


@cache
def well_known() -> frozenset[str | None]:
    departed = (key for key, share in departed_listings().items() if share.well_known)
    return frozenset((*list(all_listings())[:WELL_KNOWN], *departed, *with_alias()))


@cache
def names_by_sound() -> dict[str, tuple[Name, ...]]:
    index: dict[str, tuple[Name, ...]] = {}
    for first, group in known_names().items():
        for name in group.get("", ()):
            if name.kind in {"name", "brand"} and name.ticker in well_known() and len(first) >= SHORTEST - 1:
                key = sound(first)
                if len(key) >= SHORTEST_SOUND:
                    index[key] = (*index.get(key, ()), name)
    return index


def _other_assets() -> list[Name]:
    return [Name(_name_words(phrase), None, "other") for phrase in OTHER_ASSETS]


@cache
def _alias_rows() -> tuple[dict[str, str], ...]:
    with (DATA / "aliases.csv").open(encoding="utf-8", newline="") as file:
        return tuple(csv.DictReader((line for line in file if not line.startswith("#")), restval=""))


def _split(field: str) -> tuple[str, ...]:
    return tuple(filter(None, field.split("|")))


def _aliases() -> list[Name]:
    return [
        Name(
            _name_words(alias),
            row["ticker"],
            row["kind"] or "name",
            _split(row["unless"]),
            _split(row["near"].replace("'s", "")),
        )
        for row in _alias_rows()
        for alias in _split(row["names"])
    ]


def _names(listings: Mapping[str, Listing]) -> list[Name]:
    names = []
    first_words: dict[str, list[str]] = {}
    for known in listings.values():
        words = _core_words(known.name)
        if not words or sum(map(len, words)) < 4:
            continue
        names += [Name(said, known.ticker, _kind(known, said)) for said in (words, *map(_name_words, known.spoken))]
        if known.telling_first_word:
            first_words.setdefault(words[0], []).append(known.ticker)
    names += [Name((word,), tickers[0], "name") for word, tickers in first_words.items() if len(tickers) == 1]
    return names


def _kind(known: Listing, said: tuple[str, ...]) -> str:
    if not known.word_name:
        return "name"
    # aliases.csv covers the ordinary words that mean a listed company, but not a delisted one.
    return "word" if known.well_known and len(said) == 1 else "capitals"


def _core_words(company: str) -> tuple[str, ...]:
    words = list(_name_words(company))
    while words and (words[-1] in LEGAL_FORMS or words[-1] == "and"):
        words.pop()  # wells fargo [and company]
    return tuple(words[1:] if words[:1] == ["the"] else words)


def _name_words(phrase: str) -> tuple[str, ...]:
    found = WORD.findall(phrase.lower().replace("\u2019", "'"))
    return tuple("and" if word == "&" else word.replace("'", "") for word in found)


def sound(word: str) -> str:
    """Returns a phonetic key: its consonants, with similar ones merged, after an `a` for any initial vowel."""
    word = SILENT_STARTS.sub(lambda match: match[0][1], word)
    for spelling, letters in SPELLINGS:
        word = spelling.sub(letters, word)
    start = "a" if word[:1] in "aeiouy" else ""
    return start + REPEATED.sub(r"\1", word.translate(SAME_SOUND))


def differences(one: str, other: str) -> int:
    """The Levenshtein distance of two words."""
    row = list(range(len(other) + 1))
    for number, letter in enumerate(one, 1):
        diagonal, row[0] = row[0], number
        for column, other_letter in enumerate(other, 1):
            diagonal, row[column] = (
                row[column],
                min(row[column] + 1, row[column - 1] + 1, diagonal + (letter != other_letter)),
            )
    return row[-1]


def alike(heard: str, name: str) -> bool:
    """True if captions may have written `heard` for a name with the same sound: the spelling is similar."""
    return differences(heard, name) * 3 <= max(len(heard), len(name))
