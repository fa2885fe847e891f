"""Random plans, many workers, kills, lost and repeated messages: every task is done once and in order, none is lost."""

import random
import threading
import time
from collections import Counter, deque
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from functions.plans import due_tasks, plans
from functions.plans import store as store
from functions.plans.errors import PlanEnded
from functions.plans.models import PlanStatus, Task, TaskKind, TaskStatus
from functions.plans.pipeline import plan_tasks
from functions.plans.tasks import Outcome, Result, TaskFailed
from functions.plans.validation import NewTask
from functions.runtime import dispatch, ids
from functions.runtime.caller import Caller
from functions.runtime.dispatch import FinishPlanChange, Job, RunTask
from functions.runtime.dynamodb.connection import dynamodb, main_table
from functions.runtime.provider_errors import Unavailable
from functions.runtime.settings import settings as product_settings
from functions.service.jobs import do_job
from functions.steps import TASK_RETRY
from local.tables import create_tables, delete_tables
from operations import check
from tests.crashes import WRITES, Crash
from tests.soak import SOAKING, seed, times

SEED = seed("PLAN_SEED")
SEEDS = times(short=2, long=30)
TASKS = times(short=60, long=200)
WORKERS = 8
LONGEST_HISTORY_SECONDS = 300
CLAIM_SECONDS = 0.4
"""Short, so that the claims of killed workers end soon; those of slow ones end too early now and then."""


def random_tasks(chance: random.Random, count: int) -> list[NewTask]:
    """Each depends on some of those before it, in any of many shapes; sent in any order."""
    keys = [f"t{number:03d}" for number in range(count)]
    most = chance.choice([1, 2, 3, 8])
    reach = chance.choice([3, 20, count])
    tasks = [
        NewTask(
            key,
            TaskKind.SCORE,
            "some channel",
            None,
            tuple(chance.sample(keys[max(0, number - reach) : number], min(number, reach, chance.randint(0, most)))),
        )
        for number, key in enumerate(keys)
    ]
    chance.shuffle(tasks)
    return tasks


@dataclass
class Messages:
    """A queue that loses some messages and delivers others twice."""

    chance: random.Random
    loses: float = 0.05
    repeats: float = 0.1
    _queue: deque[tuple[float, Job]] = field(default_factory=deque)
    _lock: Any = field(default_factory=threading.Lock)

    def start_run(self, channel_id: str, run_id: str) -> None:
        raise AssertionError("no run is started here")

    def stop_run(self, channel_id: str, run_id: str) -> None:
        raise AssertionError("no run is stopped here")

    def send(self, job: Job, delay_seconds: float = 0) -> None:
        with self._lock:
            luck = self.chance.random()
            copies = 0 if luck < self.loses else 2 if luck < self.loses + self.repeats else 1
            self._queue.extend([(time.monotonic() + delay_seconds, job)] * copies)

    def take(self) -> Job | None:
        with self._lock:
            for _ in range(len(self._queue)):
                due, job = self._queue.popleft()
                if due <= time.monotonic():
                    return job
                self._queue.append((due, job))
            return None


class Kills:
    """Kills the thread that makes the write, before or after it, by chance."""

    def __init__(self, chance: random.Random, share: float) -> None:
        self._chance, self._share = chance, share
        self._lock = threading.Lock()
        self.threads: set[int] = set()
        self.count = 0

    def __call__(self, **_: Any) -> None:
        # What a worker does on further threads is its own work, too.
        if threading.get_ident() not in self.threads and not threading.current_thread().name.startswith("for_each"):
            return
        with self._lock:
            if self._chance.random() >= self._share:
                return
            self.count += 1
        raise Crash

    def install(self) -> None:
        for event in ("before-call", "after-call"):
            for operation in WRITES:
                dynamodb().meta.events.register(f"{event}.dynamodb.{operation}", self)

    def remove(self) -> None:
        for event in ("before-call", "after-call"):
            for operation in WRITES:
                dynamodb().meta.events.unregister(f"{event}.dynamodb.{operation}", self)


class Effects:
    """The work of the tasks: each begins something under an id that its plan noted for it, as it would begin a run."""

    def __init__(self, chance: random.Random, depends_on: dict[str, tuple[str, ...]]) -> None:
        self._chance, self._depends_on = chance, depends_on
        self._lock = threading.Lock()
        self.made: Counter[str] = Counter()
        self.order: list[str] = []
        self.too_early: list[str] = []
        self.fails = {key for key in depends_on if chance.random() < 0.03}

    def do(self, task: Task) -> Result:
        task = store.note_run(task, ids.new_run_id())
        with self._lock:
            if any(key not in self.made for key in self._depends_on[task.key]):
                self.too_early.append(task.key)
            luck = self._chance.random()
        if task.key in self.fails:
            raise TaskFailed("It broke")
        if luck < 0.05:
            raise Unavailable("Try later.")
        with suppress(dynamodb().exceptions.ConditionalCheckFailedException):
            # Refused where a worker that died had done it before.
            dynamodb().put_item(
                TableName=main_table(),
                Item={"PK": {"S": f"EFFECT#{task.key}"}, "SK": {"S": str(task.run_id)}},
                ConditionExpression="attribute_not_exists(PK)",
            )
        with self._lock:
            self.made[task.key] += 1
            self.order.append(task.key)
        return Result(Outcome.COMPLETED, task.channel_id, task.run_id)

    def stored(self) -> Counter[str]:
        """How often each task took effect."""
        pages = dynamodb().get_paginator("scan").paginate(TableName=main_table())
        items = [item for page in pages for item in page["Items"]]
        effects = [item for item in items if item["PK"]["S"].startswith("EFFECT#")]
        return Counter(item["PK"]["S"].removeprefix("EFFECT#") for item in effects)


def expected_outcomes(tasks: list[NewTask], fails: set[str]) -> dict[str, str]:
    by_key = {task.key: task for task in tasks}
    outcomes: dict[str, str] = {}
    for key in sorted(by_key):
        needs = [outcomes[each] for each in by_key[key].depends_on]
        skipped = any(outcome != "completed" for outcome in needs)
        outcomes[key] = "skipped" if skipped else "failed" if key in fails else "completed"
    return outcomes


def work(messages: Messages, kills: Kills, ended: threading.Event) -> None:
    """A worker: killed, it is replaced by another at once."""
    kills.threads.add(threading.get_ident())
    while not ended.is_set():
        job = messages.take()
        if job is None:
            time.sleep(0.002)
            continue
        with suppress(Crash):
            do_job(job)


def tick(ended: threading.Event) -> None:
    while not ended.wait(0.05):
        due_tasks.send_due_tasks()


@pytest.mark.parametrize("number", range(SEEDS))
def test_whatever_happens_every_task_is_done_once_and_in_order(
    concurrent_tables: str, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    print(f"PLAN_SEED={SEED}")
    chance = random.Random(f"{SEED}/{number}")
    tasks = random_tasks(chance, TASKS)
    effects = Effects(chance, {task.key: task.depends_on for task in tasks})
    messages, kills = Messages(chance), Kills(chance, share=0.02)
    monkeypatch.setattr(dispatch, "_dispatchers", [messages])
    monkeypatch.setattr(plan_tasks, "do_task", effects.do)
    monkeypatch.setattr(plan_tasks, "TASK_RETRY", PATIENT_RETRY)
    for name, seconds in (("CLAIM_SECONDS", CLAIM_SECONDS), ("TELL_SECONDS", 0.2), ("CHANGE_SECONDS", 0.2)):
        monkeypatch.setattr(store, name, seconds)
    monkeypatch.setattr(due_tasks, "PATIENCE_SECONDS", 0.1)
    ended = threading.Event()
    threads = [threading.Thread(target=work, args=(messages, kills, ended)) for _ in range(WORKERS)]
    threads += [threading.Thread(target=tick, args=(ended,)) for _ in range(2)]
    plan_id = plans.create_plan("A history", tasks, Caller("somebody")).plan.id
    kills.install()
    try:
        for thread in threads:
            thread.start()
        deadline = time.monotonic() + LONGEST_HISTORY_SECONDS
        while plans.get_plan(plan_id, consistent=True).plan.status is PlanStatus.RUNNING:
            assert time.monotonic() < deadline, f"PLAN_SEED={SEED}: the plan never ended"
            time.sleep(0.05)
    finally:
        ended.set()
        for thread in threads:
            thread.join()
        kills.remove()

    found = plans.get_plan(plan_id, consistent=True)
    expected = expected_outcomes(tasks, effects.fails)
    assert {task.key: str(task.status) for task in found.tasks} == expected
    assert effects.too_early == []
    completed = {key for key, outcome in expected.items() if outcome == "completed"}
    assert effects.stored() == Counter(completed)
    assert (found.plan.ended, found.plan.failed) == (TASKS, sum(each == "failed" for each in expected.values()))
    assert [item for item in store.open_work() if isinstance(item, Task)] == []
    problems = [each for each in check.problems(check.read_everything()) if "EFFECT#" not in each]
    assert problems == []
    assert kills.count > 0


class _Patient:
    """Tries often and soon, so that a history with many kills ends as it would without any."""

    attempts = 1000

    @staticmethod
    def wait_before(retry: int, retry_after: float | None = None) -> float:
        return 0.01


PATIENT_RETRY = _Patient()


class SentJobs:
    """Keeps what was sent, so that rules decide when and how often it arrives."""

    def __init__(self) -> None:
        self.jobs: list[Job] = []

    def start_run(self, channel_id: str, run_id: str) -> None:
        raise AssertionError("no run is started here")

    def stop_run(self, channel_id: str, run_id: str) -> None:
        raise AssertionError("no run is stopped here")

    def send(self, job: Job, delay_seconds: float = 0) -> None:
        self.jobs.append(job)


class PlanModel(RuleBasedStateMachine):
    """A plan against a small model of it: which tasks have ended how, and which may be worked on."""

    def __init__(self) -> None:
        super().__init__()
        self.prefix = f"Plans{uuid4().hex[:12]}"
        self.environment = pytest.MonkeyPatch()
        self.environment.setenv("DYNAMODB_TABLE_PREFIX", self.prefix)
        product_settings.cache_clear()
        create_tables(dynamodb(), self.prefix)
        self.sent = SentJobs()
        self.environment.setattr(dispatch, "_dispatchers", [self.sent])
        self.environment.setattr(plan_tasks, "do_task", self._do)
        self.outcome: Exception | None = None
        self.done: list[str] = []
        self.is_cancelled = False

    def teardown(self) -> None:
        delete_tables(dynamodb(), self.prefix)
        self.environment.undo()
        product_settings.cache_clear()

    def _do(self, task: Task) -> Result:
        assert self.model[task.key] == "pending", f"{task.key} is done again"
        assert all(self.model[key] == "completed" for key in self.depends_on[task.key])
        if self.outcome:
            raise self.outcome
        self.done.append(task.key)
        return Result(Outcome.COMPLETED, task.channel_id)

    @initialize(edges=st.lists(st.sets(st.integers(0, 5), max_size=3), min_size=1, max_size=6))
    def create(self, edges: list[set[int]]) -> None:
        self.depends_on = {
            f"t{number}": tuple(f"t{each}" for each in sorted(needs) if each < number)
            for number, needs in enumerate(edges)
        }
        wanted = [NewTask(key, TaskKind.SCORE, "c", None, needs) for key, needs in self.depends_on.items()]
        self.plan_id = plans.create_plan("A plan", wanted, Caller("somebody")).plan.id
        self.model = dict.fromkeys(self.depends_on, "pending")

    @rule(number=st.integers(0, 5), outcome=st.sampled_from(["completes", "completes", "fails", "later"]))
    def deliver(self, number: int, outcome: str) -> None:
        """A message arrives, whether it was sent or not."""
        key = f"t{number % len(self.model)}"
        ready = self.model[key] == "pending" and all(self.model[each] == "completed" for each in self.depends_on[key])
        self.outcome = {"completes": None, "fails": TaskFailed("It broke"), "later": Unavailable("Later.")}[outcome]
        task = store.task_by_key(self.plan_id, key)
        assert task
        is_last = outcome == "later" and task.attempts >= TASK_RETRY.attempts - 1
        plan_tasks.run_task(self.plan_id, key)
        if not ready:
            return
        if outcome == "completes":
            self.model[key] = "completed"
        elif outcome == "fails" or is_last:
            self.model[key] = "failed"
            self._skip_after(key)
        else:
            self._let_time_pass(key)

    def _let_time_pass(self, key: str) -> None:
        """Until the pause of a retry is over."""
        dynamodb().update_item(
            TableName=main_table(),
            Key={"PK": {"S": f"PLAN#{self.plan_id}"}, "SK": {"S": f"TASK#{key}"}},
            UpdateExpression="SET due_at = :past, GSI1SK = :past",
            ExpressionAttributeValues={":past": {"S": "2026-01-01T00:00:00.000Z"}},
        )

    def _skip_after(self, failed: str) -> None:
        gone = {failed}
        for key, needs in self.depends_on.items():
            if gone & set(needs):
                gone.add(key)
                if self.model[key] == "pending":
                    self.model[key] = "skipped"

    @rule()
    def cancel(self) -> None:
        if all(status != "pending" for status in self.model.values()):
            with pytest.raises(PlanEnded):
                plans.cancel_plan(self.plan_id)
            return
        plans.cancel_plan(self.plan_id)
        self.is_cancelled = True
        self.model = {key: "cancelled" if status == "pending" else status for key, status in self.model.items()}

    @rule()
    def the_clock_ticks(self) -> None:
        due_tasks.send_due_tasks()

    @rule()
    def a_change_is_finished_again(self) -> None:
        for kind in ("create", "cancel") if self.is_cancelled else ("create",):
            do_job(FinishPlanChange(self.plan_id, kind))

    @invariant()
    def the_plan_is_the_model(self) -> None:
        if not hasattr(self, "plan_id"):
            return
        found = plans.get_plan(self.plan_id, consistent=True)
        assert {task.key: str(task.status) for task in found.tasks} == self.model
        ended = [status for status in self.model.values() if status != "pending"]
        assert (found.plan.ended, found.plan.failed) == (len(ended), ended.count("failed"))
        assert len(self.done) == len(set(self.done)) == ended.count("completed")
        if len(ended) < len(self.model):
            assert found.plan.status == "running"
        else:
            by_outcome = "failed" if "failed" in ended else "completed"
            assert found.plan.status == ("cancelled" if self.is_cancelled else by_outcome)

    @invariant()
    def what_may_be_done_is_in_the_index_and_was_sent(self) -> None:
        if not hasattr(self, "plan_id"):
            return
        ready = {
            key
            for key, status in self.model.items()
            if status == "pending" and all(self.model[each] == "completed" for each in self.depends_on[key])
        }
        open_tasks = [task for task in store.open_work() if isinstance(task, Task)]
        assert {task.key for task in open_tasks} == ready
        assert ready <= {job.key for job in self.sent.jobs if isinstance(job, RunTask)}
        assert all(task.status is TaskStatus.PENDING for task in open_tasks)
        assert list(check.problems(check.read_everything())) == []


@pytest.mark.usefixtures("engine")
def test_any_sequence_of_messages_keeps_a_plan_as_its_model() -> None:
    run_state_machine_as_test(
        PlanModel,
        settings=settings(
            max_examples=times(short=10, long=300),
            stateful_step_count=times(short=15, long=40),
            deadline=None,
            derandomize=not SOAKING,
            suppress_health_check=list(HealthCheck),
        ),
    )
