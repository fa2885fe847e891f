"""Stocks: their names and newest prices."""

from collections.abc import Iterable
from typing import Any

from functions.core.models import Exchange, Stock
from functions.store.connection import dynamodb, stocks_table
from functions.store.requests import batch_get, get


def stock_by_ticker(ticker: str) -> Stock | None:
    item = get(stocks_table(), {"ticker": ticker})
    return Stock.from_item(item) if item else None


def stocks_by_ticker(tickers: Iterable[str], *, consistent: bool = False) -> dict[str, Stock]:
    items = batch_get(stocks_table(), [{"ticker": each} for each in tickers], ConsistentRead=consistent)
    return {stock.ticker: stock for stock in map(Stock.from_item, items)}


def describe_stock(ticker: str, name: str, exchange: Exchange) -> None:
    """Sets a stock's name and exchange, but not its price."""
    _set(Stock(ticker, name=name, exchange=exchange))


def set_stock_price(ticker: str, price: float, updated_at: str) -> None:
    """Sets the price as of a moment, unless a newer one is stored."""
    try:
        _set(
            Stock(ticker, last_price=price, price_updated_at=updated_at),
            condition="attribute_not_exists(price_updated_at) OR price_updated_at <= :price_updated_at",
        )
    except dynamodb().exceptions.ConditionalCheckFailedException:
        return


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
