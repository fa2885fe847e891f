"""A transcript that kills its reader, or that a model declines, is given up, and keeps no other waiting."""

from pathlib import Path
from threading import Barrier, Event, Thread
from typing import Any

import pytest

from functions.record.models.records import MAX_INTERRUPTIONS, AnalysisStatus, Video
from functions.record.models.runs import RunKind
from functions.record.pipeline import finish_run, list_videos, price_calls, process_video, record_failed_video
from functions.record.pipeline.reasons import as_caught
from functions.record.runs.attempts import INTERRUPTED, attempt
from functions.record.store import runs
from functions.record.store.channels import channel_by_id, create_channel
from functions.record.store.logs import logs_of_channel
from functions.record.store.uploads import unread_of_video
from functions.record.store.videos import count_attempt, videos_of_channel
from functions.record.uploads.accept import hand_in_transcript
from functions.record.uploads.resend import request_lost_readings
from functions.runtime import ids
from functions.runtime.dispatch import ReadTranscript, job_to_message
from functions.runtime.provider_errors import Declined
from functions.runtime.settings import settings
from functions.service.pipeline import run_jobs
from local.runner import END_OF_TIME
from tests.builders import a_channel
from tests.crashes import Crash
from tests.fakes import FakeAnalyst, RecordingDispatcher, World, some_videos

POISON = "NVDA buy"


@pytest.fixture
def world(tables: str, kept_transcripts: Path, monkeypatch: pytest.MonkeyPatch) -> World:
    RecordingDispatcher().install(monkeypatch)
    return World().install(monkeypatch)


@pytest.fixture
def channel_id(world: World) -> str:
    channel = a_channel()
    create_channel(channel)
    return channel.id


def poisoned(problem: BaseException) -> Any:
    def read(text: str) -> Any:
        if text == POISON:
            raise problem
        return FakeAnalyst.statements(text)

    return read


def started(channel_id: str, kind: RunKind = RunKind.PROCESS) -> str:
    run_id = ids.new_run_id()
    runs.claim_run(channel_id, run_id, kind=kind)
    return run_id


def worked_through(channel_id: str, run_id: str) -> None:
    """Does a run until it ends or its worker dies."""
    run = {"channel_id": channel_id, "run_id": run_id}
    listed = list_videos.handler(run, None)
    if listed["nothing_to_do"]:
        return
    for video_id in listed["video_ids"]:
        video = {**run, "video_id": video_id}
        try:
            process_video.handler(video, None)
        except Exception as problem:
            record_failed_video.handler({**video, "error": as_caught(problem)}, None)
    price_calls.handler({**run, "checks": 99}, None)
    finish_run.handler(run, None)


def until_it_ends(channel_id: str, run_id: str) -> int:
    """Takes the run over each time its worker dies; returns how often that was."""
    for deaths in range(10):
        try:
            worked_through(channel_id, run_id)
            return deaths
        except Crash:
            run_id = ids.new_run_id()
            runs.take_over_run(channel_id, run_id, "The run was interrupted.", lease_before="9999")
    raise AssertionError("the run never ended")


def videos(channel_id: str) -> dict[str, Video]:
    return {video.youtube_video_id: video for video in videos_of_channel(channel_id, consistent=True)}


def times_read(world: World) -> int:
    return sum(speech.text == POISON for speech in world.analyst.speeches)


def read_upload(channel_id: str, video_id: str) -> bool:
    """Does the job as the queue's worker does; returns True if it is to be tried again."""
    message = job_to_message(ReadTranscript(channel_id, video_id))
    record = {"messageId": "1", "body": message, "attributes": {"ApproximateReceiveCount": "1"}}
    return bool(run_jobs.handler({"Records": [record]}, None)["batchItemFailures"])


class TestRuns:
    def test_one_poisoned_video_among_ten_is_given_up_and_the_others_are_read(
        self, world: World, channel_id: str
    ) -> None:
        world.videos.listed = some_videos(10)
        world.transcripts.texts["video000004"] = POISON
        world.analyst.read = poisoned(Crash())

        deaths = until_it_ends(channel_id, started(channel_id))

        found = videos(channel_id)
        given_up = found.pop("video000004")
        assert deaths == times_read(world) == MAX_INTERRUPTIONS
        assert {video.analysis_status for video in found.values()} == {AnalysisStatus.COMPLETED}
        assert (given_up.analysis_status, given_up.problem) == (AnalysisStatus.FAILED, INTERRUPTED)
        assert f"“Video 4”: failed. {INTERRUPTED}" in [line.message for line in logs_of_channel(channel_id)]

    def test_only_a_person_has_it_read_again(self, world: World, channel_id: str) -> None:
        world.videos.listed = some_videos(2)
        world.transcripts.texts["video000000"] = POISON
        world.analyst.read = poisoned(Crash())
        until_it_ends(channel_id, started(channel_id))

        until_it_ends(channel_id, started(channel_id, RunKind.CHECK))
        assert times_read(world) == MAX_INTERRUPTIONS

        until_it_ends(channel_id, started(channel_id))
        assert times_read(world) == 2 * MAX_INTERRUPTIONS

        world.analyst.read = None
        until_it_ends(channel_id, started(channel_id))
        video = videos(channel_id)["video000000"]
        assert (video.analysis_status, video.interrupted, video.problem) == (AnalysisStatus.COMPLETED, None, None)

    def test_a_reread_that_kills_its_reader_leaves_the_earlier_reading(self, world: World, channel_id: str) -> None:
        world.videos.listed = some_videos(2)
        world.transcripts.texts["video000000"] = POISON
        until_it_ends(channel_id, started(channel_id))
        world.analyst.read, world.analyst.name = poisoned(Crash()), "fake 2.0"
        world.analyst.speeches.clear()

        assert until_it_ends(channel_id, started(channel_id, RunKind.REREAD)) == MAX_INTERRUPTIONS
        assert times_read(world) == MAX_INTERRUPTIONS
        poison, other = (videos(channel_id)[f"video00000{number}"] for number in (0, 1))
        assert (poison.tickers, poison.analyst, other.analyst) == (("NVDA",), "fake 1.0", "fake 2.0")

        world.analyst.read = None
        assert until_it_ends(channel_id, started(channel_id, RunKind.REREAD)) == 0
        assert videos(channel_id)["video000000"].analyst == "fake 2.0"

    def test_a_refusal_is_final(self, world: World, channel_id: str) -> None:
        world.videos.listed = some_videos(2)
        world.transcripts.texts["video000000"] = POISON
        world.analyst.read = poisoned(Declined("The model declined to answer."))

        for kind in (RunKind.PROCESS, RunKind.CHECK, RunKind.CHECK):
            worked_through(channel_id, started(channel_id, kind))

        video = videos(channel_id)["video000000"]
        assert times_read(world) == 1
        assert (video.analysis_status, video.problem) == (AnalysisStatus.FAILED, "The model declined to answer.")

        world.analyst.read = None
        worked_through(channel_id, started(channel_id))
        assert videos(channel_id)["video000000"].declined is None

    def test_errors_that_leave_the_worker_alive_are_not_counted(self, world: World, channel_id: str) -> None:
        world.videos.listed = some_videos(1)
        world.transcripts.texts["video000000"] = POISON
        world.analyst.read = poisoned(ValueError("a bug"))

        for _ in range(MAX_INTERRUPTIONS + 1):
            worked_through(channel_id, started(channel_id))

        assert times_read(world) == MAX_INTERRUPTIONS + 1
        assert videos(channel_id)["video000000"].interrupted is None

    def test_the_attempt_is_counted_before_the_work(self, world: World, channel_id: str) -> None:
        world.videos.listed = some_videos(1)
        seen: list[int | None] = []
        world.analyst.read = lambda text: seen.append(videos(channel_id)["video000000"].interrupted) or []

        worked_through(channel_id, started(channel_id))

        assert seen == [1]
        assert videos(channel_id)["video000000"].interrupted is None

    def test_a_video_whose_reading_was_interrupted_is_read_alone(self, world: World, channel_id: str) -> None:
        world.videos.listed = some_videos(2)
        list_videos.handler({"channel_id": channel_id, "run_id": started(channel_id)}, None)
        suspect, other = videos(channel_id).values()
        count_attempt(suspect)
        suspect = videos(channel_id)[suspect.youtube_video_id]
        both, end, others_began = Barrier(2), Event(), Event()

        def read(video: Video) -> None:
            with attempt(video):
                if video.interrupted:
                    both.wait(10)
                    end.wait(10)
                else:
                    others_began.set()

        threads = [Thread(target=read, args=(video,)) for video in (suspect, other)]
        threads[0].start()
        both.wait(10)
        threads[1].start()

        assert not others_began.wait(0.3)
        end.set()
        assert others_began.wait(10)
        for thread in threads:
            thread.join()


class TestUploads:
    @pytest.fixture
    def video(self, world: World, channel_id: str) -> Video:
        world.videos.listed = some_videos(1)
        world.transcripts.texts["video000000"] = None
        worked_through(channel_id, started(channel_id))
        (video,) = videos(channel_id).values()
        return video

    def test_an_upload_that_kills_its_reader_is_given_up(self, world: World, video: Video) -> None:
        world.analyst.read = poisoned(Crash())
        hand_in_transcript(video.channel_id, video.id, POISON.encode())

        for _ in range(MAX_INTERRUPTIONS):
            with pytest.raises(Crash):
                read_upload(video.channel_id, video.id)
        assert not read_upload(video.channel_id, video.id)

        assert times_read(world) == MAX_INTERRUPTIONS
        assert unread_of_video(video.channel_id, video.id) is None
        assert videos(video.channel_id)["video000000"].problem == INTERRUPTED
        assert INTERRUPTED in logs_of_channel(video.channel_id)[-1].message

    def test_another_upload_is_read(self, world: World, video: Video) -> None:
        self.test_an_upload_that_kills_its_reader_is_given_up(world, video)

        hand_in_transcript(video.channel_id, video.id, b"AAPL buy")
        read_upload(video.channel_id, video.id)

        after = videos(video.channel_id)["video000000"]
        assert (after.tickers, after.problem) == (("AAPL",), None)

    def test_a_refusal_of_an_upload_is_final(self, world: World, video: Video) -> None:
        world.analyst.read = poisoned(Declined("The model declined to answer."))
        hand_in_transcript(video.channel_id, video.id, POISON.encode())

        assert not read_upload(video.channel_id, video.id)
        assert not read_upload(video.channel_id, video.id)

        assert times_read(world) == 1
        assert videos(video.channel_id)["video000000"].problem == "The model declined to answer."
        assert request_lost_readings(END_OF_TIME) == []

    def test_a_run_that_a_person_begins_reads_a_given_up_upload(self, world: World, video: Video) -> None:
        self.test_a_refusal_of_an_upload_is_final(world, video)
        world.analyst.read = None

        worked_through(video.channel_id, started(video.channel_id))

        assert videos(video.channel_id)["video000000"].tickers == ("NVDA",)
        channel = channel_by_id(video.channel_id)
        assert channel and channel.processed_video_count == channel.video_count == 1


def test_a_longer_transcript_is_read_in_part_and_the_log_says_so(
    world: World, channel_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MAX_TRANSCRIPT_WORDS", "4")
    settings.cache_clear()
    world.videos.listed = some_videos(1)
    world.transcripts.default = "AAPL buy, TSLA sell, NVDA buy"

    worked_through(channel_id, started(channel_id))

    assert videos(channel_id)["video000000"].tickers == ("AAPL", "TSLA")
    said = "“Video 0”: AAPL buy, TSLA sell. Only its first 4 words were read (MAX_TRANSCRIPT_WORDS)."
    assert said in [line.message for line in logs_of_channel(channel_id)]
