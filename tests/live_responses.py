"""Responses in the shapes that the live services document, and clients that call the stub instead of them."""

from datetime import UTC, date, datetime
from typing import Any
from zoneinfo import ZoneInfo

import boto3
import requests
from botocore.config import Config
from requests.adapters import HTTPAdapter

from functions.runtime.http.outbound import Limits
from tests.stub import Response, Stub, json_response

IMPATIENT = Limits(connect_seconds=1.0, read_seconds=0.2, total_seconds=1.0, bytes=50_000)
VIDEO = "dQw4w9WgXcQ"
UNLISTED = "ZZZZ"


def channel(id: str = "UCabc", title: str = "Money Talks", **snippet: Any) -> dict[str, Any]:
    thumbnails = {"default": {"url": "https://pictures.example/88.jpg"}}
    return {
        "kind": "youtube#channel",
        "id": id,
        "snippet": {"title": title, "thumbnails": thumbnails, **snippet},
        "contentDetails": {"relatedPlaylists": {"likes": "", "uploads": f"UU{id[2:]}"}},
    }


def upload(video_id: str, published_at: str | None, title: str = "Stocks this week") -> dict[str, Any]:
    details = {"videoId": video_id} | ({"videoPublishedAt": published_at} if published_at else {})
    thumbnails = {"default": {"url": "https://pictures.example/v.jpg"}} if published_at else {}
    return {
        "kind": "youtube#playlistItem",
        "snippet": {"title": title, "thumbnails": thumbnails, "resourceId": {"videoId": video_id}},
        "contentDetails": details,
    }


def listing(*items: dict[str, Any], next_page: str | None = None) -> Response:
    return json_response({"items": list(items)} | ({"nextPageToken": next_page} if next_page else {}))


def google_error(status: int, reason: str, /, **detail: Any) -> Response:
    error = {
        "code": status,
        "message": "Told by the service.",
        "errors": [{"message": "Told by the service.", "domain": "usageLimits", "reason": reason}],
        "details": [{"@type": "type.googleapis.com/google.rpc.ErrorInfo", **detail}] if detail else [],
    }
    return json_response({"error": error}, status)


def at_new_york(day: date, hour: int = 9, minute: int = 30) -> int:
    local_time = datetime(day.year, day.month, day.day, hour, minute, tzinfo=ZoneInfo("America/New_York"))
    return int(local_time.timestamp())


def chart(
    rows: dict[date, float | None],
    zone: str = "America/New_York",
    splits: dict[date, tuple[float, float]] | None = None,
    adjusted: list[float | None] | None = None,
    **meta: Any,
) -> Response:
    events = {
        str(at_new_york(day)): {"date": at_new_york(day), "numerator": after, "denominator": before, "splitRatio": "x"}
        for day, (after, before) in (splits or {}).items()
    }
    result: dict[str, Any] = {
        "meta": {"symbol": "AAPL", "currency": "USD", "exchangeTimezoneName": zone, **meta},
        **({"events": {"splits": events}} if events else {}),
        "timestamp": [at_new_york(day) for day in rows],
        "indicators": {
            "quote": [{"close": list(rows.values())}],
            "adjclose": [{"adjclose": adjusted or [1.0 for _ in rows]}],
        },
    }
    return json_response({"chart": {"result": [result], "error": None}})


def chart_error(status: int, code: str, description: str) -> Response:
    return json_response({"chart": {"result": None, "error": {"code": code, "description": description}}}, status)


def tiingo_row(day: str, close: float, split: float = 1.0, adjusted: float = 1.0) -> dict[str, Any]:
    row = {"close": close, "adjClose": adjusted, "divCash": 0.0, "splitFactor": split}
    return {"date": f"{day}T00:00:00.000Z", **row}


def call(ticker: str = "AAPL", **changes: Any) -> dict[str, Any]:
    entry = {
        "ticker": ticker,
        "company": "Apple",
        "heard": "Apple",
        "act": "bought",
        "speaker": "host",
        "condition": None,
        "horizon": None,
        "target": None,
        "conviction": 2,
        "sponsored": False,
        "confidence": 0.9,
        "quotes": ["I am buying Apple today"],
    }
    return entry | changes


def converse(calls: Any, stop: str = "tool_use", **block: Any) -> Response:
    use = {"toolUse": {"toolUseId": "t1", "name": "record_statements", "input": {"statements": calls}} | block}
    return json_response(
        {
            "output": {"message": {"role": "assistant", "content": [{"text": "Here it is."}, use]}},
            "stopReason": stop,
            "usage": {"inputTokens": 1, "outputTokens": 1, "totalTokens": 2},
            "metrics": {"latencyMs": 1},
        }
    )


def completion(content: str | None, finish: str = "stop", refusal: str | None = None) -> Response:
    message = {"role": "assistant", "content": content, "refusal": refusal}
    return json_response({"choices": [{"index": 0, "message": message, "finish_reason": finish}]})


def aws_client(service: str, stub: Stub, secret: str = "not-a-secret") -> Any:
    return boto3.client(
        service,
        region_name="us-east-1",
        endpoint_url=stub.url,
        aws_access_key_id="AKIDEXAMPLE",
        aws_secret_access_key=secret,
        config=Config(connect_timeout=1, read_timeout=0.2, retries={"total_max_attempts": 1}),
    )


class _ToStub(HTTPAdapter):
    def __init__(self, stub: Stub) -> None:
        super().__init__()
        self._stub = stub

    def send(self, request: Any, *arguments: Any, **options: Any) -> requests.Response:
        request.url = self._stub.url + request.path_url
        return super().send(request, *arguments, **options)


def session_to(stub: Stub) -> requests.Session:
    session = requests.Session()
    session.mount("https://", _ToStub(stub))
    return session


def watch_page() -> Response:
    return Response(200, b'<html><script>{"INNERTUBE_API_KEY": "page-key"}</script></html>')


def player(
    status: dict[str, Any] | None = None,
    languages: tuple[str, ...] = ("en",),
    extra: str = "",
    video: str = VIDEO,
) -> Response:
    tracks = [
        {
            "baseUrl": f"https://www.youtube.com/api/timedtext?v={video}&lang={language}{extra}",
            "name": {"runs": [{"text": language}]},
            "languageCode": language,
        }
        for language in languages
    ]
    captions = {"captions": {"playerCaptionsTracklistRenderer": {"captionTracks": tracks}}} if tracks else {}
    return json_response({"playabilityStatus": status or {"status": "OK"}, **captions})


def captions(*lines: str) -> Response:
    rows = "".join(f'<text start="{second}" dur="1">{line}</text>' for second, line in enumerate(lines))
    return Response(200, f'<?xml version="1.0" encoding="utf-8" ?><transcript>{rows}</transcript>'.encode())


def serve_transcript(stub: Stub, *lines: str) -> None:
    stub.on("/watch", watch_page())
    stub.on("/youtubei/v1/player", player())
    stub.on("/api/timedtext", captions(*lines))


def noon_utc(day: date) -> datetime:
    return datetime(day.year, day.month, day.day, 17, tzinfo=UTC)
