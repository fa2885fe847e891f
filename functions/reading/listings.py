"""The company shares listed on the NYSE and the Nasdaq, and the earlier meanings of tickers, from bundled lists."""

import csv
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date
from functools import cache
from pathlib import Path

from functions.reading.terms import Exchange

DATA = Path(__file__).parent / "data"
_EXCHANGES = {exchange.value: exchange for exchange in Exchange}


@dataclass(frozen=True, slots=True)
class Listing:
    ticker: str
    """Share classes with a dot: `BRK.B`."""
    name: str
    exchange: Exchange
    word_ticker: bool
    """The ticker is an ordinary word or abbreviation of English."""
    word_name: bool
    """The name is made of ordinary words alone."""
    telling_first_word: bool
    """The first word of the name is enough to identify the company."""
    left: date | None = None
    """When it was delisted; None while it is listed."""
    spoken: tuple[str, ...] = ()
    """Other names of a delisted share; for the others the analyst has its own list."""
    arrived: date | None = None
    """When it was first listed, if that is known."""


@dataclass(frozen=True, slots=True)
class _Meaning:
    """What a ticker meant up to and including a day."""

    until: date
    key: str
    changed: bool
    """The company continues under that ticker; otherwise it was delisted."""


def listing(ticker: str) -> Listing | None:
    """The share that a ticker means today, or meant last."""
    key = current_ticker(ticker)
    return all_listings().get(key) or departed_listings().get(key)


def listing_on(ticker: str, day: date | None) -> Listing | None:
    """The share that a ticker meant on that day; None is today. None when it meant no share."""
    key = current_ticker(ticker, day)
    found = all_listings().get(key) or departed_listings().get(key)
    return found if found and _is_listed_on(found, day) else None


def is_listed(ticker: str, day: date | None = None) -> bool:
    """Whether that share is listed, or was on that day."""
    found = listing(ticker)
    return found is not None and _is_listed_on(found, day)


def current_ticker(ticker: str, day: date | None = None) -> str:
    """One key per share: capitals, a dot before the class, and the company's latest ticker.

    With a day, what the ticker meant then. A delisted share keeps its ticker, with `.OLD` if that is in use again.
    """
    key = _spelling(ticker)
    while meaning := _meaning(key, day):
        if not meaning.changed:
            return meaning.key
        key, day = meaning.key, meaning.until + date.resolution if meaning.until < date.max else None
    return key


def earlier_keys(ticker: str) -> list[str]:
    """The shares that a ticker has meant, by their keys."""
    key = _spelling(ticker)
    return [current_ticker(key, meaning.until) for meaning in _earlier_meanings().get(key, ())]


@cache
def former_names() -> dict[str, list[str]]:
    """What companies were called under their earlier tickers, by today's."""
    names: dict[str, list[str]] = {}
    for old, _, day, company in rows_of(DATA / "ticker_changes.csv"):
        names.setdefault(current_ticker(old, _last_day(day)), []).append(company)
    return names


@cache
def all_listings() -> dict[str, Listing]:
    """Today's, by ticker, the largest companies first and the newest last."""
    listings = {ticker: _listing(ticker, *rest) for ticker, *rest in rows_of(DATA / "us_listings.csv")}
    for ticker, exchange, name, flags, arrived in rows_of(DATA / "arrived_listings.csv"):
        share = listings.get(ticker) or _listing(ticker, exchange, name, flags)
        listings[ticker] = replace(share, arrived=date.fromisoformat(arrived))
    return listings


@cache
def departed_listings() -> dict[str, Listing]:
    """The delisted shares, by the key under which their mentions are stored."""
    rows = ((_departed_key(ticker), rest) for ticker, *rest in rows_of(DATA / "departed_listings.csv"))
    return {key: _listing(key, *rest) for key, rest in rows}


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
    """The earlier meanings of each ticker, oldest first."""
    meanings: dict[str, list[_Meaning]] = {}
    for old, new, day, _ in rows_of(DATA / "ticker_changes.csv"):
        meanings.setdefault(old, []).append(_Meaning(_last_day(day), new, changed=True))
    for ticker, *_, left, _ in rows_of(DATA / "departed_listings.csv"):
        meanings.setdefault(ticker, []).append(_Meaning(date.fromisoformat(left), _departed_key(ticker), changed=False))
    return {key: tuple(sorted(found, key=lambda meaning: meaning.until)) for key, found in meanings.items()}


def _last_day(of_change: str) -> date:
    """The last day of the old ticker: the day before the change, or no end if no day is given."""
    return date.fromisoformat(of_change) - date.resolution if of_change else date.max


def _departed_key(ticker: str) -> str:
    return f"{ticker}.OLD" if ticker in all_listings() else ticker


def _listing(key: str, exchange: str, name: str, flags: str, left: str = "", spoken: str = "") -> Listing:
    day = date.fromisoformat(left) if left else None
    others = tuple(filter(None, spoken.split("|")))
    return Listing(key, name, _EXCHANGES[exchange], "t" in flags, "n" in flags, "s" in flags, day, others)


def rows_of(table: Path) -> Iterator[list[str]]:
    """The rows of a CSV file with comments and a header."""
    with table.open(encoding="utf-8", newline="") as file:
        rows = csv.reader(line for line in file if not line.startswith("#"))
        next(rows)
        yield from rows
