"""Stocks: their names and latest prices."""

from collections.abc import Iterable
from datetime import date
from typing import Any

from functions.reading.terms import Exchange
from functions.record.models.records import Stock
from functions.runtime.dynamodb.attributes import encode
from functions.runtime.dynamodb.connection import dynamodb, stocks_table
from functions.runtime.dynamodb.requests import batch_get, get


def stock_by_ticker(ticker: str) -> Stock | None:
    item = get(stocks_table(), {"ticker": ticker})
    return Stock.from_item(item) if item else None


def stocks_by_ticker(tickers: Iterable[str], *, consistent: bool = False) -> dict[str, Stock]:
    items = batch_get(stocks_table(), [{"ticker": each} for each in tickers], ConsistentRead=consistent)
    return {stock.ticker: stock for stock in map(Stock.from_item, items)}


def describe_stock(ticker: str, name: str, exchange: Exchange) -> None:
    """Sets a stock's name and exchange, but not its price."""
    _set(Stock(ticker, name=name, exchange=exchange))


def set_stock_price(ticker: str, price: float, updated_at: str, *, as_of: date | None = None) -> None:
    """Sets the price of a day, by default the day of `updated_at`, unless a newer price is stored."""
    day = as_of.isoformat() if as_of else updated_at[: len("2026-01-31")]
    try:
        _set(
            Stock(ticker, last_price=price, price_updated_at=updated_at, price_as_of=day),
            condition="attribute_not_exists(price_as_of) OR price_as_of < :price_as_of "
            "OR (price_as_of = :price_as_of AND price_updated_at <= :price_updated_at)",
        )
    except dynamodb().exceptions.ConditionalCheckFailedException:
        return


def set_price_problem(ticker: str, problem: str | None) -> None:
    """Sets why the price is missing or no longer updated; None when it is updated again."""
    if problem:
        _set(Stock(ticker, price_problem=problem))
    else:
        dynamodb().update_item(
            TableName=stocks_table(), Key=encode({"ticker": ticker}), UpdateExpression="REMOVE price_problem"
        )


def _set(stock: Stock, condition: str | None = None) -> None:
    """Writes the attributes that are not None and leaves the others unchanged."""
    item = dict(stock.to_item())
    key = {"ticker": item.pop("ticker")}
    request: dict[str, Any] = {"ConditionExpression": condition} if condition else {}
    dynamodb().update_item(
        TableName=stocks_table(),
        Key=key,
        UpdateExpression="SET " + ", ".join(f"#{name} = :{name}" for name in item),
        ExpressionAttributeNames={f"#{name}": name for name in item},
        ExpressionAttributeValues={f":{name}": value for name, value in item.items()},
        **request,
    )
