"""The risk-free rate comes from a source that has it, whichever source the prices come from."""

from datetime import date

import pytest

from functions.record.prices.calls import tickers_with_prices
from functions.record.sources.demo import DemoPrices
from functions.record.sources.prices.combined import WithRiskFreeRate
from functions.record.sources.protocols import RISK_FREE_TICKER, DailyClose, History, Quote

START, END = date(2024, 1, 2), date(2024, 1, 5)


class Source:
    def __init__(self, name: str, *closes: float) -> None:
        rows = (DailyClose(date(2024, 1, 2 + number), close, close) for number, close in enumerate(closes))
        self._history = History(tuple(rows), name)

    def history(self, ticker: str, start: date, end: date) -> History:
        return self._history

    def quote(self, ticker: str) -> Quote:
        return Quote(1.0, START)

    def today(self) -> date:
        return END


def test_prices_and_the_rate_have_sources_of_their_own() -> None:
    source = WithRiskFreeRate(Source("prices", 100.0), rates=Source("rates", 5.2))

    assert source.history("AAPL", START, END).source == "prices"
    assert source.history(RISK_FREE_TICKER, START, END).source == "rates"
    assert (source.quote("AAPL").price, source.today()) == (1.0, END)


def test_days_with_a_rate_of_zero_or_less_are_left_out() -> None:
    """Stored closes are above zero."""
    source = WithRiskFreeRate(Source("prices"), rates=Source("rates", 0.1, 0.0, -0.05, 0.2))

    rates = source.history(RISK_FREE_TICKER, START, END).closes

    assert [(row.day.day, row.close) for row in rates] == [(2, 0.1), (5, 0.2)]


@pytest.mark.parametrize(("day", "rate"), [("2019-01-02", 2.37), ("2020-03-31", 0.29), ("2022-12-28", 4.25)])
def test_the_demo_has_the_mean_rate_of_each_month(day: str, rate: float) -> None:
    session = date.fromisoformat(day)

    (row,) = DemoPrices().history(RISK_FREE_TICKER, session, session).closes

    assert row.close == rate


def test_the_demo_has_a_rate_at_every_session() -> None:
    prices = DemoPrices()
    days = [
        [row.day for row in prices.history(ticker, date.min, prices.today()).closes] for ticker in ("^GSPC", "^IRX")
    ]

    assert days[0] == days[1]


def test_closes_are_asked_for_the_rate_although_no_list_of_shares_has_it() -> None:
    assert tickers_with_prices(["AAPL", RISK_FREE_TICKER, "NOSUCHSHARE"]) == ["AAPL", RISK_FREE_TICKER]
