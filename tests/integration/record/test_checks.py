"""Checks: begun once when they are due, light where there is no news, and slowed where runs keep failing."""

import json
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from functions.record.channels import channels as channel_logic
from functions.record.models.records import AnalysisStatus, Channel, ChannelStatus, CheckEvery, LogLevel
from functions.record.models.runs import Check, RunKind, RunStatus
from functions.record.models.watchlists import Watchlist
from functions.record.pipeline import (
    check_channels,
    fail_run,
    finish_run,
    list_videos,
    price_calls,
    process_video,
    resume_dead_runs,
)
from functions.record.runs.listing import _video
from functions.record.sources import selection
from functions.record.sources.protocols import VideoInfo
from functions.record.sources.youtube import YouTubeVideos
from functions.record.store import checks, run_records, runs
from functions.record.store.channels import channel_by_id, create_channel, delete_channel
from functions.record.store.logs import logs_of_channel
from functions.record.store.readings import put_action
from functions.record.store.videos import video_by_id
from functions.runtime import ids
from functions.runtime.clock import now, seconds_from_now
from functions.runtime.dynamodb.attributes import encode
from functions.runtime.dynamodb.connection import dynamodb, main_table
from functions.runtime.dynamodb.requests import transact
from functions.runtime.dynamodb.tables import channel_key
from functions.runtime.observability import metrics
from functions.runtime.settings import settings
from infra.saved_queries import ONE_RUN
from local.entities import put_entities
from local.runner import Runner
from operations import check
from tests.builders import a_channel, in_a_run
from tests.fakes import TODAY, ImmediateDispatcher, RecordingDispatcher, World, eventually, some_videos
from tests.live_services import LiveServices

HOUR = 3600.0
DAY = 24 * HOUR
InThreads = Callable[[int, Callable[[int], object]], list[object]]


@pytest.fixture
def dispatcher(tables: str, monkeypatch: pytest.MonkeyPatch) -> ImmediateDispatcher:
    dispatcher = ImmediateDispatcher()
    dispatcher.install(monkeypatch)
    return dispatcher


@pytest.fixture
def world(dispatcher: ImmediateDispatcher, monkeypatch: pytest.MonkeyPatch) -> World:
    return World().install(monkeypatch)


def stored(channel_id: str) -> Channel:
    channel = channel_by_id(channel_id, consistent=True)
    assert channel
    return channel


def due_channel(seconds_ago: float = HOUR, **changes: Any) -> Channel:
    """One whose check is due since then."""
    settled = {"status": ChannelStatus.COMPLETED, "check_every": CheckEvery.DAILY} | changes
    channel = a_channel(**settled, next_check_at=seconds_from_now(-seconds_ago))
    create_channel(channel)
    return channel


def make_due(channel_id: str) -> None:
    """As if its time had come."""
    checks.move_check(stored(channel_id), seconds_from_now(-HOUR))


def set_attributes(channel_id: str, **values: Any) -> None:
    dynamodb().update_item(
        TableName=main_table(),
        Key=encode(channel_key(channel_id)),
        UpdateExpression="SET " + ", ".join(f"{name} = :{name}" for name in values),
        ExpressionAttributeValues=encode({f":{name}": value for name, value in values.items()}),
    )


def tick() -> dict[str, list[str]]:
    return check_channels.handler({}, None)


def whole_run(channel_id: str, run_id: str) -> dict[str, Any]:
    run = {"channel_id": channel_id, "run_id": run_id}
    listed = list_videos.handler(run, None)
    if not listed["nothing_to_do"]:
        for video_id in listed["video_ids"]:
            process_video.handler({**run, "video_id": video_id}, None)
        price_calls.handler({**run, "checks": 100}, None)
        finish_run.handler(run, None)
    return listed


def processed_channel(world: World) -> Channel:
    """One that a run has looked through, and that is checked daily."""
    channel = a_channel(status=ChannelStatus.COMPLETED, check_every=CheckEvery.DAILY)
    world.videos.info = replace(world.videos.info, youtube_channel_id=f"UC{channel.id}")
    create_channel(channel)
    run_id = ids.new_run_id()
    runs.claim_run(channel.id, run_id)
    whole_run(channel.id, run_id)
    return stored(channel.id)


def checked(channel_id: str) -> tuple[str, dict[str, Any]]:
    """The run of a check that is due now, and what its listing returned."""
    make_due(channel_id)
    assert tick()["begun"] == [channel_id]
    run_id = stored(channel_id).run_id or ""
    return run_id, whole_run(channel_id, run_id)


def messages(channel_id: str) -> list[str]:
    return [line.message for line in logs_of_channel(channel_id, consistent=True)]


class TestTheClock:
    def test_begins_what_is_due_and_nothing_else(self, dispatcher: RecordingDispatcher) -> None:
        due = due_channel()
        due_channel(seconds_ago=-HOUR)
        create_channel(a_channel(status=ChannelStatus.COMPLETED, check_every=CheckEvery.OFF))

        assert tick() == {"begun": [due.id], "overdue": []}

        channel = stored(due.id)
        assert dispatcher.started == [(due.id, channel.run_id)]
        run = run_records.run_of_channel(due.id, channel.run_id or "")
        assert run and (run.kind, run.started_by, run.starter) == ("check", "clock", None)

    def test_an_operator_finds_by_its_id_when_the_clock_began_a_run(
        self, dispatcher: RecordingDispatcher, log_lines: Callable[[], list[dict[str, Any]]]
    ) -> None:
        channel = due_channel()

        tick()

        run_id = stored(channel.id).run_id
        assert run_id
        (line,) = [line for line in log_lines() if ONE_RUN.finds(line, run_id)]
        assert (line["step"], line["channel_id"]) == ("check_channels", channel.id)

    def test_the_next_check_is_an_interval_after_this_one_however_long_it_slept(
        self, dispatcher: RecordingDispatcher
    ) -> None:
        channel = due_channel(seconds_ago=40 * DAY)

        tick()
        runs.cancel_run(channel.id, "Cancelled.")

        planned = stored(channel.id).next_check_at or ""
        assert seconds_from_now(DAY - 60) < planned < seconds_from_now(DAY + 60)
        assert tick()["begun"] == []

    def test_the_stalest_come_first_and_no_more_than_there_are_places(
        self, dispatcher: RecordingDispatcher, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("RUNS_AT_ONCE", "2")
        settings.cache_clear()
        due = [due_channel(seconds_ago=number * HOUR) for number in (0.5, 5, 3, 4)]

        found = tick()

        assert found["begun"] == [due[1].id, due[3].id]
        assert found["overdue"] == [due[2].id]
        settings.cache_clear()

    def test_watched_channels_come_before_others_that_have_not_waited_a_day_longer(
        self, dispatcher: RecordingDispatcher, requests_made: Counter[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("RUNS_AT_ONCE", "3")
        settings.cache_clear()
        hours = {"watched": 1, "stale": 20, "very stale": 26, "watched too": 2, "fresh": 0.5}
        due = {name: due_channel(seconds_ago=number * HOUR).id for name, number in hours.items()}
        put_entities(
            [Watchlist("ann", 1, channel_ids=(due["watched"], "gone")), Watchlist("bob", 1, (), (due["watched too"],))]
        )
        requests_made.clear()

        found = tick()

        assert found["begun"] == [due["very stale"], due["watched too"], due["watched"]]
        assert found["overdue"] == [due["stale"]]
        assert requests_made["Query"] == 4
        settings.cache_clear()

    def test_runs_under_way_take_places(
        self, world: World, dispatcher: RecordingDispatcher, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("RUNS_AT_ONCE", "1")
        settings.cache_clear()
        running = a_channel(status=ChannelStatus.COMPLETED)
        create_channel(running)
        run_id = ids.new_run_id()
        runs.claim_run(running.id, run_id)
        list_videos.handler({"channel_id": running.id, "run_id": run_id}, None)
        due = due_channel()

        assert tick()["begun"] == []
        runs.cancel_run(running.id, "Cancelled.")
        assert tick()["begun"] == [due.id]
        settings.cache_clear()

    @pytest.mark.usefixtures("concurrent_tables")
    def test_of_clocks_at_once_one_begins_it(self, in_threads: InThreads, monkeypatch: pytest.MonkeyPatch) -> None:
        dispatcher = RecordingDispatcher().install(monkeypatch)
        due = [due_channel() for _ in range(3)]

        results = in_threads(6, lambda _: tick())

        begun = [channel_id for result in results if isinstance(result, dict) for channel_id in result["begun"]]
        assert sorted(begun) == sorted(channel.id for channel in due)
        assert len(dispatcher.started) == 3
        for channel in due:
            assert len(run_records.runs_of_channel(channel.id, 10).items) == 1

    def test_a_busy_channel_is_passed_over_and_checked_once_it_is_free(self, dispatcher: RecordingDispatcher) -> None:
        channel = due_channel()
        run_id = ids.new_run_id()
        runs.claim_run(channel.id, run_id, kind=RunKind.REREAD)

        assert tick() == {"begun": [], "overdue": []}
        runs.finish_run(channel.id, run_id, ChannelStatus.COMPLETED, LogLevel.INFO, "Finished")

        assert tick()["begun"] == [channel.id]

    def test_what_is_left_of_a_channel_that_is_gone_is_removed(self, dispatcher: RecordingDispatcher) -> None:
        gone = a_channel()
        transact([put_action(Check(gone.id, seconds_from_now(-HOUR)))])

        assert tick() == {"begun": [], "overdue": []}

        assert list(checks.due_checks("9999")) == []

    def test_nothing_is_left_of_a_deleted_channel(self, dispatcher: RecordingDispatcher) -> None:
        channel = due_channel()

        delete_channel(channel.id)

        assert list(checks.due_checks("9999")) == []
        assert tick()["begun"] == []

    def test_a_check_that_a_wrong_clock_set_far_ahead_is_brought_back(self, dispatcher: RecordingDispatcher) -> None:
        lost = due_channel(seconds_ago=-365 * DAY)
        kept = due_channel(seconds_ago=-28 * DAY)

        tick()

        assert seconds_from_now(DAY - 60) < (stored(lost.id).next_check_at or "") < seconds_from_now(DAY + 60)
        assert stored(kept.id).next_check_at == kept.next_check_at
        assert list(check.problems(check.read_everything())) == []

    def test_a_run_that_cannot_be_started_is_not_lost(self, dispatcher: RecordingDispatcher) -> None:
        channel = due_channel()
        dispatcher.problem = OSError("Step Functions cannot be reached")

        assert tick()["begun"] == [channel.id]

        set_attributes(channel.id, lease_until=seconds_from_now(-HOUR))
        dispatcher.problem = None
        assert resume_dead_runs.handler({}, None)["resumed"] == [channel.id]

    @pytest.mark.parametrize("places", [0, 1])
    def test_counts_those_that_wait_for_an_alarm(
        self,
        dispatcher: RecordingDispatcher,
        places: int,
        monkeypatch: pytest.MonkeyPatch,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        monkeypatch.delenv("POWERTOOLS_METRICS_DISABLED", raising=False)
        monkeypatch.setattr("functions.record.runs.checks.count_free_slots", lambda _: places)
        metrics.clear_metrics()
        due_channel(seconds_ago=2 * HOUR)

        tick()

        written = [json.loads(line) for line in capsys.readouterr().out.splitlines() if '"_aws"' in line]
        assert [line["ChecksOverdue"] for line in written] == [[1 - places]]

    def test_with_nothing_due_it_costs_three_requests(
        self, dispatcher: RecordingDispatcher, requests_made: Counter[str]
    ) -> None:
        due_channel(seconds_ago=-HOUR)
        requests_made.clear()

        tick()

        assert requests_made == {"Query": 3}


class TestWithoutNews:
    @pytest.mark.parametrize("videos", [3, 60])
    def test_costs_as_little_however_many_videos_there_are(
        self, world: World, requests_made: Counter[str], videos: int
    ) -> None:
        world.videos.listed = some_videos(videos)
        channel = processed_channel(world)
        make_due(channel.id)
        requests_made.clear()

        tick()
        to_begin = Counter(requests_made)
        run_id = stored(channel.id).run_id or ""
        requests_made.clear()
        listed = whole_run(channel.id, run_id)

        assert listed["nothing_to_do"] is True
        # The queries, the batch and one read of the slots are the scheduled job's own, however many checks it begins.
        assert to_begin == {"Query": 3, "BatchGetItem": 1, "GetItem": 3, "UpdateItem": 1, "TransactWriteItems": 1}
        # Giving the slot back and looking for the next run takes a read, a write and two queries.
        assert requests_made == {
            "GetItem": 3,
            "UpdateItem": 1,
            "BatchGetItem": 1,
            "Query": 2,
            "TransactWriteItems": 2,
        }

    def test_costs_two_units_of_youtubes_quota(self, world: World, monkeypatch: pytest.MonkeyPatch) -> None:
        services = LiveServices()
        try:
            youtube = YouTubeVideos("any", f"{services.stub.url}/youtube")
            monkeypatch.setattr(selection, "videos", lambda: youtube)
            for number in range(3):
                services.publish(f"video{number:06d}", datetime(2024, 6, 20 + number, 12, tzinfo=UTC), "AAPL buy")
            channel = a_channel(status=ChannelStatus.COMPLETED, check_every=CheckEvery.DAILY)
            create_channel(channel)
            run_id = ids.new_run_id()
            runs.claim_run(channel.id, run_id)
            whole_run(channel.id, run_id)
            services.stub.requests.clear()

            _, listed = checked(channel.id)

            assert listed["nothing_to_do"] is True
            assert [request.path for request in services.stub.requests] == [
                "/youtube/channels",
                "/youtube/playlistItems",
            ]
        finally:
            services.close()

    def test_says_so_in_one_line_and_leaves_the_score_alone(
        self, world: World, dispatcher: RecordingDispatcher
    ) -> None:
        world.videos.listed = some_videos(3)
        channel = processed_channel(world)
        before = messages(channel.id)
        dispatcher.jobs.clear()

        run_id, _ = checked(channel.id)

        after = stored(channel.id)
        assert messages(channel.id) == [*before, "Checked: no new videos."]
        assert (after.status, after.revision) == (ChannelStatus.COMPLETED, channel.revision)
        assert (after.video_count, after.processed_video_count) == (3, 3)
        assert dispatcher.jobs == []
        run = run_records.run_of_channel(channel.id, run_id)
        assert run and (run.status, run.found, run.videos, run.error) == (RunStatus.COMPLETED, 3, 0, None)
        assert list(check.problems(check.read_everything())) == []

    def test_looks_back_a_week_behind_the_newest_video(self, world: World) -> None:
        newest = TODAY - timedelta(days=40)
        world.videos.listed = [VideoInfo("video000001", "One", newest), VideoInfo("video000002", "Two", newest)]
        channel = processed_channel(world)

        checked(channel.id)

        assert world.videos.checked == [newest - timedelta(days=7)]

    def test_a_premiere_that_lies_ahead_does_not_hide_what_comes_before_it(self, world: World) -> None:
        world.videos.listed = [VideoInfo("video000001", "Soon", TODAY + timedelta(days=20))]
        channel = processed_channel(world)

        checked(channel.id)

        assert world.videos.checked == [TODAY - timedelta(days=7)]

    def test_the_runner_ends_it_without_another_step(self, world: World, monkeypatch: pytest.MonkeyPatch) -> None:
        world.videos.listed = some_videos(2)
        channel = processed_channel(world)
        make_due(channel.id)
        tick()
        monkeypatch.setattr(price_calls, "handler", lambda *_: pytest.fail("a check without news has nothing to price"))
        runner = Runner()

        runner._run(channel.id, stored(channel.id).run_id or "")

        runner.stop()
        assert stored(channel.id).status == ChannelStatus.COMPLETED


class TestNews:
    def test_are_read_and_counted(self, world: World) -> None:
        world.videos.listed = some_videos(3)
        channel = processed_channel(world)
        new = VideoInfo("brandnew001", "New", TODAY)
        world.videos.listed = [new, *some_videos(3)]
        world.transcripts.requested.clear()

        run_id, _ = checked(channel.id)

        after = stored(channel.id)
        assert world.transcripts.requested == ["brandnew001"]
        assert (after.video_count, after.processed_video_count) == (4, 4)
        assert after.revision == channel.revision + 1
        assert "Checked: 1 new video." in messages(channel.id)
        run = run_records.run_of_channel(channel.id, run_id)
        assert run and (run.kind, run.videos, run.processed, run.calls) == (RunKind.CHECK, 1, 1, 1)
        assert list(check.problems(check.read_everything())) == []

    def test_a_video_of_this_week_without_captions_is_tried_again(self, world: World) -> None:
        world.videos.listed = some_videos(3)
        world.transcripts.texts["video000001"] = None
        channel = processed_channel(world)
        world.transcripts.texts.clear()

        checked(channel.id)

        video = video_by_id(channel.id, ids.video_id(channel.id, "video000001"), consistent=True)
        assert video and video.analysis_status == AnalysisStatus.COMPLETED
        assert stored(channel.id).processed_video_count == 3

    def test_an_old_one_is_left_to_the_next_full_listing(self, world: World) -> None:
        old = TODAY - timedelta(days=30)
        world.videos.listed = [VideoInfo("video000001", "Old", old)]
        world.transcripts.texts["video000001"] = None
        channel = processed_channel(world)
        world.transcripts.requested.clear()

        _, listed = checked(channel.id)

        assert listed["nothing_to_do"] is True
        assert world.transcripts.requested == []

    def test_a_video_that_is_missing_from_the_week_is_not_taken_for_removed(self, world: World) -> None:
        world.videos.listed = some_videos(5)
        channel = processed_channel(world)
        world.videos.listed = some_videos(5)[1:]

        checked(channel.id)

        video = video_by_id(channel.id, ids.video_id(channel.id, "video000000"), consistent=True)
        assert video and video.removed_at is None

    def test_a_video_with_another_date_gets_it(self, world: World) -> None:
        world.videos.listed = some_videos(3)
        channel = processed_channel(world)
        moved = replace(some_videos(3)[2], published_at=TODAY)
        world.videos.listed = [*some_videos(3)[:2], moved]

        _, listed = checked(channel.id)

        assert listed["nothing_to_do"] is False
        video = video_by_id(channel.id, ids.video_id(channel.id, "video000002"), consistent=True)
        assert video and video.published_at == TODAY.isoformat()

    def test_a_channel_that_was_renamed_gets_its_name(self, world: World) -> None:
        world.videos.listed = some_videos(2)
        channel = processed_channel(world)
        world.videos.info = replace(world.videos.info, title="Another name")

        _, listed = checked(channel.id)

        assert listed["nothing_to_do"] is True
        assert stored(channel.id).name == "Another name"


class TestFullListing:
    def is_full(self, world: World, channel_id: str) -> bool:
        world.videos.checked.clear()
        checked(channel_id)
        return not world.videos.checked

    def test_comes_thirty_days_after_the_last_and_then_not_again(self, world: World) -> None:
        world.videos.listed = some_videos(3)
        channel = processed_channel(world)
        assert not self.is_full(world, channel.id)
        set_attributes(channel.id, fully_listed_at=seconds_from_now(-31 * DAY))

        assert self.is_full(world, channel.id)

        assert (stored(channel.id).fully_listed_at or "") > seconds_from_now(-HOUR)
        assert not self.is_full(world, channel.id)

    def test_follows_a_failed_run(self, world: World) -> None:
        world.videos.listed = some_videos(3)
        channel = processed_channel(world)
        run_id = ids.new_run_id()
        runs.claim_run(channel.id, run_id)
        fail_run.handler({"channel_id": channel.id, "run_id": run_id, "error": {"Error": "X", "Cause": ""}}, None)

        assert self.is_full(world, channel.id)

    def test_finds_what_a_cancelled_run_left(self, world: World) -> None:
        world.videos.listed = some_videos(3)
        channel = processed_channel(world)
        world.videos.listed = some_videos(5)
        run_id = ids.new_run_id()
        runs.claim_run(channel.id, run_id)
        list_videos.handler({"channel_id": channel.id, "run_id": run_id}, None)
        runs.cancel_run(channel.id, "Cancelled.")

        assert self.is_full(world, channel.id)

        assert stored(channel.id).processed_video_count == stored(channel.id).video_count == 5

    def test_follows_when_more_months_are_asked_for(self, world: World) -> None:
        world.videos.listed = some_videos(3)
        channel = processed_channel(world)

        channel_logic.change_channel(channel.id, None, 24)

        assert self.is_full(world, channel.id)

    def test_follows_when_more_months_are_asked_for_while_a_run_lists_fewer(
        self, world: World, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        world.videos.listed = some_videos(3)
        channel = processed_channel(world)
        published_since = world.videos.published_since

        def asked_meanwhile(*arguments: Any) -> Iterator[VideoInfo]:
            channel_logic.change_channel(channel.id, None, 24)
            return published_since(*arguments)

        monkeypatch.setattr(world.videos, "published_since", asked_meanwhile)
        run_id = ids.new_run_id()
        runs.claim_run(channel.id, run_id)
        whole_run(channel.id, run_id)
        assert stored(channel.id).time_range_months == 24

        assert self.is_full(world, channel.id)

        assert not self.is_full(world, channel.id)

    def test_follows_when_a_check_died_between_its_videos_and_their_count(self, world: World) -> None:
        world.videos.listed = some_videos(3)
        channel = processed_channel(world)
        world.videos.listed = [VideoInfo("brandnew001", "New", TODAY), *some_videos(3)]
        make_due(channel.id)
        tick()
        dead = stored(channel.id).run_id or ""
        runs.begin_run(channel.id, dead, None)
        runs.add_videos(channel.id, dead, [_video(channel.id, world.videos.listed[0])])
        set_attributes(channel.id, lease_until=seconds_from_now(-HOUR))
        resume_dead_runs.handler({}, None)
        whole_run(channel.id, stored(channel.id).run_id or "")

        after = stored(channel.id)
        assert (after.video_count, after.processed_video_count) == (4, 4)
        assert list(check.problems(check.read_everything())) == []


def fail(channel_id: str) -> None:
    run_id = ids.new_run_id()
    runs.claim_run(channel_id, run_id)
    runs.finish_run(channel_id, run_id, ChannelStatus.FAILED, LogLevel.ERROR, "Failed. No key.", error="No key.")


@pytest.mark.usefixtures("dispatcher")
class TestSlowing:
    SLOWED = "Five runs in a row have failed: the channel is checked weekly until one succeeds."

    @pytest.mark.parametrize(
        ("check_every", "days", "words"),
        [(CheckEvery.DAILY, 7, "weekly"), (CheckEvery.WEEKLY, 28, "every 28 days")],
    )
    def test_after_five_failures_in_a_row_it_is_said_once(self, check_every: CheckEvery, days: int, words: str) -> None:
        channel = due_channel(check_every=check_every)
        for _ in range(4):
            fail(channel.id)
        assert not stored(channel.id).is_slowed

        for _ in range(2):
            fail(channel.id)

        slowed = stored(channel.id)
        assert (slowed.failed_runs, slowed.is_slowed) == (6, True)
        planned = slowed.next_check_at or ""
        assert seconds_from_now(days * DAY - 60) < planned < seconds_from_now(days * DAY + 60)
        line = f"Five runs in a row have failed: the channel is checked {words} until one succeeds."
        assert messages(channel.id).count(line) == 1
        assert list(check.problems(check.read_everything())) == []

    def test_a_run_that_succeeds_ends_it(self) -> None:
        channel = due_channel()
        for _ in range(5):
            fail(channel.id)
        run_id = ids.new_run_id()
        runs.claim_run(channel.id, run_id)

        runs.finish_run(channel.id, run_id, ChannelStatus.COMPLETED, LogLevel.INFO, "Finished")

        after = stored(channel.id)
        assert (after.failed_runs, after.is_slowed) == (0, False)
        assert (after.next_check_at or "") < seconds_from_now(DAY + 60)
        for _ in range(5):
            fail(channel.id)
        assert messages(channel.id).count(self.SLOWED) == 2

    def test_a_cancelled_run_counts_neither_way(self) -> None:
        channel = due_channel()
        for _ in range(4):
            fail(channel.id)
        runs.claim_run(channel.id, ids.new_run_id())

        runs.cancel_run(channel.id, "Cancelled.")

        assert stored(channel.id).failed_runs == 4

    def test_nor_does_one_that_reads_again(self) -> None:
        channel = due_channel()
        for _ in range(5):
            fail(channel.id)
        run_id = ids.new_run_id()
        runs.claim_run(channel.id, run_id, kind=RunKind.REREAD)

        runs.finish_run(channel.id, run_id, ChannelStatus.COMPLETED, LogLevel.INFO, "Finished")

        assert stored(channel.id).is_slowed

    def test_a_channel_that_is_not_checked_has_nothing_to_slow(self) -> None:
        channel = a_channel(status=ChannelStatus.COMPLETED, check_every=CheckEvery.OFF)
        create_channel(channel)

        for _ in range(6):
            fail(channel.id)

        assert not stored(channel.id).is_slowed
        assert self.SLOWED not in messages(channel.id)


class TestSettings:
    @pytest.mark.parametrize("chosen", ["off", "daily", "weekly"])
    def test_a_new_channel_is_checked_as_they_say(
        self, dispatcher: RecordingDispatcher, chosen: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("CHECK_EVERY", chosen)
        settings.cache_clear()

        channel = channel_logic.create_channel("https://www.youtube.com/@someone", 12)

        assert stored(channel.id).check_every == chosen
        queued = [each.next_check_at for each in checks.due_checks("9999")]
        assert queued == ([channel.next_check_at] if chosen != "off" else [])
        settings.cache_clear()

    def test_a_channel_from_before_there_were_checks_takes_them_at_its_next_end(
        self, dispatcher: RecordingDispatcher, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("CHECK_EVERY", "daily")
        settings.cache_clear()
        channel = a_channel()
        run_id, _ = in_a_run(channel)
        assert stored(channel.id).check_every is None

        runs.finish_run(channel.id, run_id, ChannelStatus.COMPLETED, LogLevel.INFO, "Finished")

        after = stored(channel.id)
        assert after.check_every == CheckEvery.DAILY
        assert [each.next_check_at for each in checks.due_checks("9999")] == [after.next_check_at]
        settings.cache_clear()

    def test_a_run_of_a_person_puts_the_check_off_and_one_that_reads_again_does_not(
        self, dispatcher: RecordingDispatcher
    ) -> None:
        channel = due_channel(seconds_ago=-HOUR)
        runs.claim_run(channel.id, ids.new_run_id(), kind=RunKind.REREAD)
        runs.cancel_run(channel.id, "Cancelled.")
        assert stored(channel.id).next_check_at == channel.next_check_at

        runs.claim_run(channel.id, ids.new_run_id())

        assert (stored(channel.id).next_check_at or "") > seconds_from_now(DAY - 60)

    @pytest.mark.usefixtures("concurrent_tables")
    def test_a_change_during_a_claim_or_an_end_is_not_lost(self, in_threads: InThreads) -> None:
        channel = due_channel()
        run_id, again = ids.new_run_id(), ids.new_run_id()

        def one(number: int) -> None:
            if number % 2:
                channel_logic.change_channel(channel.id, CheckEvery.WEEKLY, None)
            else:
                runs.claim_run(channel.id, run_id)
                runs.finish_run(channel.id, run_id, ChannelStatus.COMPLETED, LogLevel.INFO, "Finished")

        in_threads(6, one)
        runs.claim_run(channel.id, again)

        assert stored(channel.id).check_every == CheckEvery.WEEKLY
        assert (stored(channel.id).next_check_at or "") > seconds_from_now(6 * DAY)
        assert list(check.problems(check.read_everything())) == []


def test_now_is_what_the_queue_sorts_by(tables: str) -> None:
    early, late = due_channel(seconds_ago=2 * HOUR), due_channel(seconds_ago=HOUR)

    assert [each.channel_id for each in checks.due_checks(now())] == [early.id, late.id]


def test_the_runner_checks_at_once_and_until_it_stops(
    dispatcher: RecordingDispatcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    due = due_channel()
    runner = Runner()
    clock = threading.Thread(target=runner.keep_checking_channels)

    clock.start()

    assert eventually(lambda: dispatcher.started)[0][0] == due.id
    runner.stop()
    clock.join(60)
    assert not clock.is_alive()
