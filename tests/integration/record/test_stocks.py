"""Stocks: what they are called and what they last cost."""

import pytest

from functions.reading.terms import Exchange
from functions.record.models.records import Stock
from functions.record.store import stocks
from functions.runtime.errors import InvalidValue

pytestmark = pytest.mark.usefixtures("tables")

EARLIER, LATER = "2025-01-01T00:00:00.000Z", "2025-01-02T00:00:00.000Z"


def test_a_stock_is_found_by_its_ticker() -> None:
    stocks.describe_stock("AAPL", "Apple Inc.", Exchange.NASDAQ)

    assert stocks.stock_by_ticker("AAPL") == Stock("AAPL", "Apple Inc.", Exchange.NASDAQ)
    assert stocks.stock_by_ticker("MSFT") is None


def test_many_stocks_are_found_at_once_and_unknown_ones_are_left_out() -> None:
    tickers = [f"T{number}" for number in range(150)]
    for ticker in tickers:
        stocks.describe_stock(ticker, f"{ticker} Inc.", Exchange.NYSE)

    found = stocks.stocks_by_ticker([*tickers, "UNKNOWN", "T0"])

    assert found == {ticker: Stock(ticker, f"{ticker} Inc.", Exchange.NYSE) for ticker in tickers}
    assert stocks.stocks_by_ticker([]) == {}


def test_a_price_and_a_description_leave_each_other_alone() -> None:
    stocks.set_stock_price("AAPL", 189.33, EARLIER)
    stocks.describe_stock("AAPL", "Apple Inc.", Exchange.NASDAQ)
    stocks.set_stock_price("AAPL", 190.01, LATER)

    priced = Stock("AAPL", "Apple Inc.", Exchange.NASDAQ, 190.01, LATER, price_as_of=LATER[:10])
    assert stocks.stock_by_ticker("AAPL") == priced


def test_an_older_price_does_not_replace_a_newer_one() -> None:
    stocks.set_stock_price("AAPL", 190.01, LATER)

    stocks.set_stock_price("AAPL", 150.0, EARLIER)

    stock = stocks.stock_by_ticker("AAPL")
    assert stock and (stock.last_price, stock.price_updated_at) == (190.01, LATER)


def test_a_price_of_the_same_timestamp_is_corrected() -> None:
    stocks.set_stock_price("AAPL", 190.01, LATER)

    stocks.set_stock_price("AAPL", 190.02, LATER)

    stock = stocks.stock_by_ticker("AAPL")
    assert stock and stock.last_price == 190.02


def test_what_is_not_a_price_or_an_exchange_is_refused() -> None:
    with pytest.raises(InvalidValue, match="last_price"):
        stocks.set_stock_price("AAPL", float("nan"), LATER)
    with pytest.raises(InvalidValue, match="exchange must be one of NYSE, NASDAQ, not 'LSE'"):
        stocks.describe_stock("AAPL", "Apple Inc.", "LSE")  # type: ignore[arg-type]

    assert stocks.stock_by_ticker("AAPL") is None
