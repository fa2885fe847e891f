"""A dispatcher that records what it is given, and channels that are already filled."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

import pytest

from functions.core import ids
from functions.core.models import Channel, ChannelStatus, LogLevel, Video
from functions.providers import dispatch
from functions.providers.dispatch import Job
from functions.store import runs
from functions.store.connection import main_table
from functions.store.requests import batch_put
from tests.builders import a_channel, a_mention, a_video, commit, finished, in_a_run


@dataclass
class RecordingDispatcher:
    started: list[tuple[str, str]] = field(default_factory=list)
    stopped: list[tuple[str, str]] = field(default_factory=list)
    sent: list[Job] = field(default_factory=list)
    problem: Exception | None = None
    """Raised by the next hand-over, if there is one."""

    def start_run(self, channel_id: str, run_id: str) -> None:
        self._fail()
        self.started.append((channel_id, run_id))

    def stop_run(self, channel_id: str, run_id: str) -> None:
        self.stopped.append((channel_id, run_id))

    def send(self, job: Job) -> None:
        self._fail()
        self.sent.append(job)

    def _fail(self) -> None:
        if self.problem:
            raise self.problem


@pytest.fixture(autouse=True)
def dispatched(monkeypatch: pytest.MonkeyPatch) -> RecordingDispatcher:
    monkeypatch.setattr(dispatch, "_dispatchers", [])
    recording = RecordingDispatcher()
    dispatch.dispatch_with(recording)
    return recording


def a_finished_channel(videos: Iterable[tuple[str, tuple[str, ...]]] = (("2024-03-01", ("AAPL",)),)) -> Channel:
    """A stored channel whose run is over, with a video for each day and the tickers it speaks of."""
    channel = a_channel()
    run_id, _ = in_a_run(channel)
    listed = [
        (a_video(channel.id, f"video{number:06d}", published_at=day), tickers)
        for number, (day, tickers) in enumerate(videos)
    ]
    runs.add_videos(channel.id, run_id, [video for video, _ in listed])
    runs.set_video_counts(channel.id, run_id, len(listed), 0, f"Found {len(listed)} videos")
    for video, tickers in listed:
        commit(run_id, video, *tickers)
    runs.finish_run(channel.id, run_id, ChannelStatus.COMPLETED, LogLevel.INFO, "Finished")
    return channel


def fill(channel: Channel, videos: int, tickers: Iterable[str], snippet: str = "I am buying.") -> list[Video]:
    """Puts videos of rising days, each with a mention of every ticker, below a stored channel, past all conditions."""
    run_id = ids.new_run_id()
    named = tuple(tickers)
    filled = [
        finished(
            a_video(
                channel.id, f"video{number:06d}", published_at=f"2024-{number // 28 % 12 + 1:02d}-{number % 28 + 1:02d}"
            ),
            run_id,
            named,
        )
        for number in range(videos)
    ]
    mentions = [a_mention(video, ticker, context_snippet=snippet) for video in filled for ticker in named]
    batch_put(main_table(), [entity.to_item() for entity in (*filled, *mentions)])
    return filled


def newest_first(videos: Iterable[Video]) -> list[str]:
    return [video.id for video in sorted(videos, key=lambda video: (video.published_at, video.id), reverse=True)]


def with_changes(channel: Channel, **changes: object) -> Channel:
    return replace(channel, **changes)  # type: ignore[arg-type]
