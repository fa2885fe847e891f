"""The list of US-listed company shares that ships with the product."""

import time
from datetime import date

import pytest

from functions.reading import listings
from functions.reading.listings import Departure, all_listings, current_ticker, departed_listings, is_listed, listing
from functions.reading.terms import Exchange


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


@pytest.mark.parametrize(
    ("ticker", "day", "key"),
    [
        ("CHK", date(2023, 5, 1), "EXE"),
        ("NYCB", None, "FLG"),
        ("CBS", date(2016, 1, 4), "PSKY"),
        ("LB", date(2021, 8, 2), "BBWI"),
        ("LB", date(2021, 8, 3), "LB"),
        ("LB", None, "LB"),
        ("GOLD", date(2018, 6, 1), "GOLD.OLD"),
        ("GOLD", date(2019, 1, 2), "B"),
        ("GOLD", date(2025, 5, 9), "GOLD"),
        ("ABX", date(2015, 3, 2), "B"),
        ("IR", date(2019, 1, 2), "TT"),
        ("GDI", date(2019, 1, 2), "IR"),
        ("ARNC", date(2019, 1, 2), "HWM"),
        ("ARNC", date(2021, 1, 4), "ARNC"),
        ("BBBY", date(2021, 1, 27), "BBBY.OLD"),
        ("OSTK", date(2021, 1, 27), "BBBY"),
        ("FEYE", None, "MNDT"),
        ("SE", date(2016, 6, 1), "SE.OLD"),
        ("SE", date(2021, 6, 1), "SE"),
        ("SNOW", date(2017, 6, 1), "SNOW.OLD"),
        ("FLY", date(2020, 6, 1), "FLY.OLD"),
        ("VG", date(2021, 6, 1), "VG.OLD"),
        ("VG", date(2025, 6, 2), "VG"),
        ("SNDK", date(2015, 6, 1), "SNDK.OLD"),
        ("HTZ", date(2019, 6, 3), "HTZ.OLD"),
        ("YHOO", date(2015, 6, 1), "AABA"),
        ("COG", None, "CTRA"),
        ("BK", date(2020, 1, 2), "BNY"),
        ("AAPL", date(2015, 1, 2), "AAPL"),
        ("NOSUCH", date(2015, 1, 2), "NOSUCH"),
    ],
)
def test_a_ticker_means_the_company_it_meant_that_day(ticker: str, day: date | None, key: str) -> None:
    assert current_ticker(ticker, day) == key
    assert current_ticker(key) == key


@pytest.mark.parametrize("ticker", ["TWTR", "ATVI", "WBA", "VMW", "XLNX", "FRC", "SIVB", "K", "HES", "BBBY.OLD"])
def test_a_share_that_has_left_was_listed_until_then(ticker: str) -> None:
    found = listing(ticker)

    assert found is not None and found.left is not None
    assert is_listed(ticker, found.left)
    assert not is_listed(ticker, found.left + date.resolution)
    assert not is_listed(ticker)


def test_every_change_leads_to_a_share_that_is_listed_or_has_left() -> None:
    for old, new, day, company in listings.rows_of(listings.DATA / "ticker_changes.csv"):
        assert listing(current_ticker(old, date.fromisoformat(day) - date.resolution if day else None)), company
        assert day or old not in all_listings(), f"{old} is in use again: when did it become {new}?"


def test_no_share_is_both_listed_and_gone() -> None:
    assert not all_listings().keys() & departed_listings().keys()
    assert len(departed_listings()) > 1_200


@pytest.mark.parametrize(
    ("ticker", "why", "month"),
    [
        ("RIDE", Departure.BANKRUPT, "2023-07"),
        ("BIG", Departure.BANKRUPT, "2024-09"),
        ("TUP", Departure.BANKRUPT, "2024-09"),
        ("SDC", Departure.BANKRUPT, "2023-10"),
        ("GOEV", Departure.BANKRUPT, "2025-01"),
        ("CLVS", Departure.BANKRUPT, "2022-12"),
        ("REV", Departure.BANKRUPT, "2022-10"),
        ("YELL", Departure.BANKRUPT, "2023-08"),
        ("JOAN", Departure.BANKRUPT, "2024-03"),
        ("SIVB", Departure.BANKRUPT, "2023-03"),
        ("SI.OLD", Departure.DELISTED, "2023-05"),
        ("GRUB", Departure.ACQUIRED, "2021-06"),
        ("GLUU", Departure.ACQUIRED, "2021-04"),
        ("BRCM", Departure.ACQUIRED, "2016-02"),
        ("AABA", Departure.DELISTED, "2019-10"),
        ("PX", Departure.MERGED, "2018-10"),
        ("MCFE", Departure.PRIVATE, "2022-03"),
        ("TWTR", Departure.PRIVATE, "2022-10"),
    ],
)
def test_a_well_known_share_that_has_left_tells_when_and_why(ticker: str, why: Departure, month: str) -> None:
    share = departed_listings()[ticker]

    assert share.left is not None
    assert (share.left_because, f"{share.left:%Y-%m}") == (why, month)


def test_every_share_left_on_a_weekday_since_2015() -> None:
    days = {key: share.left for key, share in departed_listings().items()}

    assert [key for key, day in days.items() if day is None or day.weekday() > 4 or day.year < 2015] == []


def test_every_departed_ticker_leads_to_its_share() -> None:
    tickers = [ticker for ticker, *_ in listings.rows_of(listings.DATA / "departed_listings.csv")]

    assert len(set(tickers)) == len(tickers) == len(departed_listings())
    for key, share in departed_listings().items():
        assert current_ticker(key.removesuffix(".OLD"), share.left) == key


def test_a_listed_share_has_not_left() -> None:
    apple = all_listings()["AAPL"]

    assert (apple.left, apple.left_because) == (None, None)


def test_the_list_of_departed_shares_is_small() -> None:
    assert (listings.DATA / "departed_listings.csv").stat().st_size < 70_000


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
    assert (listings.DATA / "us_listings.csv").stat().st_size < 150_000
