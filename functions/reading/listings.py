"""Company shares listed on the NYSE and the Nasdaq, and former meanings of tickers, from bundled lists."""

import csv
import string
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum
from functools import cache
from pathlib import Path

from functions.reading.terms import Exchange

DATA = Path(__file__).parent / "data"
FORMER = ".OLD"
"""Follows the ticker of a delisted share if the ticker has been reused."""
_EXCHANGES = {exchange.value: exchange for exchange in Exchange}
_ENDINGS = (
    " Inc.",
    ", Inc.",
    " Corp.",
    " Ltd.",
    " Holdings, Inc.",
    " Therapeutics, Inc.",
    " Acquisition Corp.",
    " Holdings Ltd.",
    " Pharmaceuticals, Inc.",
    " Holdings Inc.",
    " Group Inc.",
    " Technologies Inc.",
    " Group, Inc.",
    " Technologies, Inc.",
    " Financial Corp.",
    " Co.",
    " plc",
    " Group Ltd.",
    " Bancorp, Inc.",
    " International Inc.",
    " Pharmaceuticals Inc.",
    " Therapeutics Inc.",
    " Industries Inc.",
    " Acquisition Corp. II",
)
NAME_ENDINGS = dict(zip(string.ascii_uppercase, _ENDINGS, strict=False))
"""Common endings of names, which us_listings.csv abbreviates to one letter."""
NASDAQ_FLAG = "q"


class Departure(StrEnum):
    """Why a share left the exchange."""

    ACQUIRED = "acquired"
    MERGED = "merged"
    PRIVATE = "private"
    BANKRUPT = "bankrupt"
    DELISTED = "delisted"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Listing:
    ticker: str
    """With a dot before the share class: `BRK.B`."""
    name: str
    exchange: Exchange
    word_ticker: bool
    """True if the ticker is an ordinary English word or abbreviation."""
    word_name: bool
    """True if the name consists of ordinary words only."""
    telling_first_word: bool
    """True if the first word of the name identifies the company."""
    left: date | None = None
    """The day it was delisted; None while it is listed."""
    spoken: tuple[str, ...] = ()
    """Other names of a delisted share; those of listed shares are in aliases.csv."""
    arrived: date | None = None
    """The day it was first listed, if known."""
    left_because: Departure | None = None
    """None while it is listed."""
    well_known: bool = False
    """True if its name is also recognised in other spellings; of listed shares, the largest are."""


@dataclass(frozen=True, slots=True)
class _Meaning:
    """The meaning of a ticker up to and including a day."""

    until: date
    key: str
    changed: bool
    """True if the company changed its ticker to `key`; False if it was delisted."""


def listing(ticker: str) -> Listing | None:
    """Returns the share that a ticker means today, or meant last."""
    key = current_ticker(ticker)
    return all_listings().get(key) or departed_listings().get(key)


def listing_on(ticker: str, day: date | None) -> Listing | None:
    """Returns the share that a ticker meant on `day` (None: today), or None if it meant no share then."""
    key = current_ticker(ticker, day)
    found = all_listings().get(key) or departed_listings().get(key)
    return found if found and _is_listed_on(found, day) else None


def is_listed(ticker: str, day: date | None = None) -> bool:
    """True if the share is listed today, or was on `day`."""
    found = listing(ticker)
    return found is not None and _is_listed_on(found, day)


def current_ticker(ticker: str, day: date | None = None) -> str:
    """Returns the share's key: the company's latest ticker in capitals, with a dot before the share class.

    With `day`, resolves what the ticker meant then. A delisted share keeps its ticker, with `.OLD` appended if the
    ticker has been reused.
    """
    key = _spelling(ticker)
    while meaning := _meaning(key, day):
        if not meaning.changed:
            return meaning.key
        key, day = meaning.key, meaning.until + date.resolution if meaning.until < date.max else None
    return key


def earlier_keys(ticker: str) -> list[str]:
    """Returns the keys of the shares that a ticker used to mean."""
    key = _spelling(ticker)
    return [current_ticker(key, meaning.until) for meaning in _earlier_meanings().get(key, ())]


@cache
def former_names() -> dict[str, list[str]]:
    """Former names of companies that changed their ticker, by current ticker."""
    names: dict[str, list[str]] = {}
    for old, _, day, company in rows_of(DATA / "ticker_changes.csv"):
        names.setdefault(current_ticker(old, _last_day(day)), []).append(company)
    return names


@cache
def all_listings() -> dict[str, Listing]:
    """Today's listings by ticker, the largest companies first and the newest last."""
    listings = {ticker: _short_row(ticker, name, flags) for ticker, name, flags in rows_of(DATA / "us_listings.csv")}
    for ticker, exchange, name, flags, arrived in rows_of(DATA / "arrived_listings.csv"):
        share = listings.get(ticker) or _listing(ticker, exchange, name, flags)
        listings[ticker] = replace(share, arrived=date.fromisoformat(arrived))
    return listings


@cache
def departed_listings() -> dict[str, Listing]:
    """Delisted shares by the key under which their mentions are stored."""
    rows = ((_departed_key(ticker), rest) for ticker, *rest in rows_of(DATA / "departed_listings.csv"))
    return {key: _departed(key, *rest) for key, rest in rows}


def _is_listed_on(share: Listing, day: date | None) -> bool:
    if day is None:
        return share.left is None
    return (share.left is None or day <= share.left) and (share.arrived is None or day >= share.arrived)


def _spelling(ticker: str) -> str:
    return ticker.upper().replace("-", ".").replace("/", ".")


def _meaning(key: str, day: date | None) -> _Meaning | None:
    earlier = _earlier_meanings().get(key, ())
    if day is None:
        return earlier[-1] if earlier and key not in all_listings() else None
    return next((meaning for meaning in earlier if day <= meaning.until), None)


@cache
def _earlier_meanings() -> dict[str, tuple[_Meaning, ...]]:
    """Former meanings of each ticker, oldest first."""
    meanings: dict[str, list[_Meaning]] = {}
    for old, new, day, _ in rows_of(DATA / "ticker_changes.csv"):
        meanings.setdefault(old, []).append(_Meaning(_last_day(day), new, changed=True))
    for ticker, *_, left, _, _ in rows_of(DATA / "departed_listings.csv"):
        meanings.setdefault(ticker, []).append(_Meaning(date.fromisoformat(left), _departed_key(ticker), changed=False))
    return {key: tuple(sorted(found, key=lambda meaning: meaning.until)) for key, found in meanings.items()}


def _last_day(of_change: str) -> date:
    """The last day of the old ticker: the day before the change, or the end of time if the day is unknown."""
    return date.fromisoformat(of_change) - date.resolution if of_change else date.max


def _departed_key(ticker: str) -> str:
    return f"{ticker}{FORMER}" if ticker in all_listings() else ticker


def _short_row(ticker: str, name: str, flags: str) -> Listing:
    exchange = Exchange.NASDAQ if NASDAQ_FLAG in flags else Exchange.NYSE
    return _listing(ticker, exchange.value, name + NAME_ENDINGS.get(flags[-1:], ""), flags)


def _listing(key: str, exchange: str, name: str, flags: str) -> Listing:
    return Listing(key, name, _EXCHANGES[exchange], "t" in flags, "n" in flags, "s" in flags)


def _departed(key: str, exchange: str, name: str, flags: str, left: str, why: str, spoken: str) -> Listing:
    return replace(
        _listing(key, exchange, name, flags),
        left=date.fromisoformat(left),
        spoken=tuple(filter(None, spoken.split("|"))),
        left_because=Departure(why or Departure.UNKNOWN),
        well_known="w" in flags,
    )


def rows_of(table: Path) -> Iterator[list[str]]:
    """Yields the rows of a CSV file, skipping comments and the header."""
    with table.open(encoding="utf-8", newline="") as file:
        rows = csv.reader(line for line in file if not line.startswith("#"))
        next(rows)
        yield from rows
