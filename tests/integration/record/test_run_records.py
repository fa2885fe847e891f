"""The record of a run: written with what it tells of, so that it is right wherever a worker dies."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from functions.record.channels import dead_runs
from functions.record.channels.channels import create_channel as add_channel
from functions.record.channels.channels import process_channel
from functions.record.errors import RunEnded
from functions.record.models.records import AnalysisStatus, Channel, ChannelStatus, LogLevel, TranscriptStatus, Video
from functions.record.models.runs import Run, RunKind, RunStatus, StartedBy, Starter
from functions.record.store import channels, run_records, runs
from functions.record.store.videos import videos_of_channel
from functions.runtime import ids
from functions.runtime.clock import seconds_from_now
from functions.runtime.dynamodb.attributes import encode
from functions.runtime.dynamodb.connection import dynamodb, main_table
from functions.runtime.dynamodb.tables import channel_key, run_key
from local.runner import Runner
from tests.builders import a_channel, commit, in_a_run
from tests.crashes import Crash, crash_at_write
from tests.fakes import ImmediateDispatcher, RecordingDispatcher, World, some_videos

ANNA = Starter(StartedBy.PERSON, "anna")
LONG_AGO = -3600.0

pytestmark = pytest.mark.usefixtures("tables")


def record(channel_id: str, run_id: str) -> Run:
    run = run_records.run_of_channel(channel_id, run_id)
    assert run
    return run


def records(channel_id: str) -> list[Run]:
    """Oldest first."""
    return run_records.runs_of_channel(channel_id, 100).items[::-1]


def end_lease(channel_id: str) -> None:
    dynamodb().update_item(
        TableName=main_table(),
        Key=encode(channel_key(channel_id)),
        UpdateExpression="SET lease_until = :then",
        ExpressionAttributeValues=encode({":then": seconds_from_now(LONG_AGO)}),
    )


def skipped(video: Video, run_id: str) -> Video:
    return replace(
        video,
        run_id=run_id,
        transcript_status=TranscriptStatus.UNAVAILABLE,
        analysis_status=AnalysisStatus.SKIPPED,
        problem="It has no captions.",
    )


class TestClaiming:
    def test_writes_who_began_it_and_what_for(self) -> None:
        channel = a_channel(status=ChannelStatus.COMPLETED)
        channels.create_channel(channel)
        run_id = ids.new_run_id()

        runs.claim_run(channel.id, run_id, kind=RunKind.REREAD, starter=ANNA)

        run = record(channel.id, run_id)
        assert (run.status, run.kind, run.started_by, run.starter) == ("pending", "reread", "person", "anna")
        assert (run.ended_at, run.continues) == (None, None)
        assert run_records.run_by_id(run_id) == run

    def test_a_new_channel_has_the_record_of_its_first_run(self, monkeypatch: pytest.MonkeyPatch) -> None:
        RecordingDispatcher().install(monkeypatch)

        channel = add_channel("https://www.youtube.com/@someone", 12, starter=ANNA)

        (run,) = records(channel.id)
        assert (run.id, run.started_by, run.starter, run.status) == (channel.run_id, "person", "anna", "pending")

    def test_a_claim_that_is_repeated_changes_nothing(self) -> None:
        channel = a_channel()
        run_id, _ = in_a_run(channel, videos=1)
        before = record(channel.id, run_id)

        again = runs.claim_run(channel.id, run_id, starter=ANNA)

        assert again.status == ChannelStatus.PROCESSING
        assert record(channel.id, run_id) == before

    def test_a_run_that_is_over_is_not_claimed_again_once_another_took_its_place(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        dispatcher = RecordingDispatcher().install(monkeypatch)
        channel = a_channel()
        first, _ = in_a_run(channel)
        runs.finish_run(channel.id, first, ChannelStatus.COMPLETED, LogLevel.INFO, "Finished")
        second = process_channel(channel.id).run_id or ""
        runs.cancel_run(channel.id, "Cancelled.")
        dispatcher.started.clear()

        again = process_channel(channel.id, run_id=first)

        assert (again.run_id, again.status) == (second, ChannelStatus.CANCELLED)
        assert record(channel.id, first).status == RunStatus.COMPLETED
        assert dispatcher.started == []

    @pytest.mark.usefixtures("concurrent_tables")
    def test_of_those_who_claim_at_once_one_has_a_record(self, in_threads: Callable[..., list[object]]) -> None:
        channel = a_channel(status=ChannelStatus.COMPLETED)
        channels.create_channel(channel)
        claims = [ids.new_run_id() for _ in range(12)]

        outcomes = in_threads(12, lambda number: runs.claim_run(channel.id, claims[number]))

        (winner,) = [outcome.run_id for outcome in outcomes if isinstance(outcome, Channel)]
        assert [run.id for run in records(channel.id)] == [winner]


class TestOnTheWay:
    def test_counts_videos_by_their_outcome_and_the_calls_in_them(self) -> None:
        channel = a_channel()
        run_id, (read, silent, broken) = in_a_run(channel, videos=3)

        commit(run_id, read, "AAPL", "MSFT", analyst="fake 1.0")
        runs.commit_video(run_id, skipped(silent, run_id), LogLevel.WARNING, "Skipped")
        failed = replace(broken, run_id=run_id, analysis_status=AnalysisStatus.FAILED)
        runs.commit_video(run_id, failed, LogLevel.ERROR, "Failed", problem="The model was away.")

        run = record(channel.id, run_id)
        assert (run.status, run.found, run.videos) == (RunStatus.PROCESSING, 3, 3)
        assert (run.processed, run.skipped, run.failed, run.calls) == (1, 1, 1, 2)

    def test_a_commit_that_is_repeated_is_counted_once(self) -> None:
        channel = a_channel()
        run_id, (video,) = in_a_run(channel, videos=1)
        commit(run_id, video, "AAPL")

        assert commit(run_id, video, "AAPL") is False

        assert (record(channel.id, run_id).processed, record(channel.id, run_id).calls) == (1, 1)

    def test_a_mention_without_a_side_is_no_call(self) -> None:
        channel = a_channel()
        run_id, (video,) = in_a_run(channel, videos=1)

        commit(run_id, video, "AAPL", "MSFT", sentiment="mentioned")

        assert record(channel.id, run_id).calls == 0
        (attempt,) = run_records.attempts_of_video(channel.id, video.id, 10).items
        assert (attempt.mentions, attempt.calls) == (2, 0)

    def test_the_attempts_at_a_video_are_kept_newest_first(self) -> None:
        channel = a_channel()
        first, (video, other) = in_a_run(channel, videos=2)
        runs.commit_video(first, skipped(video, first), LogLevel.WARNING, "Skipped")
        commit(first, other, "KO")
        runs.cancel_run(channel.id, "Cancelled.")
        second = ids.new_run_id()
        runs.claim_run(channel.id, second)
        runs.begin_run(channel.id, second, "Started")
        commit(second, video, "AAPL")

        attempts = run_records.attempts_of_video(channel.id, video.id, 10).items

        assert [(each.run_id, each.outcome, each.problem, each.calls) for each in attempts] == [
            (second, AnalysisStatus.COMPLETED, None, 1),
            (first, AnalysisStatus.SKIPPED, "It has no captions.", 0),
        ]

    def test_a_run_that_began_before_there_were_records_gets_one(self) -> None:
        channel = a_channel()
        run_id, (video,) = in_a_run(channel, videos=1)
        began = record(channel.id, run_id).started_at
        dynamodb().delete_item(TableName=main_table(), Key=encode(run_key(channel.id, run_id)))

        commit(run_id, video, "AAPL")
        runs.finish_run(channel.id, run_id, ChannelStatus.COMPLETED, LogLevel.INFO, "Finished")

        run = run_records.run_by_id(run_id)
        assert run and (run.status, run.processed, run.calls) == (RunStatus.COMPLETED, 1, 1)
        assert run.started_at <= began
        assert [each.id for each in run_records.all_runs(10).items] == [run_id]


class TestEnding:
    @pytest.mark.parametrize("status", [ChannelStatus.COMPLETED, ChannelStatus.FAILED])
    def test_says_how_and_when(self, status: ChannelStatus) -> None:
        channel = a_channel()
        run_id, _ = in_a_run(channel)

        runs.finish_run(channel.id, run_id, status, LogLevel.INFO, "Ended", error="No key.")

        run = record(channel.id, run_id)
        assert (run.status.value, run.error) == (status.value, "No key.")
        assert run.ended_at is not None

    def test_a_cancelled_run_says_so(self) -> None:
        channel = a_channel()
        run_id, _ = in_a_run(channel)

        assert runs.cancel_run(channel.id, "Cancelled.") == run_id

        assert record(channel.id, run_id).status == RunStatus.CANCELLED

    def test_a_run_that_is_given_up_has_failed(self) -> None:
        channel = a_channel()
        run_id, _ = in_a_run(channel)
        end_lease(channel.id)

        runs.release_dead_run(channel.id, "Failed. It died. Process it again.", error="It died.")

        run = record(channel.id, run_id)
        assert (run.status, run.error) == (RunStatus.FAILED, "It died.")

    def test_a_dead_run_is_interrupted_by_the_one_that_continues_it(self) -> None:
        channel = a_channel(status=ChannelStatus.COMPLETED)
        channels.create_channel(channel)
        dead = ids.new_run_id()
        runs.claim_run(channel.id, dead, kind=RunKind.REREAD, starter=Starter(StartedBy.PLAN, "plan/task"))
        end_lease(channel.id)
        stored = channels.channel_by_id(channel.id, consistent=True)
        assert stored

        next_run = dead_runs.take_over(stored)

        assert next_run
        ended, going_on = record(channel.id, dead), record(channel.id, next_run)
        assert (ended.status, ended.continued_by) == (RunStatus.INTERRUPTED, next_run)
        assert ended.error == "Its worker died before the run was finished."
        assert (going_on.status, going_on.continues) == (RunStatus.PENDING, dead)
        assert (going_on.kind, going_on.started_by, going_on.starter) == ("reread", "plan", "plan/task")

    def test_so_is_one_whose_place_a_person_takes(self) -> None:
        channel = a_channel()
        dead, _ = in_a_run(channel)
        end_lease(channel.id)
        run_id = ids.new_run_id()

        runs.claim_run(channel.id, run_id, starter=ANNA)

        assert (record(channel.id, dead).status, record(channel.id, dead).continued_by) == ("interrupted", run_id)
        assert (record(channel.id, run_id).continues, record(channel.id, run_id).starter) == (dead, "anna")

    def test_a_run_that_is_over_writes_no_record_any_more(self) -> None:
        channel = a_channel()
        run_id, (video,) = in_a_run(channel, videos=1)
        runs.cancel_run(channel.id, "Cancelled.")
        before = record(channel.id, run_id)

        with pytest.raises(RunEnded):
            commit(run_id, video, "AAPL")
        with pytest.raises(RunEnded):
            runs.finish_run(channel.id, run_id, ChannelStatus.COMPLETED, LogLevel.INFO, "Finished")

        assert record(channel.id, run_id) == before
        assert run_records.attempts_of_video(channel.id, video.id, 10).items == []

    def test_nothing_is_left_of_a_deleted_channel(self) -> None:
        channel = a_channel()
        run_id, (video,) = in_a_run(channel, videos=1)
        commit(run_id, video, "AAPL")

        channels.delete_channel(channel.id)

        assert run_records.run_by_id(run_id) is None
        assert run_records.all_runs(10).items == []
        assert run_records.attempts_of_video(channel.id, video.id, 10).items == []


class TestLists:
    def test_over_all_channels_newest_first_by_page(self) -> None:
        begun = [in_a_run(a_channel())[0] for _ in range(5)]

        first = run_records.all_runs(3)
        second = run_records.all_runs(3, first.next_key)

        assert sorted([run.id for run in (*first.items, *second.items)], reverse=True) == sorted(begun, reverse=True)
        assert [run.id for run in first.items] == sorted(begun, reverse=True)[:3]
        assert second.next_key is None

    def test_by_status_and_analyst(self) -> None:
        made = []
        for number in range(6):
            channel = a_channel()
            run_id, _ = in_a_run(channel)
            listing = runs.Listing(0, 0, analyst="rules 2" if number % 2 else "rules 1")
            runs.set_video_counts(channel.id, run_id, 0, 0, "Found", listing)
            if number < 2:
                runs.cancel_run(channel.id, "Cancelled.")
            made.append(run_id)

        assert {run.id for run in run_records.all_runs(10, status=RunStatus.CANCELLED).items} == set(made[:2])
        assert {run.id for run in run_records.all_runs(10, analyst="rules 2").items} == set(made[1::2])
        both = run_records.all_runs(10, status=RunStatus.PROCESSING, analyst="rules 1")
        assert {run.id for run in both.items} == {made[2], made[4]}

    def test_a_filter_that_finds_little_costs_a_bounded_number_of_requests(
        self, requests_made: Counter[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(run_records, "MAX_FILTERED_REQUESTS", 3)
        for _ in range(10):
            in_a_run(a_channel())
        requests_made.clear()

        page = run_records.all_runs(2, status=RunStatus.FAILED)

        assert (page.items, page.next_key is not None) == ([], True)
        assert requests_made == {"Query": 3}


@pytest.fixture
def world(tables: str, monkeypatch: pytest.MonkeyPatch) -> World:
    ImmediateDispatcher().install(monkeypatch)
    return World().install(monkeypatch)


def as_it_happened(channel_id: str, run_id: str) -> dict[str, Any]:
    """The counts of a run according to the videos of its channel."""
    done = [video for video in videos_of_channel(channel_id, consistent=True) if video.run_id == run_id]
    outcomes = Counter(video.analysis_status for video in done)
    return {
        "processed": outcomes[AnalysisStatus.COMPLETED],
        "skipped": outcomes[AnalysisStatus.SKIPPED],
        "failed": outcomes[AnalysisStatus.FAILED],
        "calls": sum(call.side != 0 for video in done for call in video.calls),
    }


class TestKilledAtAnyWrite:
    @pytest.mark.parametrize("event", ["before-call", "after-call"])
    def test_the_records_tell_what_happened(self, world: World, event: str, monkeypatch: pytest.MonkeyPatch) -> None:
        world.videos.listed = some_videos(4)
        world.transcripts.texts = {"video000001": None, "video000002": "AAPL buy, TSLA sell"}
        number, is_over = 0, False
        while not is_over:
            number += 1
            channel = a_channel(status=ChannelStatus.COMPLETED)
            world.videos.info = replace(world.videos.info, youtube_channel_id=f"UC{channel.id}")
            channels.create_channel(channel)
            run_id = ids.new_run_id()
            is_over = self.killed_run(channel.id, run_id, number, event)
            self.check(channel.id, run_id)
            if not is_over:
                self.resume(channel.id)
                self.check_end(channel.id)

        assert number > 10

    def killed_run(self, channel_id: str, run_id: str, number: int, event: str) -> bool:
        """True if the run ended before that write."""
        runner = Runner(videos_at_once=1)
        try:
            with crash_at_write(number, event):
                runs.claim_run(channel_id, run_id, starter=ANNA)
                one_thread(runner, channel_id, run_id)
        except Crash:
            return False
        finally:
            runner.stop()
        return True

    def check(self, channel_id: str, run_id: str) -> None:
        """The record and the channel say the same, and the counts are those of the videos."""
        channel = channels.channel_by_id(channel_id, consistent=True)
        run = run_records.run_of_channel(channel_id, run_id)
        assert channel
        if run is None:
            assert channel.run_id != run_id
            return
        assert channel.run_id == run_id
        assert run.status.value == channel.status.value
        counts = {name: getattr(run, name) for name in ("processed", "skipped", "failed", "calls")}
        assert counts == as_it_happened(channel_id, run_id)

    def resume(self, channel_id: str) -> None:
        end_lease(channel_id)
        runner = Runner(videos_at_once=1)
        channel = channels.channel_by_id(channel_id, consistent=True)
        assert channel
        resumed = dead_runs.take_over(channel) if channel.is_under_way else None
        if resumed:
            one_thread(runner, channel_id, resumed)
        runner.stop()

    def check_end(self, channel_id: str) -> None:
        all_of_it = records(channel_id)
        if not all_of_it:
            return
        *interrupted, last = all_of_it
        assert last.status == RunStatus.COMPLETED and last.ended_at
        assert {run.status for run in interrupted} <= {RunStatus.INTERRUPTED}
        assert [run.continued_by for run in interrupted] == [last.id] * len(interrupted)
        assert (last.starter, last.kind) == ("anna", RunKind.PROCESS)
        attempts = [
            attempt
            for video in videos_of_channel(channel_id, consistent=True)
            for attempt in run_records.attempts_of_video(channel_id, video.id, 10).items
        ]
        for run in all_of_it:
            outcomes = Counter(attempt.outcome for attempt in attempts if attempt.run_id == run.id)
            assert (run.processed, run.skipped) == (
                outcomes[AnalysisStatus.COMPLETED],
                outcomes[AnalysisStatus.SKIPPED],
            )
        assert sum(run.processed for run in all_of_it) == 3
        assert sum(run.calls for run in all_of_it) == sum(attempt.calls for attempt in attempts) == 4


def one_thread(runner: Runner, channel_id: str, run_id: str) -> None:
    """The steps of a run, one after the other on this thread, so that a kill reaches the caller."""
    from functions.record.pipeline import finish_run, list_videos, price_calls, process_video

    run = {"channel_id": channel_id, "run_id": run_id}
    for video_id in list_videos.handler(run, None)["video_ids"]:
        process_video.handler({**run, "video_id": video_id}, None)
    price_calls.handler({**run, "checks": 100}, None)
    finish_run.handler(run, None)
