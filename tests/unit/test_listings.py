"""The list of US-listed company shares that ships with the product."""

import time

import pytest

from functions.core.models import Exchange
from functions.providers import listings
from functions.providers.listings import all_listings, current_ticker, is_listed, listing


@pytest.mark.parametrize("ticker", ["AAPL", "NVDA", "KO", "F", "BRK.B", "GOOG", "GOOGL", "TSM", "O", "UAA"])
def test_company_shares_are_listed(ticker: str) -> None:
    assert is_listed(ticker)


@pytest.mark.parametrize("ticker", ["SPY", "QQQ", "VOO", "IBIT", "GLD", "GBTC", "SCHD"])
def test_funds_are_not_listed(ticker: str) -> None:
    assert not is_listed(ticker)


@pytest.mark.parametrize("ticker", ["BAC-PL", "NE-WT", "RUMBW", "IPODU", "AGNCL", "STRK", "TBB", "OPENZ"])
def test_preferred_shares_warrants_units_and_notes_are_not_listed(ticker: str) -> None:
    assert not is_listed(ticker)


def test_an_unknown_ticker_has_no_listing() -> None:
    assert listing("NOSUCH") is None


def test_a_listing_tells_name_and_exchange() -> None:
    apple = listing("AAPL")

    assert apple is not None
    assert (apple.ticker, apple.name, apple.exchange) == ("AAPL", "Apple Inc.", Exchange.NASDAQ)


@pytest.mark.parametrize("spelling", ["brk.b", "BRK-B", "BRK/B"])
def test_a_share_class_is_found_in_every_spelling(spelling: str) -> None:
    found = listing(spelling)

    assert found is not None
    assert found.ticker == "BRK.B"


def test_a_renamed_company_is_found_by_its_former_ticker() -> None:
    found = listing("FB")

    assert found is not None
    assert found.ticker == current_ticker("FB") == "META"


def test_no_former_ticker_is_in_use_today_and_each_leads_to_a_listed_one() -> None:
    former = listings.FORMER_TICKERS

    assert not former.keys() & all_listings().keys()
    assert set(former.values()) <= all_listings().keys()


def test_names_of_the_largest_companies_do_not_shout() -> None:
    names = [found.name for found in list(all_listings().values())[:200]]

    shouting = [name for name in names if name.isupper() and len(name) > 8]

    assert shouting == []


def test_the_list_is_small_and_loads_fast() -> None:
    all_listings.cache_clear()
    started = time.process_time()

    count = len(all_listings())

    assert time.process_time() - started < 0.15
    assert 5_000 < count < 7_000
    assert (listings.DATA / "us_listings.csv").stat().st_size < 600_000
