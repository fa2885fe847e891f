"""Measures how a run uses its workers: providers that take 100 ms a call, against the ideal for that concurrency."""

import time
import tracemalloc
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from bench.measure import table, timed
from functions.reading import analysts
from functions.reading.analyst import Analysis, Speech
from functions.reading.statements import Act, Statement
from functions.reading.statements import Quote as Words
from functions.reading.transcripts import Transcript
from functions.record.channels.channels import create_channel, get_channel
from functions.record.models.records import ChannelStatus
from functions.record.pipeline.keep_score import keep_score
from functions.record.prices import current as pricing
from functions.record.sources import selection
from functions.record.sources.protocols import ChannelInfo, DailyClose, History, Quote, VideoInfo
from functions.record.store.channels import newest_channels
from functions.runtime.dispatch import Job, ScoreChannel, dispatch_with
from functions.steps import VIDEOS_AT_ONCE
from local.runner import Runner

CALL_SECONDS = 0.1
CALLS_IN_A_ROW = 2
"""Transcript and analysis of a video. Its prices are fetched meanwhile, once for each stock."""
VIDEOS = 200
CHANNELS, VIDEOS_OF_A_CHANNEL = 20, 20
MEMORY_VIDEOS = (100, 1000)
TODAY = date(2025, 6, 30)
TICKERS = ("AAPL", "MSFT", "KO")


def bought(ticker: str) -> Statement:
    return Statement(ticker, Act.BOUGHT, (Words("words words", 0),), 0.9)


@dataclass(frozen=True)
class Outside:
    """All four providers in one: a channel of this many videos, and calls as slow as those of a fast web service."""

    videos: int
    seconds: float = CALL_SECONDS
    name: str = "bench"

    def resolve(self, identifier: str) -> ChannelInfo:
        return ChannelInfo(f"UC{identifier.partition(':')[2]}", identifier, None)

    def published_since(self, youtube_channel_id: str, since: date) -> Iterator[VideoInfo]:
        for number in range(self.videos):
            yield VideoInfo(f"{youtube_channel_id}-{number}", f"Video {number}", TODAY - timedelta(days=number % 300))

    def newest(self, youtube_channel_id: str, since: date) -> tuple[ChannelInfo, Iterator[VideoInfo]]:
        return ChannelInfo(youtube_channel_id, youtube_channel_id, None), (
            video for video in self.published_since(youtube_channel_id, since) if video.published_at >= since
        )

    def read(self, youtube_video_id: str) -> Transcript:
        time.sleep(self.seconds)
        return Transcript("words " * 2000, "demo")

    def analyse(self, speech: Speech) -> Analysis:
        time.sleep(self.seconds)
        return Analysis([bought(ticker) for ticker in TICKERS])

    def history(self, ticker: str, start: date, end: date) -> History:
        time.sleep(self.seconds)
        days = (start + timedelta(days=number) for number in range((end - start).days + 1))
        return History(tuple(DailyClose(day, 100.0, 100.0) for day in days if day.weekday() < 5), "demo")

    def quote(self, ticker: str) -> Quote:
        time.sleep(self.seconds)
        return Quote(110.0, TODAY)

    def today(self) -> date:
        return TODAY


def run() -> tuple[str, dict[str, Any]]:
    figures = {
        f"{VIDEOS} videos": _against_ideal(channels=1, videos=VIDEOS),
        f"{CHANNELS} channels of {VIDEOS_OF_A_CHANNEL} videos at once": _against_ideal(CHANNELS, VIDEOS_OF_A_CHANNEL),
    }
    few, many = MEMORY_VIDEOS
    memory = {videos: _peak_memory(videos) for videos in MEMORY_VIDEOS}
    rows = [
        (name, f"{figure['seconds']:.1f}", f"{figure['ideal']:.1f}", f"{figure['ratio']:.2f} x")
        for name, figure in figures.items()
    ]
    title = f"Pipeline, {VIDEOS_AT_ONCE} videos at once, {CALL_SECONDS * 1000:.0f} ms a call"
    text = table(title, ("run", "seconds", "ideal", "ratio"), rows)
    for part in ("run", "score"):
        ratio = memory[many][part] / memory[few][part]
        text += f"\nPeak memory of a {part}: {memory[many][part] / 1e6:.1f} MB with {many} videos, "
        text += f"{ratio:.2f} x that of {few}."
    return text, {**figures, "memory": {str(videos): peaks for videos, peaks in memory.items()}}


def _against_ideal(channels: int, videos: int) -> dict[str, float]:
    seconds = timed(lambda: process(channels, Outside(videos)))
    ideal = channels * videos * CALLS_IN_A_ROW * CALL_SECONDS / VIDEOS_AT_ONCE
    return {"seconds": seconds, "ideal": ideal, "ratio": seconds / ideal}


def _peak_memory(videos: int) -> dict[str, int]:
    """Peak memory of a run, and of the score after it, another function on AWS that holds all calls of the channel."""

    def peak_of(work: Callable[[], object]) -> int:
        tracemalloc.start()
        try:
            work()
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    run = peak_of(lambda: process(1, Outside(videos, seconds=0), RunnerWithoutScores()))
    channel_id = newest_channels(1).items[0].id
    return {"run": run, "score": peak_of(lambda: keep_score(channel_id))}


class RunnerWithoutScores(Runner):
    def send(self, job: Job, delay_seconds: float = 0) -> None:
        if not isinstance(job, ScoreChannel):
            super().send(job, delay_seconds)


def process(channels: int, outside: Outside, runner: Runner | None = None) -> None:
    """Runs this many channels at once and waits for all of them."""
    use_providers(outside)
    runner = runner or Runner()
    dispatch_with(runner)
    names = [f"https://youtube.com/@bench{time.time_ns()}n{number}" for number in range(channels)]
    created = [create_channel(name, 12) for name in names]
    while created:
        time.sleep(0.05)
        created = [channel for channel in created if not _is_completed(channel.id)]
    runner.stop()


def _is_completed(channel_id: str) -> bool:
    status = get_channel(channel_id, consistent=True).status
    if status == ChannelStatus.FAILED:
        raise RuntimeError("the run failed; its log says why")
    return status == ChannelStatus.COMPLETED


def use_providers(outside: Outside) -> None:
    for name in ("videos", "transcripts", "prices"):
        setattr(selection, name, lambda: outside)
    analysts.analyst = lambda: outside  # type: ignore[assignment]
    pricing.prices = selection.prices  # type: ignore[attr-defined]
