"""Finds the listed share that a ticker and a spoken company name refer to."""

import csv
import re
from datetime import date
from difflib import SequenceMatcher
from functools import cache

from functions.reading.listings import (
    DATA,
    all_listings,
    current_ticker,
    departed_listings,
    earlier_keys,
    former_names,
    is_listed,
    listing,
)

ALIKE = 0.8
"""Minimum similarity of two spellings of one name: captions write Palanteer for Palantir."""
RECOGNISABLE = 0.5
"""Least similarity of a badly misheard name: captions write south future for SoFi, and Pounder for Palantir."""
LEGAL_FORMS = re.compile(
    r"inc|incorporated|corp|corporation|co|company|companies|ltd|limited|plc|llc|lp|sa|nv|ag|se|holdings?|group|the|and"
    r"|class|com|stock|shares?"
)


def share_meant(ticker: str, company: str, day: date | None = None) -> str | None:
    """Returns the key of the share, or None if the ticker belongs to another company, whose price would be wrong."""
    keys = dict.fromkeys((current_ticker(ticker, day), current_ticker(ticker), *earlier_keys(ticker)))
    listed = [key for key in keys if is_listed(key, day)]
    if not _words(company) or _joined(company) == _joined(ticker):
        return listed[0] if listed else None
    return next((key for key in listed if is_name_of(company, key)), None)


def share_named(company: str, day: date | None = None) -> str | None:
    """Returns the key of the one share with exactly this name, for a ticker that doesn't fit it."""
    keys = [key for key in _keys_by_name().get("".join(_words(company)), ()) if is_listed(key, day)]
    return keys[0] if len(keys) == 1 else None


def is_known_ticker(ticker: str) -> bool:
    """True if the ticker means a share, or meant one."""
    return listing(ticker) is not None or bool(earlier_keys(ticker))


def listed_names(ticker: str) -> tuple[str, ...]:
    """Returns the names of the share now listed under the ticker, as written and as spoken."""
    found = listing(ticker)
    return (found.name, *found.spoken) if found else ()


def is_name_of(company: str, ticker: str) -> bool:
    said = _words(company)
    return any(_agree(said, known) for known in _known_names(ticker))


def sounds_like(heard: str, company: str, ticker: str) -> bool:
    """True if the words may be a misheard name of the company, as opposed to any other words of the transcript."""
    said = _joined(heard)
    names = {_joined(company), _joined(ticker), "".join(_words(company)), *map("".join, _known_names(ticker))} - {""}
    return any(
        said in name or name in said or SequenceMatcher(None, said, name).ratio() > RECOGNISABLE for name in names
    )


def _agree(said: tuple[str, ...], known: tuple[str, ...]) -> bool:
    if set(said) <= set(known) or said[: len(known)] == known or "".join(said) == "".join(word[0] for word in known):
        return True
    spellings = ("".join(said), "".join(known)), (said[0], known[0])
    return any(len(a) > 3 and SequenceMatcher(None, a, b).ratio() >= ALIKE for a, b in spellings)


@cache
def _keys_by_name() -> dict[str, list[str]]:
    """Shares by each of their names, without spaces and legal forms."""
    found: dict[str, list[str]] = {}
    for key in (*all_listings(), *departed_listings()):
        for name in dict.fromkeys(map("".join, _known_names(key))):
            found.setdefault(name, []).append(key)
    return found


@cache
def _known_names(ticker: str) -> tuple[tuple[str, ...], ...]:
    found = listing(ticker)
    names = [
        *([found.name, *found.spoken] if found else []),
        *former_names().get(ticker, ()),
        *_aliases().get(ticker, ()),
    ]
    return tuple(words for name in names if (words := _words(name)))


@cache
def _aliases() -> dict[str, list[str]]:
    aliases: dict[str, list[str]] = {}
    with (DATA / "aliases.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(line for line in file if not line.startswith("#")):
            aliases.setdefault(row["ticker"], []).extend(row["names"].split("|"))
    return aliases


def _words(name: str) -> tuple[str, ...]:
    plain = re.sub(r"\bu\.?s\.?(?!\w)", "united states", re.sub(r"['\u2019]s?\b", "", name.lower()))
    words = re.findall(r"[^\W_]+", plain)
    return tuple(word for word in words if not LEGAL_FORMS.fullmatch(word))


def _joined(name: str) -> str:
    return "".join(re.findall(r"[^\W_]+", name.lower()))
