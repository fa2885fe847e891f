"""Daily closes from Tiingo, adjusted for splits."""

from datetime import date
from typing import Any
from urllib.parse import quote as url_quote

from functions.reading.tickers import with_dash
from functions.record.models.series import Split
from functions.record.sources.prices.market_days import Clock, utc_now, without_later_days
from functions.record.sources.protocols import DailyClose, History, Quote
from functions.runtime.http.json_client import JsonClient, RateLimit, documented_shape, number_in
from functions.runtime.http.outbound import Limits
from functions.runtime.new_york import market_day
from functions.runtime.provider_errors import Nonsense, NotFound, ProviderError, QuotaUsedUp

SOURCE = "Tiingo"
QUOTA_TEXT = "You have run over your"

BASE_URL = "https://api.tiingo.com/tiingo/daily"


class TiingoPrices:
    def __init__(
        self,
        api_key: str,
        base_url: str = BASE_URL,
        *,
        limits: Limits | None = None,
        rate: RateLimit | None = None,
        clock: Clock = utc_now,
    ) -> None:
        self._base_url = base_url
        self._clock = clock
        self._client = JsonClient(
            "Tiingo", headers={"Authorization": f"Token {api_key}"}, limits=limits, rate=rate, explain=_explain
        )

    def history(self, ticker: str, start: date, end: date) -> History:
        # Fetched up to today, whatever the end: closes must be adjusted for later splits too.
        window = {"startDate": start.isoformat(), "endDate": max(end, self.today()).isoformat()}
        rows = self._prices(ticker, window)
        with documented_shape("Tiingo"):
            closes = without_later_days(_daily_closes(rows), end, self.today())
            return History(closes, SOURCE, _splits(rows), "USD")

    def quote(self, ticker: str) -> Quote:
        rows = self._prices(ticker, {})
        with documented_shape("Tiingo"):
            if not rows:
                raise NotFound(f"Tiingo has no price for {ticker}.")
            return Quote(number_in(rows[-1]["close"]), _day(rows[-1]))

    def today(self) -> date:
        return market_day(self._clock())

    def _prices(self, ticker: str, window: dict[str, str]) -> list[dict[str, Any]]:
        symbol = url_quote(with_dash(ticker), safe="")
        rows = self._client.get_json(f"{self._base_url}/{symbol}/prices", window)
        if not isinstance(rows, list):
            raise Nonsense("Tiingo sent a response in an undocumented format.")
        return rows


def _daily_closes(rows: list[dict[str, Any]]) -> list[DailyClose]:
    """Tiingo's `close` is unadjusted, so it is divided by later splits to be comparable with a quote. Its `adjClose` is
    adjusted for splits and dividends."""
    closes: list[DailyClose] = []
    shares = 1.0
    for row in reversed(rows):
        if row["close"] is not None:
            closes.append(DailyClose(_day(row), row["close"] / shares, row["adjClose"]))
        shares *= row["splitFactor"]
    return closes[::-1]


def _splits(rows: list[dict[str, Any]]) -> tuple[Split, ...]:
    return tuple(Split(_day(row), row["splitFactor"]) for row in rows if row["splitFactor"] != 1)


def _day(row: dict[str, Any]) -> date:
    return date.fromisoformat(row["date"][:10])


def _explain(status: int, body: Any) -> ProviderError | None:
    """Tiingo reports a reached limit as plain text with HTTP 200."""
    text = body if isinstance(body, str) else str(body["detail"])
    if status == 429 or QUOTA_TEXT in text:
        return QuotaUsedUp("The quota of the Tiingo key is used up. It renews by the hour, day or month: see the plan.")
    return None
