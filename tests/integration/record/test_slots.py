"""How many channels are processed at once: no place is lost with a worker that dies, and none has to be given back."""

from collections.abc import Callable, Iterator

import pytest

from functions.record.channels import channels
from functions.record.channels.dead_runs import resume_dead_runs
from functions.record.channels.starting import start_waiting_runs
from functions.record.errors import RunEnded
from functions.record.models.records import Channel, ChannelStatus, CheckEvery, LogLevel
from functions.record.pipeline import check_channels, list_videos
from functions.record.runs.next_runs import start_next_runs
from functions.record.store import runs
from functions.record.store.channels import channel_by_id, create_channel, delete_channel
from functions.record.store.logs import logs_of_channel
from functions.record.store.slots import take_slot
from functions.record.store.waiting_runs import waiting_runs
from functions.runtime import dispatch, ids
from functions.runtime.clock import seconds_from_now
from functions.runtime.settings import settings
from local.runner import Runner
from operations import check
from tests.builders import a_channel
from tests.fakes import Gate, RecordingDispatcher, World, eventually, some_videos


@pytest.fixture
def world(concurrent_tables: str, monkeypatch: pytest.MonkeyPatch) -> World:
    """With one place."""
    monkeypatch.setenv("RUNS_AT_ONCE", "1")
    settings.cache_clear()
    return World().install(monkeypatch)


@pytest.fixture
def runner(world: World, monkeypatch: pytest.MonkeyPatch) -> Iterator[Runner]:
    made = Runner(videos_at_once=2, pause=lambda _: made._stopping.wait(0.05))
    # Which prices the calls as well, so that no run waits for them in vain.
    monkeypatch.setattr(dispatch, "_dispatchers", [made])
    yield made
    made.stop()


def claimed() -> dict[str, str]:
    channel = a_channel()
    create_channel(channel)
    run_id = ids.new_run_id()
    runs.claim_run(channel.id, run_id)
    return {"channel_id": channel.id, "run_id": run_id}


def has_place(run: dict[str, str], places: int = 1) -> bool:
    return take_slot(run["channel_id"], run["run_id"], places)


def the_channel(run: dict[str, str]) -> Channel:
    channel = channel_by_id(run["channel_id"], consistent=True)
    assert channel
    return channel


def finish(run: dict[str, str]) -> None:
    runs.finish_run(run["channel_id"], run["run_id"], ChannelStatus.COMPLETED, LogLevel.INFO, "Finished.")


@pytest.mark.usefixtures("tables")
class TestAPlace:
    def test_is_for_as_many_as_there_are_and_kept_when_requested_again(self) -> None:
        first, second, third = claimed(), claimed(), claimed()

        assert [has_place(run, places=2) for run in (first, second, third)] == [True, True, False]
        assert [has_place(run, places=2) for run in (first, second, third)] == [True, True, False]

    @pytest.mark.parametrize("end", ["cancelled", "deleted", "taken over", "dead"])
    def test_is_free_once_its_run_is_over(self, end: str, monkeypatch: pytest.MonkeyPatch) -> None:
        first, second = claimed(), claimed()
        assert has_place(first) and not has_place(second)

        match end:
            case "cancelled":
                runs.cancel_run(first["channel_id"], "Cancelled.")
            case "deleted":
                delete_channel(first["channel_id"])
            case "taken over":
                runs.take_over_run(first["channel_id"], ids.new_run_id(), "Resumed.", lease_before="9999")
            case "dead":
                monkeypatch.setattr(
                    "functions.record.store.slots.now", lambda: seconds_from_now(runs.LEASE_SECONDS + 60)
                )

        assert has_place(second)

    def test_fewer_places_than_before_are_counted_again(self) -> None:
        held = [claimed() for _ in range(3)]
        for run in held:
            assert has_place(run, places=3)
        runs.cancel_run(held[0]["channel_id"], "Cancelled.")
        runs.cancel_run(held[1]["channel_id"], "Cancelled.")

        assert not has_place(claimed(), places=1)
        assert has_place(claimed(), places=2)

    def test_of_many_concurrent_claims_no_more_succeed_than_there_are_places(
        self, concurrent_tables: str, in_threads: Callable[..., list[object]]
    ) -> None:
        waiting = [claimed() for _ in range(12)]

        results = in_threads(12, lambda number: has_place(waiting[number], places=3))

        assert sorted(results, key=bool) == [False] * 9 + [True] * 3


class TestARunThatWaits:
    """It has no worker: nothing calls it until a slot is free."""

    @pytest.fixture
    def dispatcher(self, world: World, monkeypatch: pytest.MonkeyPatch) -> RecordingDispatcher:
        return RecordingDispatcher().install(monkeypatch)

    def requested(self) -> dict[str, str]:
        channel = a_channel(status=ChannelStatus.COMPLETED)
        create_channel(channel)
        return {"channel_id": channel.id, "run_id": channels.process_channel(channel.id).run_id or ""}

    def started(self, dispatcher: RecordingDispatcher) -> list[str]:
        return [run_id for _, run_id in dispatcher.started]

    def test_is_not_started_and_says_why(self, dispatcher: RecordingDispatcher) -> None:
        first, waiting = self.requested(), self.requested()

        assert self.started(dispatcher) == [first["run_id"]]
        channel = the_channel(waiting)
        assert (channel.status, channel.is_waiting) == (ChannelStatus.PENDING, True)
        (line,) = logs_of_channel(waiting["channel_id"])
        assert line.message == "Waiting: 1 other channel is being processed."
        assert list(check.problems(check.read_everything())) == []

    def test_is_started_by_the_end_of_another_the_oldest_first(
        self, dispatcher: RecordingDispatcher, world: World
    ) -> None:
        first, second, third = self.requested(), self.requested(), self.requested()

        finish(first)
        start_next_runs(dispatcher.start_run, **first)

        assert self.started(dispatcher) == [first["run_id"], second["run_id"]]
        assert the_channel(third).is_waiting
        assert list(check.problems(check.read_everything())) == []

    def test_is_started_by_the_scheduled_job_if_the_ending_worker_died(self, dispatcher: RecordingDispatcher) -> None:
        first, waiting = self.requested(), self.requested()
        finish(first)

        check_channels.handler({}, None)
        check_channels.handler({}, None)

        assert self.started(dispatcher) == [first["run_id"], waiting["run_id"]]

    def test_is_found_dead_if_its_start_failed(self, dispatcher: RecordingDispatcher) -> None:
        first, waiting = self.requested(), self.requested()
        runs.cancel_run(first["channel_id"], "Cancelled.")
        dispatcher.problem = OSError("Step Functions cannot be reached")
        check_channels.handler({}, None)
        dispatcher.problem = None

        resumed = resume_dead_runs(dispatcher.start_run, lease_before=seconds_from_now(runs.LEASE_SECONDS + 60))

        assert [channel.id for channel in resumed.resumed] == [waiting["channel_id"]]

    def test_is_not_taken_for_dead_while_it_waits(self, dispatcher: RecordingDispatcher) -> None:
        first, waiting = self.requested(), self.requested()

        resumed = resume_dead_runs(dispatcher.start_run, lease_before="9999")

        assert [channel.id for channel in resumed.resumed] == [first["channel_id"]]
        assert the_channel(waiting).run_id == waiting["run_id"]

    @pytest.mark.parametrize("end", ["cancelled", "deleted"])
    def test_leaves_nothing_behind(self, dispatcher: RecordingDispatcher, end: str) -> None:
        first, waiting = self.requested(), self.requested()

        if end == "cancelled":
            channels.cancel_channel(waiting["channel_id"])
        else:
            delete_channel(waiting["channel_id"])

        assert list(waiting_runs()) == []
        runs.cancel_run(first["channel_id"], "Cancelled.")
        check_channels.handler({}, None)
        assert self.started(dispatcher) == [first["run_id"]]

    def test_is_started_once_by_many_at_the_same_time(
        self, concurrent_tables: str, dispatcher: RecordingDispatcher, in_threads: Callable[..., list[object]]
    ) -> None:
        first, waiting = self.requested(), self.requested()
        runs.cancel_run(first["channel_id"], "Cancelled.")

        results = in_threads(6, lambda _: start_waiting_runs(dispatcher.start_run))

        assert [each for each in results if each] == [[waiting["channel_id"]]]
        assert self.started(dispatcher) == [first["run_id"], waiting["run_id"]]

    def test_the_end_of_a_run_starts_the_next_check_so_that_one_tick_is_enough(
        self, dispatcher: RecordingDispatcher, world: World, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(
            world.videos, "newest", lambda name, since: (type(world.videos.info)(name, "Any", None), [])
        )
        due = [
            a_channel(
                status=ChannelStatus.COMPLETED,
                check_every=CheckEvery.DAILY,
                next_check_at=seconds_from_now(-60),
                youtube_channel_id=f"UC{number:022}",
                newest_video_at="2024-06-01",
                fully_listed_at=seconds_from_now(-60),
                listed_months=12,
                time_range_months=12,
            )
            for number in range(12)
        ]
        for channel in due:
            create_channel(channel)

        check_channels.handler({}, None)
        for channel_id, run_id in dispatcher.started:
            list_videos.handler({"channel_id": channel_id, "run_id": run_id}, None)

        assert {channel_id for channel_id, _ in dispatcher.started} == {channel.id for channel in due}
        assert len(dispatcher.started) == len(due)
        assert list(check.problems(check.read_everything())) == []


class TestARunStartedWithoutAPlace:
    def test_stays_pending_and_keeps_its_lease(self, world: World) -> None:
        assert has_place(claimed())
        waiting = claimed()
        before = the_channel(waiting)

        assert list_videos.handler(waiting, None) == {
            **waiting,
            "must_wait": True,
            "wait_seconds": 60,
            "nothing_to_do": False,
        }

        after = the_channel(waiting)
        assert after.status == ChannelStatus.PENDING
        assert (after.lease_until or "") > (before.lease_until or "")

    def test_says_once_in_the_log_why_it_waits(self, world: World) -> None:
        assert has_place(claimed())
        waiting = claimed()

        for _ in range(3):
            list_videos.handler(waiting, None)

        lines = [line.message for line in logs_of_channel(waiting["channel_id"])]
        assert lines == ["Waiting: 1 other channel is being processed."]

    def test_says_so_again_when_it_is_restarted(self, world: World, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("RUNS_AT_ONCE", "2")
        settings.cache_clear()
        assert has_place(claimed(), places=2) and has_place(claimed(), places=2)
        first = claimed()
        list_videos.handler(first, None)
        runs.cancel_run(first["channel_id"], "Cancelled.")
        again = {**first, "run_id": ids.new_run_id()}
        runs.claim_run(again["channel_id"], again["run_id"])

        list_videos.handler(again, None)

        lines = [line.message for line in logs_of_channel(first["channel_id"])]
        waiting = "Waiting: 2 other channels are being processed."
        assert lines == [waiting, "Cancelled.", waiting]

    def test_that_was_cancelled_stops_waiting(self, world: World) -> None:
        assert has_place(claimed())
        waiting = claimed()
        runs.cancel_run(waiting["channel_id"], "Cancelled.")

        with pytest.raises(RunEnded):
            list_videos.handler(waiting, None)

    def test_begins_when_the_one_before_it_ends(self, world: World, runner: Runner) -> None:
        gate = Gate("video000000")
        world.videos.listed = some_videos(2)
        world.transcripts.before_read = gate
        first, second = claimed(), claimed()
        runner.start_run(**first)
        gate.wait_for_someone()
        world.videos.info = type(world.videos.info)("UCsecond0000000000000000", "Second", None)
        runner.start_run(**second)

        lease = the_channel(second).lease_until or ""
        eventually(lambda: (the_channel(second).lease_until or "") > lease)
        assert the_channel(second).status == ChannelStatus.PENDING
        gate.open()

        for run in (first, second):
            eventually(lambda run=run: the_channel(run).status == ChannelStatus.COMPLETED)

    def test_all_of_many_have_their_turn(self, world: World, runner: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
        world.videos.listed = some_videos(1)
        monkeypatch.setattr(world.videos, "resolve", lambda name: type(world.videos.info)(f"UC{name:0>22}", name, None))
        many = [claimed() for _ in range(8)]

        for run in many:
            runner.start_run(**run)

        for run in many:
            eventually(lambda run=run: the_channel(run).status == ChannelStatus.COMPLETED)


def test_the_place_of_a_crash_is_free_for_its_own_resumption(world: World, runner: Runner) -> None:
    died = claimed()
    assert has_place(died)
    # The resumed run gives the channel its title on YouTube.
    name = the_channel(died).name

    assert runner.resume_runs(all_are_dead=True) == [name]

    eventually(lambda: the_channel(died).status == ChannelStatus.COMPLETED)
    assert channels.get_channel(died["channel_id"]).run_id != died["run_id"]
