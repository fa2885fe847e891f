"""Daily closes from Tiingo, adjusted for splits."""

from datetime import date
from typing import Any
from urllib.parse import quote as url_quote

from functions.providers.https import JsonClient, Limits, RateLimit, documented_shape
from functions.providers.market_days import Clock, market_day, utc_now
from functions.providers.protocols import Close, NotFound, Quote, Unavailable


class TiingoPrices:
    def __init__(
        self,
        api_key: str,
        base_url: str = "https://api.tiingo.com/tiingo/daily",
        *,
        limits: Limits | None = None,
        rate: RateLimit | None = None,
        clock: Clock = utc_now,
    ) -> None:
        self._base_url = base_url
        self._clock = clock
        self._client = JsonClient("Tiingo", headers={"Authorization": f"Token {api_key}"}, limits=limits, rate=rate)

    def closes(self, ticker: str, start: date, end: date) -> list[Close]:
        if start > end:
            return []
        # Fetched up to today, whatever the end: closes must be adjusted for later splits too.
        window = {"startDate": start.isoformat(), "endDate": max(end, self.today()).isoformat()}
        try:
            rows = self._prices(ticker, window)
        except NotFound:
            return []
        with documented_shape("Tiingo"):
            return [close for close in _split_adjusted(rows) if start <= close.day <= end]

    def quote(self, ticker: str) -> Quote:
        rows = self._prices(ticker, {})
        with documented_shape("Tiingo"):
            if not rows:
                raise NotFound(f"Tiingo has no price for {ticker}.")
            return Quote(float(rows[-1]["close"]), _day(rows[-1]))

    def today(self) -> date:
        return market_day(self._clock())

    def _prices(self, ticker: str, window: dict[str, str]) -> list[dict[str, Any]]:
        symbol = url_quote(ticker.replace(".", "-"), safe="")
        rows = self._client.get_json(f"{self._base_url}/{symbol}/prices", window)
        if not isinstance(rows, list):
            raise Unavailable("Tiingo answered in a shape it does not document.")
        return rows


def _split_adjusted(rows: list[dict[str, Any]]) -> list[Close]:
    """Closes comparable to a quote. Tiingo's `adjClose` is adjusted for dividends too, so it is not used."""
    closes: list[Close] = []
    shares = 1.0
    for row in sorted(rows, key=_day, reverse=True):
        if row["close"]:
            closes.append(Close(_day(row), float(row["close"]) / shares))
        shares *= float(row["splitFactor"])
    return closes[::-1]


def _day(row: dict[str, Any]) -> date:
    return date.fromisoformat(row["date"][:10])
