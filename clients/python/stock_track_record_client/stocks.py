"""Stocks, across all channels."""

from datetime import date

from stock_track_record_client.models import (
    Close,
    Horizon,
    PriceHistory,
    StockCall,
    StockCallsPage,
    StockPrice,
)
from stock_track_record_client.pages import Pages
from stock_track_record_client.routes import Routes


class StockRoutes(Routes):
    def stock_price(self, ticker: str) -> StockPrice:
        """The price now; where there is none, `error` says why."""
        return self._get(StockPrice, "stocks", ticker, "price")

    def stock_history(self, ticker: str, start: date, end: date) -> list[Close]:
        """The daily closes of ten years at most, oldest first."""
        days = {"start": start.isoformat(), "end": end.isoformat()}
        return self._get(PriceHistory, "stocks", ticker, "history", **days)["prices"]

    def stock_calls(self, ticker: str, *, horizon: Horizon = "3m") -> Pages[StockCallsPage, StockCall]:
        """The calls of every channel on the stock, newest first."""
        return self._list(StockCallsPage, StockCall, "stocks", ticker, "calls", horizon=horizon)
