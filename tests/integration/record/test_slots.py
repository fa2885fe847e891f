"""How many channels are processed at once: no place is lost with a worker that dies, and none has to be given back."""

from collections.abc import Callable, Iterator

import pytest

from functions.record.channels import channels
from functions.record.errors import RunEnded
from functions.record.models.records import Channel, ChannelStatus
from functions.record.pipeline import list_videos
from functions.record.store import runs
from functions.record.store.channels import channel_by_id, create_channel, delete_channel
from functions.record.store.logs import logs_of_channel
from functions.record.store.slots import take_slot
from functions.runtime import dispatch, ids
from functions.runtime.clock import seconds_from_now
from functions.runtime.settings import settings
from local.runner import Runner
from tests.builders import a_channel
from tests.fakes import Gate, World, eventually, some_videos


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


class TestARunWithoutAPlace:
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
