"""Plans: written whole, worked on in order, each task once, skipped, retried, cancelled and taken over."""

import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from functions.plans import due_tasks, plans, tasks
from functions.plans import store as store
from functions.plans.errors import InvalidPlan, PlanEnded, PlanNotFound, TaskTaken
from functions.plans.models import PlanChange, PlanChangeKind, PlanStatus, Task, TaskKind, TaskStatus
from functions.plans.pipeline import plan_tasks, send_due_tasks
from functions.plans.tasks import Outcome, Result, TaskFailed
from functions.plans.validation import NewTask
from functions.record.channels import channels
from functions.record.channels.dead_runs import resume_dead_runs
from functions.record.errors import ChannelAlreadyProcessing
from functions.record.models.records import Channel, ChannelStatus, LogLevel
from functions.record.pipeline.keep_score import keep_score
from functions.record.scores.kept import scored_as
from functions.record.store import runs
from functions.record.store.channels import channel_by_id, delete_channel
from functions.runtime import ids
from functions.runtime.caller import Caller
from functions.runtime.clock import now, seconds_from_now
from functions.runtime.dispatch import FinishPlanChange, RunTask
from functions.runtime.dynamodb.connection import dynamodb, main_table
from functions.runtime.provider_errors import Unavailable
from functions.service.jobs import do_job
from functions.steps import TASK_RETRY
from functions.transfers.errors import TransferTaken
from functions.transfers.exports.models import Export
from functions.transfers.store import claim_transfer, note_progress, open_transfers_of_user
from operations import check
from tests.builders import a_channel, in_a_run
from tests.crashes import Crash, crash_at_write
from tests.fakes import RecordingDispatcher, World, everything
from tests.seeds import a_finished_channel
from tests.soak import times

URL = "https://www.youtube.com/@SomeName"


@pytest.fixture
def dispatched(tables: str, monkeypatch: pytest.MonkeyPatch) -> RecordingDispatcher:
    return RecordingDispatcher().install(monkeypatch)


@pytest.fixture
def done(dispatched: RecordingDispatcher, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The keys of the tasks that were done, in order; tasks named `fail…` fail."""
    keys: list[str] = []

    def do(task: Task) -> Result:
        if task.key.startswith("fail"):
            raise TaskFailed("It broke")
        keys.append(task.key)
        return Result(Outcome.COMPLETED, task.channel_id)

    monkeypatch.setattr(plan_tasks, "do_task", do)
    return keys


def a_task(key: str, *depends_on: str) -> NewTask:
    return NewTask(key, TaskKind.SCORE, "some channel", None, depends_on)


def a_plan(*wanted: NewTask) -> str:
    return plans.create_plan("A plan", wanted, Caller("somebody")).plan.id


def statuses(plan_id: str) -> dict[str, str]:
    return {task.key: str(task.status) for task in plans.get_plan(plan_id, consistent=True).tasks}


def task_of(plan_id: str, key: str) -> Task:
    task = store.task_by_key(plan_id, key)
    assert task
    return task


def work(dispatched: RecordingDispatcher) -> None:
    while dispatched.jobs:
        do_job(dispatched.jobs.pop(0))


def make_due(plan_id: str, key: str) -> None:
    """As after a wait."""
    task = task_of(plan_id, key)
    item = replace(task, due_at=seconds_from_now(-400), sent_at=None).to_item()
    dynamodb().put_item(TableName=main_table(), Item=item)


def end_run_of(plan_id: str, key: str) -> None:
    task = task_of(plan_id, key)
    assert task.channel_id and task.run_id
    runs.begin_run(task.channel_id, task.run_id, "Started")
    runs.finish_run(task.channel_id, task.run_id, ChannelStatus.COMPLETED, LogLevel.INFO, "Ended")


def failing_with(problem: Exception) -> Callable[..., None]:
    def fail(*arguments: Any) -> None:
        raise problem

    return fail


def outcome_of(outcomes: Iterator[Result | Exception]) -> Callable[[Task], Result]:
    """Does a task with one outcome after the other."""

    def do(task: Task) -> Result:
        outcome = next(outcomes)
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    return do


def assert_whole() -> None:
    assert list(check.problems(check.read_everything())) == []


class TestAPlan:
    def test_is_done_in_order_and_each_task_once(self, dispatched: RecordingDispatcher, done: list[str]) -> None:
        plan_id = a_plan(a_task("d", "b", "c"), a_task("b", "a"), a_task("c", "a"), a_task("a"))
        assert dispatched.jobs == [RunTask(plan_id, "a")]

        work(dispatched)

        assert sorted(done) == ["a", "b", "c", "d"]
        assert (done[0], done[-1]) == ("a", "d")
        found = plans.get_plan(plan_id, consistent=True)
        assert (found.plan.status, found.plan.ended, found.plan.failed) == (PlanStatus.COMPLETED, 4, 0)
        assert found.plan.ended_at
        assert [task.key for task in found.tasks] == ["d", "b", "c", "a"]
        assert all(task.due_at is None and task.attempts == 1 and task.ended_at for task in found.tasks)
        assert list(store.open_work()) == []
        assert_whole()

    def test_that_is_wrong_writes_nothing(self, dispatched: RecordingDispatcher) -> None:
        before = everything()

        with pytest.raises(InvalidPlan):
            a_plan(a_task("a", "b"), a_task("b", "a"))

        assert everything() == before
        assert not dispatched.jobs

    def test_that_is_one_long_chain_is_done(self, dispatched: RecordingDispatcher, done: list[str]) -> None:
        keys = [f"t{number:03d}" for number in range(120)]
        plan_id = a_plan(a_task(keys[0]), *(a_task(key, before) for before, key in pairwise(keys)))

        work(dispatched)

        assert done == keys
        assert plans.get_plan(plan_id).plan.status == PlanStatus.COMPLETED

    def test_with_a_large_fan_in_is_done(self, dispatched: RecordingDispatcher, done: list[str]) -> None:
        keys = [f"t{number:03d}" for number in range(times(short=150, long=499))]
        plan_id = a_plan(a_task("last", *keys), *map(a_task, keys))
        assert len(dispatched.jobs) == len(keys)

        work(dispatched)

        assert done[-1] == "last"
        assert len(done) == len(keys) + 1
        assert plans.get_plan(plan_id).plan.status == PlanStatus.COMPLETED

    def test_that_cannot_be_sent_is_there_and_found_by_the_clock(
        self, dispatched: RecordingDispatcher, done: list[str]
    ) -> None:
        dispatched.problem = RuntimeError("the queue is gone")
        plan_id = a_plan(a_task("a"), a_task("b", "a"))
        dispatched.problem = None
        assert not dispatched.jobs

        for _ in range(3):
            make_due(plan_id, "a") if task_of(plan_id, "a").due_at else None
            send_due_tasks.handler({}, None)
            work(dispatched)

        assert done == ["a", "b"]


class TestAFailure:
    def test_skips_all_that_depend_on_it_with_the_reason(
        self, dispatched: RecordingDispatcher, done: list[str]
    ) -> None:
        plan_id = a_plan(
            a_task("fails"), a_task("next", "fails", "other"), a_task("last", "next"), a_task("other"), a_task("free")
        )

        work(dispatched)

        found = plans.get_plan(plan_id, consistent=True)
        assert (found.plan.status, found.plan.ended, found.plan.failed) == (PlanStatus.FAILED, 5, 1)
        assert {task.key: task.error for task in found.tasks if task.error} == {
            "fails": "It broke",
            "next": "Needs fails, which failed",
            "last": "Needs next, which was skipped",
        }
        assert sorted(done) == ["free", "other"]
        assert_whole()

    def test_at_the_start_of_a_chain_of_five_hundred_skips_the_rest(
        self, dispatched: RecordingDispatcher, done: list[str]
    ) -> None:
        keys = ["fails", *(f"t{number:03d}" for number in range(499))]
        plan_id = a_plan(a_task(keys[0]), *(a_task(key, before) for before, key in pairwise(keys)))

        work(dispatched)

        assert done == []
        assert set(statuses(plan_id).values()) == {"failed", "skipped"}
        assert plans.get_plan(plan_id).plan.status == PlanStatus.FAILED

    @pytest.mark.parametrize("problem", [Unavailable("Try later."), KeyError("a bug")])
    def test_that_may_pass_is_tried_four_times_with_growing_waits(
        self, dispatched: RecordingDispatcher, monkeypatch: pytest.MonkeyPatch, problem: Exception
    ) -> None:
        def fail(task: Task) -> Result:
            raise problem

        monkeypatch.setattr(plan_tasks, "do_task", fail)
        monkeypatch.setattr(random, "uniform", lambda _, longest: longest)
        plan_id = a_plan(a_task("a"))
        for attempt in range(1, TASK_RETRY.attempts):
            work(dispatched)
            task = task_of(plan_id, "a")
            assert (task.status, task.attempts, task.claimed_by) == (TaskStatus.PENDING, attempt, None)
            assert task.error
            assert task.due_at and task.due_at > now()
            make_due(plan_id, "a")
            dispatched.jobs.append(RunTask(plan_id, "a"))

        work(dispatched)

        assert (task_of(plan_id, "a").status, task_of(plan_id, "a").attempts) == (TaskStatus.FAILED, 4)
        assert plans.get_plan(plan_id).plan.status == PlanStatus.FAILED

    def test_between_waits_is_one_attempt_and_a_wait_is_none(
        self, dispatched: RecordingDispatcher, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """An attempt begins, waits as often as it must, and ends: with a failure, or with success."""
        waits, fails = Result(Outcome.WAITS, None), Unavailable("Try later.")
        outcomes: list[Result | Exception] = [*[waits] * 3, fails, fails, waits, waits, fails, *[waits] * 4, fails]
        attempts: list[tuple[str, int]] = []
        monkeypatch.setattr(plan_tasks, "do_task", outcome_of(iter(outcomes)))
        plan_id = a_plan(a_task("a"))

        for _ in outcomes:
            plan_tasks.run_task(plan_id, "a")
            attempts.append((str(task_of(plan_id, "a").status), task_of(plan_id, "a").attempts))
            make_due(plan_id, "a")

        assert attempts == [
            *[("running", 1)] * 3,
            ("pending", 1),
            ("pending", 2),
            *[("running", 3)] * 2,
            ("pending", 3),
            *[("running", 4)] * 4,
            ("failed", 4),
        ]
        assert task_of(plan_id, "a").error == "Try later."

    def test_three_times_leaves_the_fourth_attempt_all_its_waits(
        self, dispatched: RecordingDispatcher, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        outcomes: list[Result | Exception] = [
            *[Unavailable("Try later.")] * 3,
            *[Result(Outcome.WAITS, None)] * 6,
            Result(Outcome.COMPLETED, None),
        ]
        monkeypatch.setattr(plan_tasks, "do_task", outcome_of(iter(outcomes)))
        plan_id = a_plan(a_task("a"))

        for _ in outcomes:
            plan_tasks.run_task(plan_id, "a")
            make_due(plan_id, "a")

        task = task_of(plan_id, "a")
        assert (task.status, task.attempts, task.error) == (TaskStatus.COMPLETED, 4, None)

    def test_leaves_no_error_once_a_later_attempt_succeeds(
        self, dispatched: RecordingDispatcher, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        outcomes: list[Exception | None] = [Unavailable("Try later."), None]

        def do(task: Task) -> Result:
            if problem := outcomes.pop(0):
                raise problem
            return Result(Outcome.COMPLETED, None)

        monkeypatch.setattr(plan_tasks, "do_task", do)
        plan_id = a_plan(a_task("a"))
        work(dispatched)
        make_due(plan_id, "a")

        plan_tasks.run_task(plan_id, "a")

        task = task_of(plan_id, "a")
        assert (task.status, task.attempts, task.error) == (TaskStatus.COMPLETED, 2, None)


class TestClaims:
    def test_a_task_is_claimed_once_by_many(
        self, concurrent_tables: str, dispatched: RecordingDispatcher, in_threads: Callable[..., list[object]]
    ) -> None:
        plan_id = a_plan(a_task("a"))

        claims = in_threads(8, lambda number: store.claim_task(plan_id, "a", f"worker {number}"))

        assert sum(isinstance(claim, Task) for claim in claims) == 1

    def test_a_task_is_not_claimed_before_what_it_depends_on(self, dispatched: RecordingDispatcher) -> None:
        plan_id = a_plan(a_task("a"), a_task("b", "a"))

        with pytest.raises(store.TaskNotClaimed):
            store.claim_task(plan_id, "b", "me")

    def test_the_claim_of_a_dead_worker_is_taken_over(self, dispatched: RecordingDispatcher, done: list[str]) -> None:
        plan_id = a_plan(a_task("a"), a_task("b", "a"))
        dead = store.claim_task(plan_id, "a", "dead")
        dispatched.jobs.clear()
        make_due(plan_id, "a")

        send_due_tasks.handler({}, None)
        work(dispatched)

        assert done == ["a", "b"]
        assert task_of(plan_id, "a").attempts == 2
        with pytest.raises(TaskTaken):
            store.end_task(dead, TaskStatus.FAILED, error="late", channel_id=None, run_id=None)

    def test_a_task_that_kills_its_workers_is_given_up(self, dispatched: RecordingDispatcher, done: list[str]) -> None:
        plan_id = a_plan(a_task("a"))
        for _ in range(TASK_RETRY.attempts):
            store.claim_task(plan_id, "a", "dead")
            make_due(plan_id, "a")

        plan_tasks.run_task(plan_id, "a")

        assert done == []
        assert task_of(plan_id, "a").error == "Its worker died in each of 4 attempts"

    def test_a_task_whose_workers_die_while_it_waits_is_given_up(
        self, dispatched: RecordingDispatcher, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        waits = Result(Outcome.WAITS, None)
        monkeypatch.setattr(plan_tasks, "do_task", outcome_of(iter([waits, waits])))
        plan_id = a_plan(a_task("a"))
        for _ in range(2):
            plan_tasks.run_task(plan_id, "a")
            make_due(plan_id, "a")
        for _ in range(TASK_RETRY.attempts):
            store.claim_task(plan_id, "a", "dead")
            make_due(plan_id, "a")

        plan_tasks.run_task(plan_id, "a")

        assert task_of(plan_id, "a").error == "Its worker died in each of 4 attempts"

    def test_repeated_and_foreign_messages_do_nothing(self, dispatched: RecordingDispatcher, done: list[str]) -> None:
        plan_id = a_plan(a_task("a"))
        work(dispatched)
        before = everything()

        for key in ("a", "a", "nothing"):
            plan_tasks.run_task(plan_id, key)
        plan_tasks.run_task(ids.new_plan_id(), "a")

        assert everything() == before
        assert done == ["a"]


class TestTheClock:
    def test_sends_a_message_again_after_a_minute_and_then_ever_later(self, dispatched: RecordingDispatcher) -> None:
        plan_id = a_plan(a_task("a"))
        dispatched.jobs.clear()
        assert send_due_tasks.handler({}, None)["sent"] == []

        due, minute = "2026-01-01T00:00:00.000Z", "2026-01-01T00:{:02d}:00.000Z"
        lost = due_tasks._is_lost
        assert lost(due, None, due)
        assert lost(due, "2025-12-31T23:00:00.000Z", due)
        assert not lost(due, due, "2026-01-01T00:00:59.000Z")
        assert lost(due, due, minute.format(1))
        assert not lost(due, minute.format(4), minute.format(7))
        assert lost(due, minute.format(4), minute.format(8))
        assert not lost(due, "2026-01-01T10:00:00.000Z", "2026-01-01T10:59:00.000Z")
        assert lost(due, "2026-01-01T10:00:00.000Z", "2026-01-01T11:00:00.000Z")
        assert lost(due, "2036-01-01T00:00:00.000Z", minute.format(1))
        make_due(plan_id, "a")
        assert send_due_tasks.handler({}, None)["sent"] == [f"{plan_id}/a"]
        assert send_due_tasks.handler({}, None)["sent"] == []

    def test_two_at_once_send_one_message(
        self, concurrent_tables: str, dispatched: RecordingDispatcher, in_threads: Callable[..., list[object]]
    ) -> None:
        plan_id = a_plan(*map(a_task, "abc"))
        for key in "abc":
            make_due(plan_id, key)
        dispatched.jobs.clear()

        in_threads(2, lambda _: due_tasks.send_due_tasks())

        assert sorted(job.key for job in dispatched.jobs if isinstance(job, RunTask)) == ["a", "b", "c"]

    def test_counts_what_has_been_due_for_an_hour(self, dispatched: RecordingDispatcher) -> None:
        plan_id = a_plan(a_task("a"), a_task("b"))
        item = replace(task_of(plan_id, "a"), due_at=seconds_from_now(-3700)).to_item()
        dynamodb().put_item(TableName=main_table(), Item=item)

        assert due_tasks.send_due_tasks()[1] == 1

    @pytest.mark.parametrize("is_claimed", [False, True])
    def test_finds_what_a_clock_that_was_years_ahead_has_put_off(
        self, dispatched: RecordingDispatcher, monkeypatch: pytest.MonkeyPatch, is_claimed: bool
    ) -> None:
        plan_id = a_plan(a_task("a"))
        if is_claimed:
            store.claim_task(plan_id, "a", "dead")
        ahead = "2099-01-01T00:00:00.000Z"
        item = replace(task_of(plan_id, "a"), due_at=ahead, sent_at=ahead).to_item()
        dynamodb().put_item(TableName=main_table(), Item=item)
        dispatched.jobs.clear()

        due_tasks.send_due_tasks()
        assert (task_of(plan_id, "a").due_at or "") <= seconds_from_now(store.CLAIM_SECONDS)
        monkeypatch.setattr(due_tasks, "now", lambda: seconds_from_now(store.CLAIM_SECONDS + 1))
        due_tasks.send_due_tasks()

        assert dispatched.jobs == [RunTask(plan_id, "a")]

    def test_at_a_local_start_nothing_has_to_wait(self, dispatched: RecordingDispatcher, done: list[str]) -> None:
        plan_id = a_plan(a_task("a"), a_task("b"))
        store.claim_task(plan_id, "a", "dead")
        dispatched.jobs.clear()

        due_tasks.resume_tasks()
        work(dispatched)

        assert sorted(done) == ["a", "b"]


class TestAWriterThatDies:
    @pytest.mark.parametrize("event", ["before-call", "after-call"])
    @pytest.mark.parametrize("number", range(1, 6))
    def test_leaves_a_whole_plan_or_none(
        self, dispatched: RecordingDispatcher, done: list[str], number: int, event: str
    ) -> None:
        with crash_at_write(number, event), pytest.raises(Crash):
            a_plan(a_task("a"), a_task("b", "a"))
            raise Crash
        dispatched.jobs.clear()

        for unfinished in list(store.open_work()):
            dispatched.jobs.append(
                RunTask(unfinished.plan_id, unfinished.key)
                if isinstance(unfinished, Task)
                else FinishPlanChange(unfinished.plan_id, unfinished.kind)
            )
        work(dispatched)

        assert done in ([], ["a", "b"])
        assert len(everything()) == (5 if done else 0)
        assert list(store.open_work()) == []
        assert_whole()

    @pytest.mark.parametrize("event", ["before-call", "after-call"])
    @pytest.mark.parametrize("number", range(1, 5))
    def test_leaves_one_plan_when_its_request_is_repeated(
        self, dispatched: RecordingDispatcher, number: int, event: str
    ) -> None:
        wanted = [a_task("a"), a_task("b", "a")]
        with crash_at_write(number, event), pytest.raises(Crash):
            plans.create_plan("A plan", wanted, Caller("somebody"), request="request")
            raise Crash

        again = plans.create_plan("A plan", wanted, Caller("somebody"), request="request")

        (listed,) = plans.list_plans(None, 10).items
        assert listed.id == again.plan.id

    def test_does_not_matter_to_a_request_that_was_quicker(
        self, dispatched: RecordingDispatcher, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        first = plans.create_plan("A plan", [a_task("a")], Caller("somebody"), request="request")
        seen = iter([None, first.plan.id])
        monkeypatch.setattr(store, "plan_id_of_request", lambda _: next(seen))

        slower = plans.create_plan("A plan", [a_task("a")], Caller("somebody"), request="request")

        assert slower.plan.id == first.plan.id
        (unfinished,) = (work for work in store.open_work() if isinstance(work, PlanChange))
        do_job(FinishPlanChange(unfinished.plan_id, unfinished.kind))
        assert_whole()

    def test_is_not_taken_for_dead_while_it_writes(self, dispatched: RecordingDispatcher) -> None:
        store.begin_creation("P")

        assert due_tasks.send_due_tasks() == ([], 0)

    def test_before_the_others_were_told_is_made_up_for(self, dispatched: RecordingDispatcher, done: list[str]) -> None:
        plan_id = a_plan(a_task("a"), a_task("b", "a"))
        mine = store.claim_task(plan_id, "a", "me")
        store.end_task(mine, TaskStatus.COMPLETED, error=None, channel_id=None, run_id=None)
        dispatched.jobs.clear()
        make_due(plan_id, "a")

        send_due_tasks.handler({}, None)
        work(dispatched)

        assert done == ["b"]
        assert plans.get_plan(plan_id).plan.status == PlanStatus.COMPLETED

    def test_between_the_release_and_the_opening_of_a_task_is_made_up_for(
        self, dispatched: RecordingDispatcher, done: list[str]
    ) -> None:
        plan_id = a_plan(a_task("a"), a_task("b", "a"))
        mine = store.claim_task(plan_id, "a", "me")
        store.end_task(mine, TaskStatus.COMPLETED, error=None, channel_id=None, run_id=None)
        assert store.release_task(plan_id, "b", "a")
        dispatched.jobs[:] = [RunTask(plan_id, "a")]

        work(dispatched)

        assert done == ["b"]


class TestCancelling:
    def test_stops_what_has_not_begun_and_lets_the_rest_finish(
        self, dispatched: RecordingDispatcher, done: list[str]
    ) -> None:
        plan_id = a_plan(a_task("a"), a_task("b", "a"), a_task("c"), a_task("d", "c"))
        mine = store.claim_task(plan_id, "a", "me")

        cancelled = plans.cancel_plan(plan_id)

        assert cancelled.plan.status == PlanStatus.RUNNING
        assert statuses(plan_id) == {"a": "running", "b": "cancelled", "c": "cancelled", "d": "cancelled"}
        plans.tell(store.end_task(mine, TaskStatus.COMPLETED, error=None, channel_id=None, run_id=None))
        work(dispatched)
        found = plans.get_plan(plan_id, consistent=True)
        assert (found.plan.status, found.plan.ended) == (PlanStatus.CANCELLED, 4)
        assert done == []
        assert_whole()

    def test_twice_is_harmless_until_it_has_ended(self, dispatched: RecordingDispatcher, done: list[str]) -> None:
        plan_id = a_plan(a_task("a"), a_task("b", "a"))
        mine = store.claim_task(plan_id, "a", "me")
        plans.cancel_plan(plan_id)
        assert plans.cancel_plan(plan_id).plan.status == PlanStatus.RUNNING

        plans.tell(store.end_task(mine, TaskStatus.COMPLETED, error=None, channel_id=None, run_id=None))

        with pytest.raises(PlanEnded):
            plans.cancel_plan(plan_id)

    def test_of_a_plan_that_nobody_has_begun_ends_it_at_once(self, dispatched: RecordingDispatcher) -> None:
        plan_id = a_plan(*(a_task(f"t{number}") for number in range(250)))

        assert plans.cancel_plan(plan_id).plan.status == PlanStatus.CANCELLED
        assert list(store.open_work()) == []

    def test_leaves_no_further_attempt(self, dispatched: RecordingDispatcher, monkeypatch: pytest.MonkeyPatch) -> None:
        plan_id = a_plan(a_task("a"))

        def cancel_and_fail(task: Task) -> Result:
            plans.cancel_plan(plan_id)
            raise Unavailable("Try later.")

        monkeypatch.setattr(plan_tasks, "do_task", cancel_and_fail)

        work(dispatched)

        assert statuses(plan_id) == {"a": "cancelled"}
        assert plans.get_plan(plan_id).plan.status == PlanStatus.CANCELLED

    def test_that_died_half_way_is_finished_by_the_clock(self, dispatched: RecordingDispatcher) -> None:
        plan_id = a_plan(a_task("a"), a_task("b", "a"))
        store.begin_cancelling(plan_id)

        do_job(FinishPlanChange(plan_id, PlanChangeKind.CANCEL))

        assert plans.get_plan(plan_id).plan.status == PlanStatus.CANCELLED

    @pytest.mark.parametrize("kind", [TaskKind.PROCESS, TaskKind.SCORE])
    def test_stops_a_task_that_waits_for_another_run(self, dispatched: RecordingDispatcher, kind: TaskKind) -> None:
        channel = a_channel()
        run_id, _ = in_a_run(channel)
        plan_id = a_plan(NewTask("run", kind, channel.id))
        plan_tasks.run_task(plan_id, "run")
        plans.cancel_plan(plan_id)
        runs.finish_run(channel.id, run_id, ChannelStatus.COMPLETED, LogLevel.INFO, "Ended")

        make_due(plan_id, "run")
        plan_tasks.run_task(plan_id, "run")

        assert statuses(plan_id) == {"run": "cancelled"}
        assert plans.get_plan(plan_id).plan.status == PlanStatus.CANCELLED
        assert not dispatched.started

    def test_ends_the_runs_and_exports_that_its_tasks_began(self, dispatched: RecordingDispatcher) -> None:
        channel = a_finished_channel()
        exports = [NewTask(f"export{number}", TaskKind.EXPORT, None) for number in range(6)]
        plan_id = a_plan(NewTask("run", TaskKind.PROCESS, channel.id), *exports)
        keys = ["run", *(task.key for task in exports)]
        for key in keys:
            plan_tasks.run_task(plan_id, key)
        plan = plans.get_plan(plan_id).plan
        begun = open_transfers_of_user(Export, plan.created_by)
        writing = claim_transfer(begun[0], "a worker")

        plans.cancel_plan(plan_id)
        for key in keys:
            make_due(plan_id, key)
            plan_tasks.run_task(plan_id, key)

        assert len(begun) == 6
        assert open_transfers_of_user(Export, plan.created_by) == []
        assert writing
        with pytest.raises(TransferTaken):
            note_progress(writing)
        ended = channel_by_id(channel.id, consistent=True)
        assert ended and ended.status is ChannelStatus.CANCELLED
        assert set(statuses(plan_id).values()) == {"cancelled"}
        assert plans.get_plan(plan_id).plan.status is PlanStatus.CANCELLED

    def test_leaves_a_run_that_somebody_else_began(self, dispatched: RecordingDispatcher) -> None:
        channel = a_finished_channel()
        plan_id = a_plan(NewTask("run", TaskKind.PROCESS, channel.id))
        plan_tasks.run_task(plan_id, "run")
        channels.cancel_channel(channel.id)
        run_id = ids.new_run_id()
        runs.claim_run(channel.id, run_id)

        plans.cancel_plan(plan_id)
        make_due(plan_id, "run")
        plan_tasks.run_task(plan_id, "run")

        present = channel_by_id(channel.id, consistent=True)
        assert present and present.run_id == run_id and present.is_under_way
        assert statuses(plan_id) == {"run": "cancelled"}

    def test_reads_no_further_feeds(self, dispatched: RecordingDispatcher, monkeypatch: pytest.MonkeyPatch) -> None:
        plan_id = a_plan(NewTask("news", TaskKind.INGEST_NEWS, None))
        polls: list[int] = []
        monkeypatch.setattr("functions.news.replay.replay_news", lambda *_: polls.append(1))
        plan_tasks.run_task(plan_id, "news")

        plans.cancel_plan(plan_id)
        make_due(plan_id, "news")
        plan_tasks.run_task(plan_id, "news")

        assert (polls, statuses(plan_id)) == ([1], {"news": "cancelled"})

    def test_of_no_plan_is_told(self, dispatched: RecordingDispatcher) -> None:
        for plan_id in (ids.new_plan_id(), "nothing"):
            with pytest.raises(PlanNotFound):
                plans.cancel_plan(plan_id)


class TestKinds:
    """Tasks with the real functions."""

    def test_a_channel_is_added_processed_and_scored(
        self, dispatched: RecordingDispatcher, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        World().install(monkeypatch)
        plan_id = a_plan(
            NewTask("add", TaskKind.ADD_CHANNEL, None, URL), NewTask("score", TaskKind.SCORE, None, None, ("add",))
        )
        plan_tasks.run_task(plan_id, "add")
        added = task_of(plan_id, "add")
        assert dispatched.started == [(added.channel_id, added.run_id)]
        assert (added.status, added.attempts, added.claimed_by) == (TaskStatus.RUNNING, 1, None)
        assert added.channel_id and added.run_id

        make_due(plan_id, "add")
        plan_tasks.run_task(plan_id, "add")
        assert (task_of(plan_id, "add").status, task_of(plan_id, "add").attempts) == (TaskStatus.RUNNING, 1)

        runs.begin_run(added.channel_id, added.run_id, "Started")
        runs.finish_run(added.channel_id, added.run_id, ChannelStatus.COMPLETED, LogLevel.INFO, "Finished")
        make_due(plan_id, "add")
        plan_tasks.run_task(plan_id, "add")
        plan_tasks.run_task(plan_id, "score")

        assert statuses(plan_id) == {"add": "completed", "score": "completed"}
        channel = channel_by_id(added.channel_id)
        assert channel and channel.scored
        assert task_of(plan_id, "score").channel_id == channel.id
        assert len(dispatched.started) == 1

    def test_a_worker_that_dies_while_it_adds_a_channel_begins_one_run(self, dispatched: RecordingDispatcher) -> None:
        plan_id = a_plan(NewTask("add", TaskKind.ADD_CHANNEL, None, URL))
        with crash_at_write(3, "after-call"), pytest.raises(Crash):
            plan_tasks.run_task(plan_id, "add")
        make_due(plan_id, "add")

        plan_tasks.run_task(plan_id, "add")

        task = task_of(plan_id, "add")
        assert task.channel_id
        channel = channel_by_id(task.channel_id)
        assert channel and channel.run_id == task.run_id
        assert task.status == TaskStatus.RUNNING

    def test_a_channel_that_is_tracked_already_is_completed_at_once(self, dispatched: RecordingDispatcher) -> None:
        channel = replace(a_channel("SomeName"), guards=("handle:SomeName",))
        in_a_run(channel)
        plan_id = a_plan(NewTask("add", TaskKind.ADD_CHANNEL, None, URL))

        work(dispatched)

        task = task_of(plan_id, "add")
        assert (task.status, task.channel_id, task.run_id) == (TaskStatus.COMPLETED, channel.id, None)

    @pytest.mark.parametrize(
        ("ended", "status", "error"),
        [
            (ChannelStatus.COMPLETED, "completed", None),
            (ChannelStatus.FAILED, "failed", "YouTube knows no such channel."),
            (ChannelStatus.CANCELLED, "failed", "Its run was cancelled"),
        ],
    )
    @pytest.mark.parametrize("kind", [TaskKind.PROCESS, TaskKind.REREAD])
    def test_a_run_ends_its_task(
        self, dispatched: RecordingDispatcher, kind: TaskKind, ended: ChannelStatus, status: str, error: str | None
    ) -> None:
        channel = a_finished_channel()
        plan_id = a_plan(NewTask("run", kind, channel.id))
        plan_tasks.run_task(plan_id, "run")
        ((_, run_id),) = dispatched.started
        assert task_of(plan_id, "run").run_id == run_id
        stored = channel_by_id(channel.id)
        assert stored and bool(stored.rereading) == (kind == TaskKind.REREAD)

        runs.begin_run(channel.id, run_id, "Started")
        runs.finish_run(channel.id, run_id, ended, LogLevel.INFO, "Ended", error=error)
        make_due(plan_id, "run")
        plan_tasks.run_task(plan_id, "run")

        task = task_of(plan_id, "run")
        assert (str(task.status), task.error, task.run_id) == (status, error, run_id)

    def test_a_run_whose_worker_died_is_followed_to_the_one_that_continues_it(
        self, dispatched: RecordingDispatcher
    ) -> None:
        channel = a_finished_channel()
        plan_id = a_plan(NewTask("run", TaskKind.PROCESS, channel.id))
        plan_tasks.run_task(plan_id, "run")
        first, second = task_of(plan_id, "run").run_id, ids.new_run_id()
        runs.take_over_run(channel.id, second, "Continuing", lease_before="9999")
        make_due(plan_id, "run")
        plan_tasks.run_task(plan_id, "run")
        assert task_of(plan_id, "run").status == TaskStatus.RUNNING

        runs.begin_run(channel.id, second, "Started")
        runs.finish_run(channel.id, second, ChannelStatus.COMPLETED, LogLevel.INFO, "Ended")
        make_due(plan_id, "run")
        plan_tasks.run_task(plan_id, "run")

        task = task_of(plan_id, "run")
        assert (task.status, task.run_id) == (TaskStatus.COMPLETED, first)

    def test_a_run_that_is_resumed_again_and_again_is_followed_to_its_end(
        self, dispatched: RecordingDispatcher
    ) -> None:
        channel = a_finished_channel()
        plan_id = a_plan(NewTask("run", TaskKind.PROCESS, channel.id))
        plan_tasks.run_task(plan_id, "run")
        first = task_of(plan_id, "run").run_id
        for _ in range(3):
            last = ids.new_run_id()
            runs.take_over_run(channel.id, last, "Continuing", lease_before="9999")
            runs.begin_run(channel.id, last, "Started")
            make_due(plan_id, "run")
            plan_tasks.run_task(plan_id, "run")
            task = task_of(plan_id, "run")
            assert (task.status, task.attempts, task.error) == (TaskStatus.RUNNING, 1, None)

        runs.finish_run(channel.id, last, ChannelStatus.COMPLETED, LogLevel.INFO, "Ended")
        make_due(plan_id, "run")
        plan_tasks.run_task(plan_id, "run")

        task = task_of(plan_id, "run")
        assert (task.status, task.run_id) == (TaskStatus.COMPLETED, first)

    @pytest.mark.parametrize("kind", [TaskKind.PROCESS, TaskKind.SCORE])
    def test_a_channel_that_another_run_reads_is_waited_for(
        self, dispatched: RecordingDispatcher, kind: TaskKind
    ) -> None:
        channel = a_channel()
        in_a_run(channel)
        plan_id = a_plan(NewTask("run", kind, channel.id))

        for _ in range(6):
            plan_tasks.run_task(plan_id, "run")
            make_due(plan_id, "run")

        task = task_of(plan_id, "run")
        assert (task.status, task.attempts, task.looks, task.run_id) == (TaskStatus.RUNNING, 1, 6, None)
        assert not dispatched.started

    @pytest.mark.parametrize(
        "kind", [kind for kind in TaskKind if kind not in (TaskKind.ADD_CHANNEL, TaskKind.INGEST_NEWS)]
    )
    def test_of_a_channel_that_is_gone_fails_at_once(self, dispatched: RecordingDispatcher, kind: TaskKind) -> None:
        channel = a_finished_channel()
        delete_channel(channel.id)
        plan_id = a_plan(NewTask("run", kind, channel.id))

        work(dispatched)

        task = task_of(plan_id, "run")
        assert (task.status, task.error, task.attempts) == (TaskStatus.FAILED, "Channel not found", 1)

    @pytest.mark.parametrize("kind", [TaskKind.REFRESH_PRICES, TaskKind.BACKFILL_PRICES, TaskKind.SCORE])
    def test_prices_and_scores_are_made(
        self, dispatched: RecordingDispatcher, monkeypatch: pytest.MonkeyPatch, kind: TaskKind
    ) -> None:
        world = World().install(monkeypatch)
        channel = a_finished_channel()
        plan_id = a_plan(NewTask("it", kind, channel.id))

        plan_tasks.run_task(plan_id, "it")

        assert statuses(plan_id) == {"it": "completed"}
        assert (world.prices.quoted == ["AAPL"]) == (kind == TaskKind.REFRESH_PRICES)

    def test_a_look_that_finds_the_end_is_no_further_attempt(self, dispatched: RecordingDispatcher) -> None:
        channel = a_finished_channel()
        plan_id = a_plan(NewTask("run", TaskKind.PROCESS, channel.id))
        plan_tasks.run_task(plan_id, "run")
        end_run_of(plan_id, "run")

        make_due(plan_id, "run")
        plan_tasks.run_task(plan_id, "run")

        assert (task_of(plan_id, "run").status, task_of(plan_id, "run").attempts) == (TaskStatus.COMPLETED, 1)

    def test_two_workers_that_begin_its_run_at_once_begin_one(
        self, dispatched: RecordingDispatcher, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        channel = a_finished_channel()
        plan_id = a_plan(NewTask("run", TaskKind.PROCESS, channel.id))
        process_channel = channels.process_channel

        def after_another(*arguments: Any, **options: Any) -> Channel:
            process_channel(*arguments, **options)
            raise ChannelAlreadyProcessing(channel.id)

        monkeypatch.setattr(channels, "process_channel", after_another)

        plan_tasks.run_task(plan_id, "run")

        ((_, run_id),) = dispatched.started
        assert task_of(plan_id, "run").run_id == run_id

    @pytest.mark.parametrize("kind", [TaskKind.ADD_CHANNEL, TaskKind.PROCESS])
    def test_a_run_that_could_not_be_started_is_resumed_and_ends_its_task(
        self, dispatched: RecordingDispatcher, monkeypatch: pytest.MonkeyPatch, kind: TaskKind
    ) -> None:
        adds = kind is TaskKind.ADD_CHANNEL
        plan_id = a_plan(NewTask("run", kind, None if adds else a_finished_channel().id, URL if adds else None))
        with monkeypatch.context() as broken:
            broken.setattr(dispatched, "start_run", failing_with(ConnectionError("Step Functions is down")))
            plan_tasks.run_task(plan_id, "run")
        assert task_of(plan_id, "run").status == TaskStatus.RUNNING

        resume_dead_runs(dispatched.start_run, lease_before="9999")
        ((channel_id, run_id),) = dispatched.started
        runs.begin_run(channel_id, run_id, "Started")
        runs.finish_run(channel_id, run_id, ChannelStatus.COMPLETED, LogLevel.INFO, "Ended")
        make_due(plan_id, "run")
        plan_tasks.run_task(plan_id, "run")

        assert (task_of(plan_id, "run").status, task_of(plan_id, "run").error) == (TaskStatus.COMPLETED, None)

    def test_a_score_that_could_not_be_kept_is_waited_for(
        self, dispatched: RecordingDispatcher, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        World().install(monkeypatch)
        channel = a_finished_channel()
        plan_id = a_plan(NewTask("score", TaskKind.SCORE, channel.id))
        with monkeypatch.context() as changing:
            changing.setattr(tasks, "keep_score", lambda _: False)
            plan_tasks.run_task(plan_id, "score")
        assert task_of(plan_id, "score").status == TaskStatus.RUNNING

        make_due(plan_id, "score")
        plan_tasks.run_task(plan_id, "score")

        assert task_of(plan_id, "score").status == TaskStatus.COMPLETED

    def test_a_score_waits_for_a_run_that_begins_while_it_is_computed(
        self, dispatched: RecordingDispatcher, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        World().install(monkeypatch)
        channel = a_finished_channel()
        assert keep_score(channel.id)
        run_id = ids.new_run_id()

        def score_after_a_run_began(channel_id: str) -> bool:
            runs.claim_run(channel_id, run_id)
            runs.begin_run(channel_id, run_id, "Started")
            return keep_score(channel_id)

        plan_id = a_plan(NewTask("score", TaskKind.SCORE, channel.id))
        with monkeypatch.context() as meanwhile:
            meanwhile.setattr(tasks, "keep_score", score_after_a_run_began)
            plan_tasks.run_task(plan_id, "score")
        begun = task_of(plan_id, "score").status
        make_due(plan_id, "score")
        plan_tasks.run_task(plan_id, "score")
        under_way = task_of(plan_id, "score").status
        runs.finish_run(channel.id, run_id, ChannelStatus.COMPLETED, LogLevel.INFO, "Ended")
        make_due(plan_id, "score")
        plan_tasks.run_task(plan_id, "score")

        assert (begun, under_way) == (TaskStatus.RUNNING, TaskStatus.RUNNING)
        assert task_of(plan_id, "score").status == TaskStatus.COMPLETED
        ended = channel_by_id(channel.id)
        assert ended and ended.scored == scored_as(ended)

    def test_every_kind_has_a_function(self) -> None:
        assert tasks.KINDS.keys() == set(TaskKind)


def test_what_decides_on_a_plan_is_read_with_what_was_written_just_before(
    dispatched: RecordingDispatcher, done: list[str], stale_reads: list[dict[str, Any]]
) -> None:
    """Otherwise a task that ended a moment ago would not be counted, and its plan would never end."""
    finished = plans.create_plan(
        "Twice", [a_task("a"), a_task("b", "a")], Caller("somebody"), request="the same"
    ).plan.id
    plans.create_plan("Twice", [a_task("a"), a_task("b", "a")], Caller("somebody"), request="the same")
    failed = a_plan(a_task("fails"), a_task("next", "fails"), a_task("last", "next"))
    work(dispatched)
    cancelled = a_plan(a_task("a"), a_task("b", "a"))
    plans.cancel_plan(cancelled)
    store.begin_creation("never stored")
    for plan_id in ("never stored", finished):
        do_job(FinishPlanChange(plan_id, PlanChangeKind.CREATE))

    assert [plans.get_plan(each, consistent=True).plan.status for each in (finished, failed, cancelled)] == [
        PlanStatus.COMPLETED,
        PlanStatus.FAILED,
        PlanStatus.CANCELLED,
    ]
    assert stale_reads == []


def test_a_task_costs_a_handful_of_requests(
    dispatched: RecordingDispatcher, done: list[str], requests_made: Any
) -> None:
    plan_id = a_plan(a_task("a"), a_task("b", "a"), a_task("c", "b"))
    plan_tasks.run_task(plan_id, "a")
    requests_made.clear()

    plan_tasks.run_task(plan_id, "b")

    assert requests_made == {"UpdateItem": 4, "TransactWriteItems": 1}
