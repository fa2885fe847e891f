"""Live quotes from Finnhub. Its free plan has no history, so closes come from another source."""

from functions.record.sources.prices.market_days import day_of
from functions.record.sources.protocols import Quote
from functions.runtime.http.json_client import JsonClient, RateLimit, documented_shape, number_in
from functions.runtime.http.outbound import Limits
from functions.runtime.provider_errors import NotFound

BASE_URL = "https://finnhub.io/api/v1"


class FinnhubQuotes:
    def __init__(
        self,
        api_key: str,
        base_url: str = BASE_URL,
        *,
        limits: Limits | None = None,
        rate: RateLimit | None = None,
    ) -> None:
        self._base_url = base_url
        self._client = JsonClient("Finnhub", headers={"X-Finnhub-Token": api_key}, limits=limits, rate=rate)

    def quote(self, ticker: str) -> Quote:
        response = self._client.get_json(f"{self._base_url}/quote", {"symbol": ticker})
        with documented_shape("Finnhub"):
            # Finnhub returns zeros for an unknown ticker.
            if not response["c"]:
                raise NotFound(f"Finnhub has no price for {ticker}.")
            return Quote(number_in(response["c"]), day_of(response["t"]))
