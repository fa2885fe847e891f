"""Checks that a ticker belongs to the company that was named with it."""

from datetime import date

import pytest

from functions.reading.company_names import share_meant


@pytest.mark.parametrize(
    ("ticker", "company", "key"),
    [
        ("AAPL", "Apple", "AAPL"),
        ("AAPL", "Apple Inc.", "AAPL"),
        ("aapl", "", "AAPL"),
        ("AMD", "AMD", "AMD"),
        ("TSM", "TSMC", "TSM"),
        ("PLTR", "Palanteer", "PLTR"),
        ("SNPS", "Synopsis", "SNPS"),
        ("META", "Facebook", "META"),
        ("FB", "Facebook", "META"),
        ("XYZ", "Square", "XYZ"),
        ("MCD", "McDonald's", "MCD"),
        ("GM", "General Motors", "GM"),
        ("BRK-B", "Berkshire Hathaway", "BRK.B"),
        ("GOLD", "Gold.com", "GOLD"),
        ("GOLD", "Barrick Gold", "B"),
        ("LB", "L Brands", "BBWI"),
    ],
)
def test_the_company_tells_which_share_a_ticker_means(ticker: str, company: str, key: str) -> None:
    assert share_meant(ticker, company) == key


@pytest.mark.parametrize(
    ("ticker", "company"),
    [("AAPL", "Microsoft"), ("GOLD", "Newmont"), ("ZZZZ", "Zed"), ("", "Apple"), ("TWTR", "Twitter")],
)
def test_a_ticker_of_another_company_or_of_none_is_not_believed(ticker: str, company: str) -> None:
    assert share_meant(ticker, company) is None


@pytest.mark.parametrize(
    ("ticker", "company", "day", "key"),
    [
        ("GOLD", "", date(2020, 1, 2), "B"),
        ("B", "Barrick", date(2020, 1, 2), "B"),
        ("B", "Barnes", date(2020, 1, 2), "B.OLD"),
        ("TWTR", "Twitter", date(2021, 1, 4), "TWTR"),
        ("X", "U.S. Steel", date(2020, 1, 2), "X"),
        ("BBBY", "Bed Bath and Beyond", date(2021, 1, 27), "BBBY.OLD"),
    ],
)
def test_the_day_of_the_video_counts(ticker: str, company: str, day: date, key: str) -> None:
    assert share_meant(ticker, company, day) == key
