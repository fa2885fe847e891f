"""Daily closes and quotes from Yahoo's chart endpoint, which needs no key and is undocumented."""

from datetime import date, datetime, time, timedelta
from typing import Any
from urllib.parse import quote as url_quote
from zoneinfo import ZoneInfo

from functions.reading.tickers import with_dash
from functions.record.models.series import Split
from functions.record.sources.prices.market_days import Clock, day_of, utc_now, without_later_days
from functions.record.sources.protocols import DailyClose, History, Quote
from functions.runtime.http.json_client import JsonClient, RateLimit, documented_shape, number_in
from functions.runtime.http.outbound import Limits
from functions.runtime.new_york import NEW_YORK, market_day
from functions.runtime.provider_errors import Blocked, NotFound, NoTrading, ProviderError

BASE_URL = "https://query1.finance.yahoo.com/v8/finance/chart"
# Yahoo responds with 429 unless the user agent looks like a browser's.
USER_AGENT = "Mozilla/5.0 (compatible; StockTrackRecord)"

SOURCE = "Yahoo"
REFUSALS = (401, 403, 999)
"""Yahoo takes no key, so any of these means it blocks the IP address or the client."""


class YahooPrices:
    def __init__(
        self,
        base_url: str = BASE_URL,
        *,
        limits: Limits | None = None,
        rate: RateLimit | None = None,
        clock: Clock = utc_now,
    ) -> None:
        self._base_url = base_url
        self._clock = clock
        self._client = JsonClient(
            "Yahoo",
            headers={"User-Agent": USER_AGENT},
            limits=limits,
            rate=rate,
            explain=_explain,
        )

    def history(self, ticker: str, start: date, end: date) -> History:
        try:
            chart = self._chart(ticker, {"period1": _midnight(start), "period2": _midnight(end + timedelta(days=1))})
        except NoTrading:
            return History((), SOURCE)
        with documented_shape("Yahoo"):
            closes = without_later_days(_daily_closes(chart, self._clock()), end, self.today())
            return History(closes, SOURCE, _splits(chart), chart["meta"].get("currency"))

    def quote(self, ticker: str) -> Quote:
        chart = self._chart(ticker, {"range": "1d"})
        with documented_shape("Yahoo"):
            meta = chart["meta"]
            if not meta.get("regularMarketPrice"):
                raise NotFound(f"Yahoo has no price for {ticker}.")
            return Quote(number_in(meta["regularMarketPrice"]), day_of(meta["regularMarketTime"], _zone(meta)))

    def today(self) -> date:
        return market_day(self._clock())

    def _chart(self, ticker: str, window: dict[str, str]) -> dict[str, Any]:
        symbol = url_quote(with_dash(ticker), safe="")
        response = self._client.get_json(
            f"{self._base_url}/{symbol}", {**window, "interval": "1d", "events": "split,div"}
        )
        with documented_shape("Yahoo"):
            results = response["chart"]["result"]
            if not results:
                raise NotFound(f"Yahoo has no prices for {ticker}.")
            chart: dict[str, Any] = results[0]
            return chart


def _daily_closes(chart: dict[str, Any], now: datetime) -> list[DailyClose]:
    """Yahoo's `close` is adjusted for splits but not for dividends, like a quote. `adjclose` is adjusted for both: as a
    price it would drop with every dividend, so only returns are computed from it."""
    zone = _zone(chart["meta"])
    closes = chart["indicators"]["quote"][0].get("close") or []
    adjusted = (chart["indicators"].get("adjclose") or [{}])[0].get("adjclose") or closes
    rows = zip(chart.get("timestamp") or [], closes, adjusted, strict=True)
    found = [
        DailyClose(day_of(at, zone), close, total)
        for at, close, total in rows
        if close is not None and not _running(chart, at, now)
    ]
    # The last day can appear twice, as its row and as the live one: the later one counts.
    doubled = len(found) > 1 and found[-1].day == found[-2].day
    return [*found[:-2], found[-1]] if doubled else found


def _splits(chart: dict[str, Any]) -> tuple[Split, ...]:
    zone = _zone(chart["meta"])
    events = chart.get("events", {}).get("splits", {}).values()
    splits = (Split(day_of(event["date"], zone), event["numerator"] / event["denominator"]) for event in events)
    return tuple(sorted(splits, key=lambda split: split.day))


def _running(chart: dict[str, Any], at: float, now: datetime) -> bool:
    """True if a row belongs to a session that has not ended: its price is not a close yet."""
    session = chart["meta"].get("currentTradingPeriod", {}).get("regular")
    return bool(session) and at >= session["start"] and now.timestamp() < session["end"]


def _zone(meta: dict[str, Any]) -> ZoneInfo:
    return ZoneInfo(meta["exchangeTimezoneName"])


def _midnight(day: date) -> str:
    return str(int(datetime.combine(day, time(), NEW_YORK).timestamp()))


def _explain(status: int, body: Any) -> ProviderError | None:
    if status in REFUSALS:
        return Blocked(
            f"Yahoo refuses requests from this address (HTTP {status}). It needs no key; it may help to wait."
        )
    code, description = body["chart"]["error"]["code"], body["chart"]["error"]["description"]
    if status == 404 and code == "Not Found":
        return NotFound("Yahoo has no prices for that ticker.")
    if status == 400 and description.startswith("Data doesn't exist for startDate"):
        return NoTrading("Yahoo has no prices for those days.")
    return None
