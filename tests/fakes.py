"""The outside world in memory: providers that return what a test gives them, and a dispatcher that only records."""

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any

import pytest

from functions.reading import analysts
from functions.reading.analyst import Analysis, Speech
from functions.reading.policy import PLAIN_ACTS
from functions.reading.statements import Act, Statement
from functions.reading.statements import Quote as Words
from functions.reading.terms import Sentiment
from functions.reading.transcripts import Transcript
from functions.record.models.series import Split
from functions.record.sources import selection
from functions.record.sources.protocols import ChannelInfo, DailyClose, History, Quote, VideoInfo
from functions.runtime import dispatch
from functions.runtime.dispatch import Job
from functions.runtime.dynamodb.connection import dynamodb, main_table, news_table, stocks_table
from functions.runtime.provider_errors import NotFound

TODAY = date(2024, 6, 28)
THE_CHANNEL = ChannelInfo("UCfake000000000000000000", "The channel", "https://example.com/picture.jpg")
TICKERS = ("AAPL", "MSFT", "NVDA", "AMZN", "META", "TSLA", "JPM", "KO", "PEP", "WMT")


def some_videos(count: int) -> list[VideoInfo]:
    """Newest first, a day apart."""
    return [
        VideoInfo(f"video{number:06d}", f"Video {number}", TODAY - timedelta(number % 300)) for number in range(count)
    ]


def nothing_happens(_: str) -> None:
    return


@dataclass
class FakeVideos:
    listed: Sequence[VideoInfo] = ()
    info: ChannelInfo = THE_CHANNEL
    before_resolve: Callable[[str], None] = nothing_happens
    checked: list[date] = field(default_factory=list)
    """The first day of each request for what is new."""

    def resolve(self, identifier: str) -> ChannelInfo:
        self.before_resolve(identifier)
        return self.info

    def published_since(self, youtube_channel_id: str, since: date) -> Iterator[VideoInfo]:
        return (video for video in self.listed if video.published_at >= since)

    def newest(self, youtube_channel_id: str, since: date) -> tuple[ChannelInfo, Iterator[VideoInfo]]:
        self.checked.append(since)
        self.before_resolve(youtube_channel_id)
        return self.info, self.published_since(youtube_channel_id, since)


@dataclass
class FakeTranscripts:
    """Every video says `default`, unless `texts` has another; None is a video without transcript."""

    texts: dict[str, str | Transcript | None] = field(default_factory=dict)
    default: str = "AAPL buy"
    before_read: Callable[[str], None] = nothing_happens
    requested: list[str] = field(default_factory=list)

    def read(self, youtube_video_id: str) -> Transcript:
        self.requested.append(youtube_video_id)
        self.before_read(youtube_video_id)
        text = self.texts.get(youtube_video_id, self.default)
        if text is None:
            raise NotFound(f"{youtube_video_id} has no transcript.")
        return text if isinstance(text, Transcript) else Transcript(text, "youtube", "en")


def stated(
    ticker: str,
    sentiment: Sentiment,
    confidence: float,
    words: str,
    possible: Sentiment | None = None,
    position: int = 0,
    **facts: Any,
) -> Statement:
    """The plainest statement that the policy makes this sentiment of."""
    act: Act = PLAIN_ACTS.get(sentiment, sentiment)  # type: ignore[arg-type]
    possible_act = PLAIN_ACTS[possible] if possible else None
    return Statement(ticker, act, (Words(words, position),), confidence, possible_act, **facts)


@dataclass
class FakeAnalyst:
    """Reads transcripts such as `AAPL buy, TSLA sell`, unless it is given another way."""

    read: Callable[[str], Any] | None = None
    name: str = "fake 1.0"
    speeches: list[Speech] = field(default_factory=list)
    """The texts it was given to read."""

    def analyse(self, speech: Speech) -> Analysis:
        self.speeches.append(speech)
        given = self.read(speech.text) if self.read else self.statements(speech.text)
        return given if isinstance(given, Analysis) else Analysis(given)

    @staticmethod
    def statements(transcript: str) -> list[Statement]:
        said = [part.split() for part in transcript.split(",") if part.strip()]
        return [
            stated(ticker, Sentiment(stance), 0.9, f"{ticker} {stance}", position=transcript.find(ticker))
            for ticker, stance in said
        ]


@dataclass(frozen=True)
class Close:
    """A close of a share that pays no dividend."""

    day: date
    price: float


@dataclass
class FakePrices:
    """Closes of 100 on every weekday and a quote of 120 by default; `unknown` tickers have neither."""

    known: dict[str, list[Close]] = field(default_factory=dict)
    unknown: set[str] = field(default_factory=set)
    newest: float = 120.0
    before_closes: Callable[[str], None] = nothing_happens
    before_quote: Callable[[str], None] = nothing_happens
    quoted: list[str] = field(default_factory=list)
    splits: dict[str, tuple[Split, ...]] = field(default_factory=dict)
    last_day: date = TODAY
    requested: list[tuple[str, date]] = field(default_factory=list)
    """The ticker and first day of each request for a history."""

    def history(self, ticker: str, start: date, end: date) -> History:
        self.requested.append((ticker, start))
        closes = self._closes(ticker, start, end)
        if ticker in self.unknown:
            raise NotFound(f"There are no prices of {ticker}.")
        return History(
            tuple(DailyClose(close.day, close.price, close.price) for close in closes),
            "demo",
            tuple(split for split in self.splits.get(ticker, ()) if start <= split.day <= end),
        )

    def _closes(self, ticker: str, start: date, end: date) -> list[Close]:
        self.before_closes(ticker)
        if ticker in self.unknown:
            return []
        if ticker in self.known:
            return [close for close in self.known[ticker] if start <= close.day <= end]
        days = (start + timedelta(number) for number in range((end - start).days + 1))
        return [Close(day, 100.0) for day in days if day.weekday() < 5]

    def quote(self, ticker: str) -> Quote:
        self.quoted.append(ticker)
        self.before_quote(ticker)
        if ticker in self.unknown:
            raise NotFound(f"There is no price of {ticker}.")
        return Quote(self.newest, TODAY)

    def today(self) -> date:
        return self.last_day


@dataclass
class World:
    videos: FakeVideos = field(default_factory=FakeVideos)
    transcripts: FakeTranscripts = field(default_factory=FakeTranscripts)
    analyst: FakeAnalyst = field(default_factory=FakeAnalyst)
    prices: FakePrices = field(default_factory=FakePrices)

    def install(self, monkeypatch: pytest.MonkeyPatch) -> "World":
        from functions.record.prices import current as prices

        for name in ("videos", "transcripts", "analyst", "prices"):
            chooser = analysts if name == "analyst" else selection
            monkeypatch.setattr(chooser, name, lambda name=name: getattr(self, name))
        monkeypatch.setattr(prices, "prices", lambda: self.prices)
        prices._recent_price.cache_clear()
        return self


@dataclass
class RecordingDispatcher:
    """A dispatcher that only records what it is given."""

    started: list[tuple[str, str]] = field(default_factory=list)
    stopped: list[tuple[str, str]] = field(default_factory=list)
    jobs: list[Job] = field(default_factory=list)
    problem: Exception | None = None
    """Raised instead of recording, if it is set."""

    def start_run(self, channel_id: str, run_id: str) -> None:
        self._fail()
        self.started.append((channel_id, run_id))

    def stop_run(self, channel_id: str, run_id: str) -> None:
        self.stopped.append((channel_id, run_id))

    def send(self, job: Job, delay_seconds: float = 0) -> None:
        self._fail()
        self.jobs.append(job)

    def install(self, monkeypatch: pytest.MonkeyPatch) -> "RecordingDispatcher":
        monkeypatch.setattr(dispatch, "_dispatchers", [self])
        return self

    def _fail(self) -> None:
        if self.problem:
            raise self.problem


@dataclass
class ImmediateDispatcher(RecordingDispatcher):
    """A dispatcher that does each job before it returns."""

    def send(self, job: Job, delay_seconds: float = 0) -> None:
        from functions.service.jobs import do_job

        super().send(job)
        do_job(job)


class Gate:
    """Blocks callers until it is opened."""

    def __init__(self, *names: str) -> None:
        self._names = names
        self._arrived = threading.Event()
        self._opened = threading.Event()

    def __call__(self, name: str) -> None:
        if name in self._names:
            self._arrived.set()
            assert self._opened.wait(60), "the gate was never opened"

    def wait_for_someone(self) -> None:
        assert self._arrived.wait(60), "nobody came to the gate"

    def open(self) -> None:
        self._opened.set()


def eventually(holds: Callable[[], Any]) -> Any:
    """Returns the result of `holds` once it is true; fails if it never is."""
    deadline, pause = time.monotonic() + 240, 0.01
    while not (result := holds()):
        assert time.monotonic() < deadline, "this never came true"
        time.sleep(pause)
        # A poll may be a request that keeps the server busy.
        pause = min(pause * 1.5, 0.1)
    return result


KEYS = ("PK", "SK", "ticker", "source_id", "timestamp")


def everything() -> dict[str, Any]:
    """Every item of all tables, by its key."""
    items: dict[str, Any] = {}
    for table in (main_table(), stocks_table(), news_table()):
        for page in dynamodb().get_paginator("scan").paginate(TableName=table):
            for item in page["Items"]:
                items["/".join(item[name]["S"] for name in KEYS if name in item)] = item
    return items
