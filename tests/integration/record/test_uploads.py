"""Transcripts that are handed in: each is read once, whatever happens in between, and the record and logs tell it."""

from collections.abc import Callable, Iterator
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from functions.reading.errors import EmptyTranscript, NotText
from functions.reading.terms import Sentiment
from functions.record.channels.changes import changes_of_channel
from functions.record.errors import ChannelNotFound, ChannelUnderWay, VideoNotFound
from functions.record.models.records import (
    AnalysisStatus,
    ChangeKind,
    Channel,
    LogLevel,
    Review,
    ReviewOutcome,
    TranscriptStatus,
    Unread,
    Video,
)
from functions.record.models.runs import RunKind
from functions.record.pipeline import finish_run, list_videos, price_calls, process_video, update_prices
from functions.record.pipeline.keep_score import keep_score
from functions.record.runs import attempts
from functions.record.runs.failures import UnusableResponse
from functions.record.store import runs
from functions.record.store import uploads as unread
from functions.record.store.channels import channel_by_id, create_channel, delete_channel
from functions.record.store.kept_transcripts import keep_transcript, kept_transcript
from functions.record.store.logs import logs_of_channel
from functions.record.store.mentions import mentions_of_channel
from functions.record.store.readings import MAX_MENTIONS_PER_VIDEO
from functions.record.store.uploads import commit_reading, due_unread, unread_of_video
from functions.record.store.videos import video_by_id, videos_of_channel
from functions.record.uploads import accept as handing_in
from functions.record.uploads import read as handed_in
from functions.record.uploads.accept import hand_in_transcript
from functions.record.uploads.read import MAX_ATTEMPTS, read_handed_in
from functions.record.uploads.resend import request_lost_readings
from functions.runtime import ids
from functions.runtime.caller import Caller
from functions.runtime.dispatch import ReadTranscript, ScoreChannel, UpdateSeries, job_from_message, job_to_message
from functions.runtime.dynamodb import tables
from functions.runtime.dynamodb.attributes import encode
from functions.runtime.dynamodb.connection import dynamodb, main_table
from functions.runtime.provider_errors import Unavailable
from functions.runtime.settings import settings
from functions.service.jobs import do_job
from functions.service.pipeline import run_jobs
from local.entities import put_entities
from local.runner import END_OF_TIME
from operations import check
from tests.builders import a_channel, a_video, in_a_run
from tests.crashes import Crash, crash_at_write
from tests.fakes import ImmediateDispatcher, RecordingDispatcher, World, everything, some_videos

SRT = b"1\n00:00:05,000 --> 00:00:07,000\nAAPL buy,\n\n2\n00:01:23,000 --> 00:01:25,000\nTSLA sell\n"


@pytest.fixture
def folder(kept_transcripts: Path) -> Path:
    return kept_transcripts


@pytest.fixture
def not_kept(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KEEP_TRANSCRIPTS", "false")
    settings.cache_clear()


class JobsLater(ImmediateDispatcher):
    """Does jobs for prices at once, and leaves the reading of transcripts to the test."""

    def send(self, job: Any, delay_seconds: float = 0) -> None:
        if isinstance(job, ReadTranscript | ScoreChannel):
            RecordingDispatcher.send(self, job)
        else:
            super().send(job)


@pytest.fixture
def jobs(monkeypatch: pytest.MonkeyPatch) -> JobsLater:
    dispatcher = JobsLater()
    dispatcher.install(monkeypatch)
    return dispatcher


@pytest.fixture
def world(tables: str, folder: Path, jobs: JobsLater, monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    yield World().install(monkeypatch)
    assert list(check.problems(check.read_everything())) == []


@pytest.fixture
def channel_id(world: World) -> str:
    channel = a_channel()
    create_channel(channel)
    return channel.id


def a_run(channel_id: str, *, videos: int | None = None, rereading: bool = False) -> dict[str, str]:
    """A run that has processed as many of its videos, or all and then ended."""
    run = {"channel_id": channel_id, "run_id": ids.new_run_id()}
    runs.claim_run(channel_id, run["run_id"], kind=RunKind.REREAD if rereading else RunKind.PROCESS)
    to_process = list_videos.handler(run, None)["video_ids"]
    for video_id in to_process[:videos]:
        process_video.handler({**run, "video_id": video_id}, None)
    if videos is None:
        price_calls.handler({**run, "checks": 99}, None)
        finish_run.handler(run, None)
    return run


@pytest.fixture
def skipped(world: World, channel_id: str) -> Video:
    """A video without captions, of a channel that has been processed and scored."""
    world.videos.listed = some_videos(1)
    world.transcripts.texts["video000000"] = None
    a_run(channel_id)
    keep_score(channel_id)
    return the_video(channel_id)


def the_channel(channel_id: str) -> Channel:
    channel = channel_by_id(channel_id, consistent=True)
    assert channel
    return channel


def the_video(channel_id: str) -> Video:
    (video,) = videos_of_channel(channel_id, consistent=True)
    return video


def said(channel_id: str) -> dict[str, str]:
    return {mention.ticker: str(mention.sentiment) for mention in the_video(channel_id).calls}


def lines(channel_id: str) -> list[str]:
    return [line.message for line in logs_of_channel(channel_id, consistent=True)]


def changes(channel_id: str) -> list[tuple[ChangeKind, str]]:
    return [(change.kind, change.message) for change in changes_of_channel(channel_id, None, 100).items]


def handed_in_lines(channel_id: str) -> list[str]:
    return [line for line in lines(channel_id) if "handed in" in line]


def work_on(job: ReadTranscript) -> list[dict[str, str]]:
    """Does a job as the queue's worker does; what has to be tried again."""
    record = {"messageId": "1", "body": job_to_message(job), "attributes": {"ApproximateReceiveCount": "1"}}
    failures: list[dict[str, str]] = run_jobs.handler({"Records": [record]}, None)["batchItemFailures"]
    return failures


def grow_old(video: Video) -> None:
    """As if it had been handed in long ago, and any reading of it had died."""
    noted = unread_of_video(video.channel_id, video.id)
    assert noted
    put_entities([replace(noted, handed_in_at="2024-01-01T00:00:00.000Z", being_read_until=None)])


class TestReading:
    def test_a_video_without_captions_is_read_from_what_was_handed_in(
        self, world: World, skipped: Video, jobs: JobsLater
    ) -> None:
        before = the_channel(skipped.channel_id)

        hand_in_transcript(skipped.channel_id, skipped.id, SRT, Caller("somebody"))
        assert jobs.jobs[-1] == ReadTranscript(skipped.channel_id, skipped.id)
        assert work_on(ReadTranscript(skipped.channel_id, skipped.id)) == []

        video, channel = the_video(skipped.channel_id), the_channel(skipped.channel_id)
        assert (video.transcript_status, video.analysis_status) == (
            TranscriptStatus.FETCHED,
            AnalysisStatus.COMPLETED,
        )
        assert (video.problem, video.transcript_kept, video.analyst) == (None, True, "fake 1.0")
        assert [(call.ticker, call.sentiment, call.price_at_mention) for call in video.calls] == [
            ("AAPL", "buy", 100.0),
            ("TSLA", "sell", 100.0),
        ]
        assert lines(skipped.channel_id)[-1] == "“Video 0”: transcript handed in, AAPL buy, TSLA sell."
        assert changes(skipped.channel_id) == [
            (
                ChangeKind.HANDED_IN,
                "“Video 0” read from a transcript that was handed in: AAPL is a new buy, TSLA is a new sell.",
            )
        ]
        assert changes_of_channel(skipped.channel_id, None, 1).items[0].changed_by == "somebody"
        assert channel.revision > before.revision
        assert channel.processed_video_count == channel.video_count == 1
        assert ScoreChannel(skipped.channel_id) in jobs.jobs
        assert unread_of_video(skipped.channel_id, skipped.id) is None

    def test_a_video_that_was_read_is_read_again(self, world: World, channel_id: str) -> None:
        world.videos.listed = some_videos(1)
        a_run(channel_id)

        hand_in_transcript(channel_id, the_video(channel_id).id, b"AAPL sell, NVDA mentioned")
        read_handed_in(channel_id, the_video(channel_id).id)

        assert said(channel_id) == {"AAPL": "sell", "NVDA": "mentioned"}
        assert changes(channel_id)[0][1].endswith(": AAPL turned from buy to sell.")
        assert the_channel(channel_id).processed_video_count == 1

    def test_wholly_other_calls_than_before_are_written(self, world: World, channel_id: str) -> None:
        from functions.reading.listings import all_listings

        tickers = sorted(all_listings())[: 2 * MAX_MENTIONS_PER_VIDEO]
        world.videos.listed = some_videos(1)
        world.transcripts.default = ", ".join(f"{ticker} buy" for ticker in tickers[: MAX_MENTIONS_PER_VIDEO - 1])
        a_run(channel_id)
        other = ", ".join(f"{ticker} sell" for ticker in tickers[MAX_MENTIONS_PER_VIDEO:])

        hand_in_transcript(channel_id, the_video(channel_id).id, other.encode())
        read_handed_in(channel_id, the_video(channel_id).id)

        assert len(said(channel_id)) == 1
        assert len(mentions_of_channel(channel_id)) == 1

    def test_what_a_person_said_of_a_call_stays(self, world: World, channel_id: str) -> None:
        world.videos.listed = some_videos(1)
        a_run(channel_id)
        video = the_video(channel_id)
        (call,) = video.calls
        judged = replace(
            call, sentiment=Sentiment.SELL, read_as=Sentiment.BUY, review=ReviewOutcome.CORRECTED, review_version=1
        )
        review = Review(
            channel_id, video.id, "AAPL", 1, Sentiment.SELL, "somebody", video.created_at, ReviewOutcome.CORRECTED
        )
        put_entities([replace(video, calls=(judged,), edits=1), judged, review])

        hand_in_transcript(channel_id, video.id, b"AAPL buy, TSLA buy")
        read_handed_in(channel_id, video.id)

        assert said(channel_id) == {"AAPL": "sell", "TSLA": "buy"}
        assert the_video(channel_id).calls[0].review is ReviewOutcome.CORRECTED
        assert changes(channel_id)[0][1].endswith(": TSLA is a new buy.")

    def test_another_language_is_told(self, world: World, skipped: Video) -> None:
        world.analyst.read = lambda _: []
        german = "Der Kurs ist gestiegen und wir werden sehen wie es weiter geht mit dieser Aktie " * 10

        hand_in_transcript(skipped.channel_id, skipped.id, german.encode())
        read_handed_in(skipped.channel_id, skipped.id)

        last = logs_of_channel(skipped.channel_id, consistent=True)[-1]
        assert last.message == (
            "“Video 0”: transcript handed in, no stocks mentioned. "
            "It does not look like English, the only language that the analyst reads."
        )
        assert last.log_level is LogLevel.WARNING

    def test_where_transcripts_are_not_kept_it_goes_once_it_has_been_read(
        self, world: World, not_kept: None, skipped: Video, folder: Path
    ) -> None:
        hand_in_transcript(skipped.channel_id, skipped.id, SRT)
        assert kept_transcript(skipped.channel_id, skipped.id) is not None

        read_handed_in(skipped.channel_id, skipped.id)

        assert the_video(skipped.channel_id).transcript_kept is None
        assert said(skipped.channel_id) == {"AAPL": "buy", "TSLA": "sell"}
        assert not list(folder.glob("*/*"))

    def test_a_stock_whose_closes_came_while_it_was_read_gets_its_price(
        self, world: World, skipped: Video, jobs: JobsLater, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        hand_in_transcript(skipped.channel_id, skipped.id, b"AAPL buy")
        # Fetched and priced before the call is stored: then nobody else comes by.
        other = a_channel()
        world.videos.listed = some_videos(2)[1:]
        world.videos.info = replace(world.videos.info, youtube_channel_id="UCother00000000000000000")

        def meanwhile(*arguments: Any, **options: Any) -> Channel | None:
            create_channel(other)
            a_run(other.id)
            return commit_reading(*arguments, **options)

        monkeypatch.setattr(handed_in, "commit_reading", meanwhile)
        read_handed_in(skipped.channel_id, skipped.id)

        assert [call.price_at_mention for call in the_video(skipped.channel_id).calls] == [100.0]


class TestRefusals:
    @pytest.mark.parametrize(
        ("content", "problem"), [(b"PK\x03\x04\x00\x00", NotText), (b" \n", EmptyTranscript), (b"", EmptyTranscript)]
    )
    def test_what_is_no_transcript_leaves_no_trace(
        self, world: World, skipped: Video, folder: Path, content: bytes, problem: type[Exception]
    ) -> None:
        before = everything()

        with pytest.raises(problem):
            hand_in_transcript(skipped.channel_id, skipped.id, content)

        assert everything() == before
        assert not list(folder.glob("*/*"))

    def test_during_a_run_nothing_is_taken(self, world: World, channel_id: str, folder: Path) -> None:
        world.videos.listed = some_videos(1)
        a_run(channel_id, videos=0)
        before = everything()

        with pytest.raises(ChannelUnderWay):
            hand_in_transcript(channel_id, the_video(channel_id).id, SRT)

        assert everything() == before
        assert not list(folder.glob("*/*"))

    def test_a_run_that_begins_meanwhile_refuses_it(
        self, world: World, skipped: Video, jobs: JobsLater, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def meanwhile(*arguments: Any) -> bool:
            runs.claim_run(skipped.channel_id, ids.new_run_id())
            return keep_transcript(*arguments)

        monkeypatch.setattr(handing_in, "keep_transcript", meanwhile)
        with pytest.raises(ChannelUnderWay):
            hand_in_transcript(skipped.channel_id, skipped.id, SRT)

        assert unread_of_video(skipped.channel_id, skipped.id) is None
        assert not [job for job in jobs.jobs if isinstance(job, ReadTranscript)]

    def test_a_channel_or_video_that_is_not_there_is_not_found(self, world: World, skipped: Video) -> None:
        with pytest.raises(ChannelNotFound):
            hand_in_transcript(ids.new_channel_id(), skipped.id, SRT)
        for nothing in (ids.new_channel_id(), "x" * 3000):
            with pytest.raises(VideoNotFound):
                hand_in_transcript(skipped.channel_id, nothing, SRT)


class TestDeletes:
    def test_a_channel_deleted_while_it_is_handed_in_keeps_no_file(
        self, world: World, skipped: Video, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def meanwhile(*arguments: Any) -> bool:
            delete_channel(skipped.channel_id)
            return keep_transcript(*arguments)

        monkeypatch.setattr(handing_in, "keep_transcript", meanwhile)
        with pytest.raises(ChannelNotFound):
            hand_in_transcript(skipped.channel_id, skipped.id, SRT)

        assert not list(folder.glob("*/*"))

    def test_a_channel_deleted_while_it_is_read_leaves_nothing(
        self, world: World, skipped: Video, folder: Path
    ) -> None:
        hand_in_transcript(skipped.channel_id, skipped.id, SRT)

        def deleting(_: str) -> list[Any]:
            delete_channel(skipped.channel_id)
            return []

        world.analyst.read = deleting
        read_handed_in(skipped.channel_id, skipped.id)

        assert not list(folder.glob("*/*"))
        assert [key for key in everything() if skipped.channel_id in key] == []

    def test_a_job_of_a_deleted_channel_does_nothing(self, world: World, skipped: Video) -> None:
        hand_in_transcript(skipped.channel_id, skipped.id, SRT)
        delete_channel(skipped.channel_id)
        before = everything()

        assert work_on(ReadTranscript(skipped.channel_id, skipped.id)) == []

        assert everything() == before


class TestOnce:
    def test_a_job_done_twice_writes_nothing_twice(self, world: World, skipped: Video) -> None:
        hand_in_transcript(skipped.channel_id, skipped.id, SRT)
        read_handed_in(skipped.channel_id, skipped.id)
        before = everything()

        read_handed_in(skipped.channel_id, skipped.id)

        assert everything() == before

    def test_jobs_at_the_same_time_write_one_reading(
        self, concurrent_tables: str, world: World, skipped: Video, in_threads: Callable[..., list[object]]
    ) -> None:
        hand_in_transcript(skipped.channel_id, skipped.id, SRT)

        results = in_threads(4, lambda _: read_handed_in(skipped.channel_id, skipped.id))

        assert results == [None] * 4
        assert len(handed_in_lines(skipped.channel_id)) == 1
        assert len(changes(skipped.channel_id)) == 1
        assert unread_of_video(skipped.channel_id, skipped.id) is None

    def test_of_two_transcripts_at_the_same_time_one_is_kept_and_read(
        self, concurrent_tables: str, world: World, skipped: Video, in_threads: Callable[..., list[object]]
    ) -> None:
        def hand_in_and_read(number: int) -> None:
            hand_in_transcript(skipped.channel_id, skipped.id, [b"AAPL buy", b"TSLA sell"][number])
            read_handed_in(skipped.channel_id, skipped.id)

        assert in_threads(2, hand_in_and_read) == [None, None]

        kept = kept_transcript(skipped.channel_id, skipped.id)
        assert kept
        assert " ".join(*said(skipped.channel_id).items()) == kept.text

    def test_a_transcript_handed_in_while_another_is_read_is_the_one_that_counts(
        self, world: World, skipped: Video
    ) -> None:
        hand_in_transcript(skipped.channel_id, skipped.id, b"AAPL buy")
        once = iter([True])
        plain = type(world.analyst)()

        def reading(text: str) -> Any:
            if next(once, False):
                hand_in_transcript(skipped.channel_id, skipped.id, b"TSLA sell")
            return plain.statements(text)

        world.analyst.read = reading
        read_handed_in(skipped.channel_id, skipped.id)

        assert said(skipped.channel_id) == {"TSLA": "sell"}
        assert handed_in_lines(skipped.channel_id) == ["“Video 0”: transcript handed in, TSLA sell."]

    @pytest.mark.parametrize("event", ["before-call", "after-call"])
    def test_killed_at_any_write_it_is_read_once_and_wholly(
        self, world: World, channel_id: str, jobs: JobsLater, monkeypatch: pytest.MonkeyPatch, event: str
    ) -> None:
        from functions.reading.listings import all_listings

        later = RecordingDispatcher().install(monkeypatch)
        world.videos.listed = some_videos(15)
        world.transcripts.texts = {video.youtube_video_id: None for video in world.videos.listed}
        a_run(channel_id)
        crashed = 0
        for number, (video, ticker) in enumerate(
            zip(videos_of_channel(channel_id), sorted(all_listings()), strict=False), start=1
        ):
            with crash_at_write(number, event) as writes:
                try:
                    hand_in_transcript(channel_id, video.id, f"{ticker} buy".encode())
                    read_handed_in(channel_id, video.id)
                except Crash:
                    crashed += 1
            if unread_of_video(channel_id, video.id):
                grow_old(video)
                assert update_prices.handler({}, None)["transcripts"] == [video.id]
                read_handed_in(channel_id, video.id)
            elif (event, number) == ("before-call", 1):
                # Nothing was noted: the uploader got an error, and tries again.
                hand_in_transcript(channel_id, video.id, f"{ticker} buy".encode())
                read_handed_in(channel_id, video.id)
            update_prices.handler({}, None)
            while later.jobs:
                job = later.jobs.pop()
                if isinstance(job, UpdateSeries):
                    do_job(job)
            stored = video_by_id(channel_id, video.id, consistent=True)
            assert stored
            assert [(call.ticker, call.price_at_mention) for call in stored.calls] == [(ticker, 100.0)]
            assert unread_of_video(channel_id, video.id) is None
            if len(writes) < number:
                break

        assert crashed >= 5
        told = handed_in_lines(channel_id)
        assert len(told) == len(set(told)) == len(changes(channel_id)) == number


class TestClock:
    def test_a_job_that_was_lost_is_sent_again_after_two_minutes(
        self, world: World, skipped: Video, jobs: JobsLater
    ) -> None:
        hand_in_transcript(skipped.channel_id, skipped.id, SRT)
        jobs.jobs.clear()
        assert request_lost_readings() == []

        grow_old(skipped)

        assert update_prices.handler({}, None)["transcripts"] == [skipped.id]
        assert jobs.jobs == [ReadTranscript(skipped.channel_id, skipped.id)]

    def test_a_transcript_that_is_being_read_is_not_sent_again(
        self, world: World, skipped: Video, jobs: JobsLater
    ) -> None:
        sent_meanwhile: list[list[str]] = []
        plain = type(world.analyst)()

        def slow(text: str) -> Any:
            sent_meanwhile.append(request_lost_readings())
            return plain.statements(text)

        world.analyst.read = slow
        hand_in_transcript(skipped.channel_id, skipped.id, b"AAPL buy")
        grow_old(skipped)
        read_handed_in(skipped.channel_id, skipped.id)

        assert sent_meanwhile == [[]]
        assert said(skipped.channel_id) == {"AAPL": "buy"}

    def test_after_a_restart_one_that_was_being_read_is_sent_at_once(
        self, world: World, skipped: Video, jobs: JobsLater
    ) -> None:
        def dies(_: str) -> Any:
            raise Crash

        world.analyst.read = dies
        hand_in_transcript(skipped.channel_id, skipped.id, SRT)
        with pytest.raises(Crash):
            read_handed_in(skipped.channel_id, skipped.id)

        assert request_lost_readings() == []
        assert request_lost_readings(END_OF_TIME) == [skipped.id]

    def test_a_queue_that_cannot_be_reached_loses_nothing(self, world: World, skipped: Video, jobs: JobsLater) -> None:
        jobs.problem = RuntimeError("no connection")
        hand_in_transcript(skipped.channel_id, skipped.id, SRT)
        jobs.problem = None
        grow_old(skipped)

        assert request_lost_readings() == [skipped.id]

    def test_the_oldest_come_first(self, world: World) -> None:
        channel = a_channel()
        _, videos = in_a_run(channel, videos=3)
        timestamps = [f"2024-01-0{day}T00:00:00.000Z" for day in (2, 1, 3)]
        put_entities(Unread(channel.id, each.id, at) for each, at in zip(videos, timestamps, strict=True))

        assert [each.video_id for each in due_unread("2024-01-03T00:00:00.000Z", 10)] == [videos[1].id, videos[0].id]
        assert [each.video_id for each in due_unread("2025", 2)] == [videos[1].id, videos[0].id]

    def test_an_analyst_that_is_away_is_asked_again(self, world: World, skipped: Video) -> None:
        def away(_: str) -> Any:
            raise Unavailable("The model is overloaded.")

        world.analyst.read = away
        hand_in_transcript(skipped.channel_id, skipped.id, SRT)

        assert work_on(ReadTranscript(skipped.channel_id, skipped.id)) == [{"itemIdentifier": "1"}]

        assert unread_of_video(skipped.channel_id, skipped.id) is not None
        assert said(skipped.channel_id) == {}
        assert lines(skipped.channel_id)[-1].endswith(
            "is still unread. The model is overloaded. It will be tried again."
        )

    def test_an_analyst_that_never_answers_is_not_asked_for_ever(self, world: World, skipped: Video) -> None:
        def silent(_: str) -> Any:
            raise Unavailable("The model did not respond in time.")

        world.analyst.read = silent
        hand_in_transcript(skipped.channel_id, skipped.id, SRT)
        outcomes = [work_on(ReadTranscript(skipped.channel_id, skipped.id)) for _ in range(MAX_ATTEMPTS)]

        assert outcomes == [*([[{"itemIdentifier": "1"}]] * (MAX_ATTEMPTS - 1)), []]
        assert unread_of_video(skipped.channel_id, skipped.id) is None
        assert said(skipped.channel_id) == {}
        assert lines(skipped.channel_id)[-1].endswith("could not be read. The model did not respond in time.")
        assert the_video(skipped.channel_id).problem == "The model did not respond in time."

    def test_a_transcript_that_cannot_be_read_is_told_of_and_not_tried_for_ever(
        self, world: World, skipped: Video
    ) -> None:
        def broken(_: str) -> Any:
            raise UnusableResponse("The analyst speaks in riddles.")

        world.analyst.read = broken
        hand_in_transcript(skipped.channel_id, skipped.id, SRT)

        assert work_on(ReadTranscript(skipped.channel_id, skipped.id)) == []

        assert unread_of_video(skipped.channel_id, skipped.id) is None
        assert lines(skipped.channel_id)[-1].endswith("could not be read. The analyst speaks in riddles.")
        assert the_video(skipped.channel_id).problem == "The analyst speaks in riddles."

    def test_a_file_that_is_gone_is_told_of(self, world: World, skipped: Video, folder: Path) -> None:
        hand_in_transcript(skipped.channel_id, skipped.id, SRT)
        for file in folder.glob("*/*"):
            file.unlink()

        read_handed_in(skipped.channel_id, skipped.id)

        assert lines(skipped.channel_id)[-1].endswith("is gone. Hand it in again.")
        assert unread_of_video(skipped.channel_id, skipped.id) is None

    def test_a_job_survives_the_queue(self) -> None:
        job = ReadTranscript("channel", "video")

        assert job_from_message(job_to_message(job)) == job
        with pytest.raises(ValueError):
            job_from_message('{"kind": "ReadTranscript", "channel_id": "channel"}')


class TestCounting:
    def test_a_video_that_no_run_has_finished_counts_once(self, world: World, channel_id: str) -> None:
        world.videos.listed = some_videos(3)
        a_run(channel_id, videos=1)
        runs.cancel_run(channel_id, "Cancelled.")
        pending = [each for each in videos_of_channel(channel_id) if each.analysis_status == AnalysisStatus.PENDING]

        for video in pending:
            hand_in_transcript(channel_id, video.id, SRT)
            read_handed_in(channel_id, video.id)
            hand_in_transcript(channel_id, video.id, SRT)
            read_handed_in(channel_id, video.id)

        channel = the_channel(channel_id)
        assert (channel.processed_video_count, channel.video_count) == (3, 3)
        a_run(channel_id)
        assert the_channel(channel_id).processed_video_count == 3

    def test_videos_that_a_run_had_not_counted_yet_do_not_make_more_than_all(self, world: World) -> None:
        counted = a_channel()
        run_id, _ = in_a_run(counted, videos=0)
        runs.add_videos(counted.id, run_id, [a_video(counted.id)])
        runs.cancel_run(counted.id, "Cancelled.")

        hand_in_transcript(counted.id, the_video(counted.id).id, SRT)
        read_handed_in(counted.id, the_video(counted.id).id)

        assert (the_channel(counted.id).processed_video_count, the_channel(counted.id).video_count) == (0, 0)

    def test_a_failed_video_is_read_and_not_counted_again(self, world: World, channel_id: str) -> None:
        world.videos.listed = some_videos(2)
        world.transcripts.texts["video000001"] = None
        a_run(channel_id)
        (video,) = [each for each in videos_of_channel(channel_id) if each.analysis_status == AnalysisStatus.SKIPPED]
        put_entities([replace(video, analysis_status=AnalysisStatus.FAILED, transcript_status=TranscriptStatus.FAILED)])

        hand_in_transcript(channel_id, video.id, SRT)
        read_handed_in(channel_id, video.id)

        assert the_channel(channel_id).processed_video_count == 2


class TestBesideARun:
    """Handed in before the run began, and read during it."""

    def test_the_run_reads_it_and_the_job_finds_the_same(self, world: World, skipped: Video) -> None:
        hand_in_transcript(skipped.channel_id, skipped.id, SRT)
        a_run(skipped.channel_id)

        read_handed_in(skipped.channel_id, skipped.id)

        channel = the_channel(skipped.channel_id)
        assert said(skipped.channel_id) == {"AAPL": "buy", "TSLA": "sell"}
        assert channel.processed_video_count == channel.video_count == 1

    @pytest.mark.parametrize("status", ["pending", "skipped"])
    def test_what_the_job_reads_during_the_run_counts_with_the_run(
        self, world: World, channel_id: str, status: str
    ) -> None:
        world.videos.listed = some_videos(1)
        world.transcripts.texts["video000000"] = None
        a_run(channel_id, videos=0 if status == "pending" else None)
        if status == "pending":
            runs.cancel_run(channel_id, "Cancelled.")
        video = the_video(channel_id)
        hand_in_transcript(channel_id, video.id, SRT)
        run = {"channel_id": channel_id, "run_id": ids.new_run_id()}
        runs.claim_run(channel_id, run["run_id"])
        (listed,) = list_videos.handler(run, None)["video_ids"]

        read_handed_in(channel_id, video.id)
        assert the_channel(channel_id).processed_video_count == 0
        process_video.handler({**run, "video_id": listed}, None)
        price_calls.handler({**run, "checks": 99}, None)
        finish_run.handler(run, None)

        assert lines(channel_id)[-2] == "“Video 0”: read already, from a transcript that was handed in."
        assert said(channel_id) == {"AAPL": "buy", "TSLA": "sell"}
        assert the_channel(channel_id).processed_video_count == 1

    @pytest.fixture(autouse=True)
    def readings_on_one_thread(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """A reading inside another one, as here, would wait for the outer one to end."""
        monkeypatch.setattr(attempts._Turns, "take", lambda self, *, alone: nullcontext())

    def test_a_reading_of_the_run_that_began_before_is_not_written_over_it(
        self, world: World, not_kept: None, skipped: Video
    ) -> None:
        hand_in_transcript(skipped.channel_id, skipped.id, b"TSLA sell")
        plain = type(world.analyst)()
        first = iter([True])

        def reading(text: str) -> Any:
            if next(first, False):
                read_handed_in(skipped.channel_id, skipped.id)
            return plain.statements(text)

        world.analyst.read = reading
        a_run(skipped.channel_id)

        assert said(skipped.channel_id) == {"TSLA": "sell"}
        assert len(mentions_of_channel(skipped.channel_id)) == 1
        assert the_channel(skipped.channel_id).processed_video_count == 1

    def test_a_reading_of_the_job_that_began_before_the_runs_is_read_again(self, world: World, skipped: Video) -> None:
        hand_in_transcript(skipped.channel_id, skipped.id, SRT)
        plain = type(world.analyst)()
        first = iter([True])

        def reading(text: str) -> Any:
            if next(first, False):
                a_run(skipped.channel_id)
            return plain.statements(text)

        world.analyst.read = reading
        read_handed_in(skipped.channel_id, skipped.id)

        assert said(skipped.channel_id) == {"AAPL": "buy", "TSLA": "sell"}
        assert the_channel(skipped.channel_id).processed_video_count == 1
        assert changes(skipped.channel_id) == []

    def test_a_rereading_run_reads_what_was_handed_in(self, world: World, skipped: Video) -> None:
        hand_in_transcript(skipped.channel_id, skipped.id, SRT)
        read_handed_in(skipped.channel_id, skipped.id)

        a_run(skipped.channel_id, rereading=True)

        assert said(skipped.channel_id) == {"AAPL": "buy", "TSLA": "sell"}


def test_a_score_saved_while_a_transcript_is_read_is_made_again(
    world: World, skipped: Video, jobs: JobsLater, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The job is asked for by the change that makes an up-to-date score old, and by nothing else."""
    dynamodb().update_item(
        TableName=main_table(),
        Key=encode(tables.channel_key(skipped.channel_id)),
        UpdateExpression="ADD revision :one",
        ExpressionAttributeValues=encode({":one": 1}),
    )
    hand_in_transcript(skipped.channel_id, skipped.id, SRT)
    first = iter([True])

    def scored_after_it_was_read(*arguments: Any, **options: Any) -> Channel | None:
        channel = channel_by_id(*arguments, **options)
        if next(first, False):
            keep_score(skipped.channel_id)
        return channel

    monkeypatch.setattr(unread, "channel_by_id", scored_after_it_was_read)
    jobs.jobs.clear()
    read_handed_in(skipped.channel_id, skipped.id)

    assert ScoreChannel(skipped.channel_id) in jobs.jobs
