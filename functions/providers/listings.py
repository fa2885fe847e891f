"""The company shares listed on the NYSE and the Nasdaq, from a list that ships with the product."""

import csv
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from functions.core.models import Exchange

DATA = Path(__file__).parent / "data"

FORMER_TICKERS = {
    "BK": "BNY",
    "FB": "META",
    "FI": "FISV",
    "MMC": "MRSH",
    "MPW": "MPT",
    "PARA": "PSKY",
    "PSTG": "P",
    "SQ": "XYZ",
    "ZI": "GTM",
}


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
    """The first word of the name is enough to tell the company."""


def listing(ticker: str) -> Listing | None:
    return all_listings().get(current_ticker(ticker))


def is_listed(ticker: str) -> bool:
    return current_ticker(ticker) in all_listings()


def current_ticker(ticker: str) -> str:
    """One spelling per share: capitals, a dot before the class, and today's ticker of a renamed company."""
    spelling = ticker.upper().replace("-", ".").replace("/", ".")
    return FORMER_TICKERS.get(spelling, spelling)


@cache
def all_listings() -> dict[str, Listing]:
    """By ticker, the largest companies first."""
    exchanges = {exchange.value: exchange for exchange in Exchange}
    with (DATA / "us_listings.csv").open(encoding="utf-8", newline="") as file:
        rows = csv.reader(line for line in file if not line.startswith("#"))
        next(rows)
        return {
            ticker: Listing(ticker, name, exchanges[exchange], "t" in flags, "n" in flags, "s" in flags)
            for ticker, exchange, name, flags in rows
        }
