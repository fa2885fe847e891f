"""YouTube, its captions and Yahoo on one loopback server, so that the whole product runs with live providers."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from functions.runtime.new_york import NEW_YORK
from tests.live_responses import (
    at_new_york,
    captions,
    channel,
    chart_error,
    listing,
    player,
    upload,
    watch_page,
)
from tests.stub import Request, Response, Stub, html_response, json_response

WITHHELD = player({"status": "UNPLAYABLE", "reason": "This content isn't available, try again later."})
BENCHMARK = "SPY"


def slow_down(seconds: int) -> Response:
    return Response(429, b"Too Many Requests", {"Retry-After": str(seconds)})


@dataclass(frozen=True)
class Upload:
    video_id: str
    published: datetime
    words: str


@dataclass
class LiveServices:
    """The data that the services serve; a test changes it between requests, as the outside world does."""

    stub: Stub = field(default_factory=Stub)
    uploads: list[Upload] = field(default_factory=list)
    closes: dict[str, dict[date, float]] = field(default_factory=dict)
    """By ticker as Yahoo spells it, in the shares of today."""
    splits: dict[str, dict[date, int]] = field(default_factory=dict)
    yahoo_faults: list[Response] = field(default_factory=list)
    """Each is the response to one request, before others are served."""
    caption_faults: list[Response] = field(default_factory=list)
    yahoo_is_blocked: bool = False

    def __post_init__(self) -> None:
        self.stub.everywhere(self._respond)

    def settings(self) -> dict[str, str]:
        """The environment of a server that uses these services."""
        return {
            "PROVIDERS": "live",
            "YOUTUBE_API_KEY": "any",
            "YOUTUBE_BASE_URL": f"{self.stub.url}/youtube",
            "TRANSCRIPT_BASE_URL": f"{self.stub.url}/captions",
            "YAHOO_BASE_URL": f"{self.stub.url}/yahoo",
        }

    def publish(self, video_id: str, published: datetime, words: str) -> None:
        self.uploads.append(Upload(video_id, published, words))

    def list_shares(self, *tickers: str, last_day: date, years: int = 2) -> None:
        """With a close on each weekday, another one each day."""
        days = [last_day - timedelta(days=number) for number in range(365 * years, -1, -1)]
        weekdays = [day for day in days if day.weekday() < 5]
        for ticker in (*tickers, BENCHMARK):
            self.closes[ticker] = {day: 100 + number / 4 for number, day in enumerate(weekdays)}

    def split(self, ticker: str, day: date, ratio: int) -> None:
        """A new day, from which on there are this many shares for one; Yahoo states all closes in the new ones."""
        self.splits.setdefault(ticker, {})[day] = ratio
        restated = {each: close / ratio for each, close in self.closes[ticker].items()}
        self.closes[ticker] = {**restated, day: restated[max(restated)]}

    def series_requests(self) -> Counter[str]:
        """How often the closes of each ticker were requested."""
        return Counter(
            request.path.removeprefix("/yahoo/") for request in self.stub.requests if "period1" in request.query
        )

    def close(self) -> None:
        self.stub.close()

    def _respond(self, request: Request) -> Response:
        service, _, rest = request.path.removeprefix("/").partition("/")
        match service, rest:
            case "youtube", "channels":
                return listing(channel("UClive0000000000000000000", "Live Channel"))
            case "youtube", "playlistItems":
                return listing(*(upload(each.video_id, _utc(each.published), each.video_id) for each in self.uploads))
            case "captions", "watch":
                return watch_page()
            case "captions", "youtubei/v1/player":
                return self.caption_faults.pop(0) if self.caption_faults else player(video=request.json["videoId"])
            case "captions", "api/timedtext":
                return captions(next(each.words for each in self.uploads if each.video_id == request.query["v"]))
            case "yahoo", ticker:
                return self._chart(ticker, request.query)
        return html_response(404)

    def _chart(self, ticker: str, query: Mapping[str, str]) -> Response:
        if self.yahoo_is_blocked:
            return Response(401, b'{"finance": {"error": {"code": "Unauthorized"}}}')
        if self.yahoo_faults:
            return self.yahoo_faults.pop(0)
        if ticker not in self.closes:
            return chart_error(404, "Not Found", "No data found, symbol may be delisted")
        closes = self.closes[ticker]
        last_day = max(closes)
        if "period1" in query:
            start, end = (datetime.fromtimestamp(int(query[name]), UTC) for name in ("period1", "period2"))
            shown = {day: close for day, close in closes.items() if start <= _open(day) < end}
        else:
            shown = {last_day: closes[last_day]}
        return json_response({"chart": {"result": [self._result(ticker, shown, last_day)], "error": None}})

    def _result(self, ticker: str, shown: dict[date, float], last_day: date) -> dict[str, Any]:
        splits = {
            str(at_new_york(day)): {"date": at_new_york(day), "numerator": ratio, "denominator": 1}
            for day, ratio in self.splits.get(ticker, {}).items()
            if day in shown
        }
        return {
            "meta": {
                "symbol": ticker,
                "currency": "USD",
                "exchangeTimezoneName": "America/New_York",
                "regularMarketPrice": self.closes[ticker][last_day],
                "regularMarketTime": at_new_york(last_day, 16, 0),
            },
            "timestamp": [at_new_york(day) for day in shown],
            "indicators": {
                "quote": [{"close": list(shown.values())}],
                "adjclose": [{"adjclose": list(shown.values())}],
            },
            **({"events": {"splits": splits}} if splits else {}),
        }


def last_weekdays(count: int) -> list[date]:
    """The last ones in New York whose sessions are certainly over, oldest first."""
    today = datetime.now(NEW_YORK).date()
    days = (today - timedelta(days=number) for number in range(1, 2 * count + 7))
    return [day for day in days if day.weekday() < 5][:count][::-1]


def in_new_york(day: date, hour: int, minute: int = 0) -> datetime:
    return datetime.combine(day, time(hour, minute), NEW_YORK)


def _open(day: date) -> datetime:
    return in_new_york(day, 9, 30)


def _utc(time: datetime) -> str:
    return time.astimezone(UTC).isoformat().replace("+00:00", "Z")
