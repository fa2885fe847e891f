"""A live provider that fails in a run or in a request: its key is in no log, no response and no table."""

import io
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest

from functions.reading import analysts
from functions.record.channels import channels
from functions.record.sources import selection
from functions.record.sources.prices.tiingo import TiingoPrices
from functions.record.sources.youtube_captions import YouTubeTranscripts
from functions.record.store.channels import channel_by_id
from functions.record.store.logs import logs_of_channel
from functions.runtime import dispatch
from local.runner import Runner
from tests.events import call
from tests.fakes import RecordingDispatcher, World, eventually, everything, some_videos
from tests.live_responses import IMPATIENT
from tests.stub import Response, Stub, html_response
from tests.unit.record.test_keys_stay_hidden import ECHO, KEY, Make, finnhub, openai, youtube

NOT_JSON = html_response(503)
"""Tried again and again, and then given up."""


def proxied_transcripts(stub: Stub, key: str) -> YouTubeTranscripts:
    return YouTubeTranscripts(proxy_url=stub.url.replace("//", f"//user:{key}@"), timeouts=(1.0, 1.0))


def tiingo(stub: Stub, key: str) -> TiingoPrices:
    return TiingoPrices(key, stub.url, limits=IMPATIENT, clock=lambda: datetime(2024, 6, 28, 20, tzinfo=UTC))


PROVIDERS = [
    pytest.param("videos", youtube, id="youtube"),
    pytest.param("transcripts", proxied_transcripts, id="transcripts"),
    pytest.param("analyst", openai, id="openai"),
    pytest.param("prices", tiingo, id="tiingo"),
]


@pytest.fixture
def stub() -> Iterator[Stub]:
    server = Stub()
    yield server
    server.close()


@pytest.fixture
def world(tables: str, monkeypatch: pytest.MonkeyPatch) -> World:
    world = World().install(monkeypatch)
    world.videos.listed = some_videos(2)
    return world


def use(monkeypatch: pytest.MonkeyPatch, what: str, provider: Any) -> None:
    monkeypatch.setattr(analysts if what == "analyst" else selection, what, lambda: provider)
    if what == "prices":
        monkeypatch.setattr("functions.record.prices.current.prices", lambda: provider)


@pytest.mark.parametrize("response", [ECHO, NOT_JSON], ids=["repeats the key", "has a fault"])
@pytest.mark.parametrize(("what", "make"), PROVIDERS)
def test_a_run_that_fails_tells_why_and_not_the_key(
    world: World,
    stub: Stub,
    monkeypatch: pytest.MonkeyPatch,
    written_log: io.StringIO,
    what: str,
    make: Make,
    response: Response,
) -> None:
    stub.everywhere(response)
    use(monkeypatch, what, make(stub, KEY))
    runner = Runner(videos_at_once=2, pause=lambda _: False)
    monkeypatch.setattr(dispatch, "_dispatchers", [runner])

    channel_id = channels.create_channel("https://www.youtube.com/@someone", 12).id
    try:
        eventually(lambda: (found := channel_by_id(channel_id)) and found.status in ("completed", "failed"))
    finally:
        runner.stop()

    told = " ".join(line.message for line in logs_of_channel(channel_id, consistent=True))
    assert "not found" in told or "failed" in told.lower()
    assert KEY not in f"{told} {written_log.getvalue()} {everything()}"


@pytest.mark.parametrize("response", [ECHO, NOT_JSON], ids=["repeats the key", "has a fault"])
@pytest.mark.parametrize(
    ("make", "path", "query", "status"),
    [
        (tiingo, "/api/stocks/AAPL/price", "", 200),
        (finnhub, "/api/stocks/AAPL/price", "", 200),
        (tiingo, "/api/stocks/AAPL/history", "start=2024-01-01&end=2024-01-31", 503),
    ],
)
def test_a_request_that_fails_tells_why_and_not_the_key(
    world: World,
    stub: Stub,
    monkeypatch: pytest.MonkeyPatch,
    written_log: io.StringIO,
    make: Make,
    path: str,
    query: str,
    status: int,
    response: Response,
) -> None:
    stub.everywhere(response)
    use(monkeypatch, "prices", make(stub, KEY))
    RecordingDispatcher().install(monkeypatch)

    told = call("GET", path, query=query)

    assert stub.requests
    assert told.status == status
    assert told.json().get("error") or told.json().get("detail")
    assert KEY not in f"{told.text} {told.headers} {written_log.getvalue()} {everything()}"
