"""Prices of companies that were renamed, and of shares that have left the exchanges."""

from datetime import date

import pytest

from functions.record.models.series import PriceProblem
from functions.record.prices.problems import problem_of
from functions.record.sources.prices.combined import CurrentPrices
from functions.record.sources.protocols import DailyClose, History, Quote
from functions.runtime.provider_errors import Delisted, UnknownTicker

DAY = date(2026, 6, 1)


class Source:
    """Has a price of everything, and records which tickers were requested."""

    def __init__(self) -> None:
        self.requested: list[str] = []

    def history(self, ticker: str, start: date, end: date) -> History:
        self.requested.append(ticker)
        return History((DailyClose(end, 10.0, 10.0),), "source")

    def quote(self, ticker: str) -> Quote:
        self.requested.append(ticker)
        return Quote(11.0, DAY)

    def today(self) -> date:
        return DAY


def test_a_renamed_company_is_requested_under_its_new_ticker() -> None:
    source = Source()
    prices = CurrentPrices(source)

    assert prices.quote("FB") == Quote(11.0, DAY)
    assert prices.history("SQ", DAY, DAY).closes == (DailyClose(DAY, 10.0, 10.0),)
    assert prices.quote("AAPL").price == 11.0
    assert prices.today() == DAY
    assert source.requested == ["META", "XYZ", "AAPL"]


@pytest.mark.parametrize("ticker", ["TWTR", "BBBY.OLD", "P.OLD"])
def test_a_share_that_has_left_is_not_priced_with_another_s(ticker: str) -> None:
    source = Source()
    prices = CurrentPrices(source)

    for fetch in (lambda: prices.quote(ticker), lambda: prices.history(ticker, DAY, DAY)):
        with pytest.raises(Delisted, match=rf"{ticker} \(.+\) left the exchanges on 20\d\d-") as raised:
            fetch()
        assert problem_of(raised.value) == PriceProblem.DEPARTED
    assert source.requested == []


def test_a_source_that_keeps_shares_that_have_left_is_asked_for_their_closes() -> None:
    source = Source()
    prices = CurrentPrices(source, keeps_departed=True)
    left = date(2022, 10, 27)

    assert prices.history("TWTR", left, left).closes == (DailyClose(left, 10.0, 10.0),)
    assert source.requested == ["TWTR"]


@pytest.mark.parametrize("ticker", ["TWTR", "BBBY.OLD"])
def test_closes_after_a_share_has_left_are_another_s(ticker: str) -> None:
    prices = CurrentPrices(Source(), keeps_departed=True)

    for fetch in (lambda: prices.history(ticker, DAY, DAY), lambda: prices.quote(ticker)):
        with pytest.raises(Delisted):
            fetch()


def test_a_ticker_that_no_list_has_is_never_requested() -> None:
    source = Source()
    prices = CurrentPrices(source, keeps_departed=True, besides={"SPY"})

    for fetch in (lambda: prices.quote("NOSUCH"), lambda: prices.history("NOSUCH", DAY, DAY)):
        with pytest.raises(UnknownTicker) as raised:
            fetch()
        assert problem_of(raised.value) == PriceProblem.UNKNOWN_TICKER
    assert prices.quote("SPY").price == 11.0
    assert source.requested == ["SPY"]
