"""Captions that YouTube withholds for a while: waited for, then told as blocked, and never taken for missing ones."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from functions.record.pipeline import finish_run, process_video, record_failed_video
from functions.record.pipeline.reasons import as_caught
from functions.record.sources import rate_limit as pace
from functions.record.sources.youtube_captions import TranscriptsFolder, YouTubeTranscripts
from functions.record.store import runs
from functions.record.store.channels import channel_by_id
from functions.record.store.logs import logs_of_channel
from functions.record.store.videos import videos_of_channel
from functions.runtime.dynamodb import rate_limits as stored_pace
from functions.runtime.errors import TransientError
from functions.runtime.provider_errors import Refused
from tests.builders import a_channel, in_a_run
from tests.fakes import RecordingDispatcher, World
from tests.live_responses import player, serve_transcript
from tests.stub import Stub

WITHHELD = player({"status": "UNPLAYABLE", "reason": "This content isn't available, try again later."})
PLAYER = "/youtubei/v1/player"


class Clock:
    def __init__(self) -> None:
        self.now = 1_700_000_000.0

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


@pytest.fixture
def stub() -> Iterator[Stub]:
    stub = Stub()
    serve_transcript(stub, "AAPL buy")
    yield stub
    stub.close()


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(pace, "wait_for_turn", _by(clock, stored_pace.wait_for_turn, sleep=clock.sleep))
    monkeypatch.setattr(pace, "hold_longer", _by(clock, stored_pace.hold_longer))
    return clock


@pytest.fixture
def world(tables: str, monkeypatch: pytest.MonkeyPatch, stub: Stub, clock: Clock) -> World:
    RecordingDispatcher().install(monkeypatch)
    world = World().install(monkeypatch)
    world.transcripts = YouTubeTranscripts(base_url=stub.url, pace=pace.CaptionsRateLimit())  # type: ignore[assignment]
    return world


def _by(clock: Clock, function: Any, **options: Any) -> Any:
    return lambda *arguments: function(*arguments, clock=clock, **options)


def a_run(videos: int) -> tuple[dict[str, str], list[dict[str, str]]]:
    channel = a_channel()
    run_id, listed = in_a_run(channel, videos)
    run = {"channel_id": channel.id, "run_id": run_id}
    return run, [{**run, "video_id": video.id} for video in listed]


def process(video: dict[str, str]) -> None:
    """As both runners do: five attempts, then the failure is recorded."""
    for attempt in range(1, 6):
        try:
            return process_video.handler(video, None)
        except TransientError as problem:
            if attempt == 5:
                record_failed_video.handler({**video, "error": as_caught(problem)}, None)
        except Refused as problem:
            return record_failed_video.handler({**video, "error": as_caught(problem)}, None)
    return None


def statuses(run: dict[str, str]) -> list[tuple[str, str]]:
    videos = sorted(videos_of_channel(run["channel_id"], consistent=True), key=lambda video: video.youtube_video_id)
    return [(str(video.transcript_status), str(video.analysis_status)) for video in videos]


def lines(run: dict[str, str]) -> list[str]:
    return [line.message for line in logs_of_channel(run["channel_id"], consistent=True)]


def test_captions_that_are_withheld_for_a_while_cost_no_video(world: World, stub: Stub, clock: Clock) -> None:
    stub.on(PLAYER, WITHHELD, WITHHELD, WITHHELD, player())
    run, videos = a_run(2)
    began = clock.now

    for video in videos:
        process(video)

    assert statuses(run) == [("fetched", "completed")] * 2
    assert clock.now - began >= 30 + 60 + 120
    assert [line for line in lines(run) if line.startswith("YouTube")] == [
        f"YouTube withholds captions: the next ones are requested in {seconds} seconds." for seconds in (30, 60, 120)
    ]


def test_a_blocked_address_fails_the_videos_with_what_to_do_and_sends_no_more_requests(
    world: World, stub: Stub
) -> None:
    stub.on(PLAYER, WITHHELD)
    run, videos = a_run(20)

    for video in videos:
        process(video)
    finish_run.handler(run, None)

    assert statuses(run) == [("failed", "failed")] * 20
    assert sum(request.path == PLAYER for request in stub.requests) == 4
    assert sum("Process the channel again in an hour" in line for line in lines(run)) == 20
    channel = channel_by_id(run["channel_id"])
    assert channel and channel.status == "failed"


def test_the_next_run_reads_what_was_withheld(world: World, stub: Stub, clock: Clock) -> None:
    stub.on(PLAYER, WITHHELD)
    run, (video,) = a_run(1)
    process(video)
    finish_run.handler(run, None)
    stub.on(PLAYER, player())
    clock.now += 3600
    runs.claim_run(run["channel_id"], "next")
    runs.begin_run(run["channel_id"], "next", "Started again")

    process({**video, "run_id": "next"})

    assert statuses(run) == [("fetched", "completed")]


def test_a_transcript_that_was_handed_in_is_read_while_youtube_blocks(world: World, stub: Stub, tmp_path: Path) -> None:
    stub.on(PLAYER, WITHHELD)
    world.transcripts = TranscriptsFolder(tmp_path, world.transcripts)  # type: ignore[assignment]
    (tmp_path / "Some title [video000001].en.srt").write_text("1\n00:00:01,000 --> 00:00:02,000\nTSLA sell\n")
    run, videos = a_run(2)

    for video in videos:
        process(video)

    assert statuses(run) == [("failed", "failed"), ("fetched", "completed")]


def test_a_video_without_captions_slows_nobody_down(world: World, stub: Stub, clock: Clock) -> None:
    stub.on(PLAYER, player(languages=()))
    run, videos = a_run(3)

    for video in videos:
        process(video)

    assert statuses(run) == [("unavailable", "skipped")] * 3
    assert clock.now - Clock().now <= 3
