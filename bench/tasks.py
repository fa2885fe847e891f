"""Measures plans: what a task costs beyond its work, and how long 1,000 tasks take with ten workers."""

import queue
import random
import threading
import time
from collections.abc import Sequence
from typing import Any

from bench.measure import milliseconds, requests_of, table, timed
from functions.plans import plans
from functions.plans import store as store
from functions.plans.due_tasks import send_due_tasks
from functions.plans.models import MAX_TASKS, Task, TaskKind, TaskStatus
from functions.plans.tasks import KINDS, Outcome, Result
from functions.plans.validation import NewTask
from functions.runtime import dispatch, ids
from functions.runtime.caller import Caller
from functions.runtime.dispatch import Job
from functions.service.jobs import do_job

CHAIN = 100
PLANS = 2
TASKS_OF_A_PLAN = MAX_TASKS
WORKERS = 10
WORK_SECONDS = 0.2
"""Seconds that a task waits in the comparison, as for a provider: about as long as the shortest real ones."""


LOOKS_PER_TICK = 50
"""The scheduler fires every five seconds, as it does locally."""


PATIENCE_RATIO = 20
"""So many times the ideal may pass before the section fails and says which tasks are open."""


class Queue:
    """Messages in memory that arrive once, when they are due. What fails is delivered again, as by SQS."""

    def __init__(self) -> None:
        self.jobs: queue.SimpleQueue[Job] = queue.SimpleQueue()
        self.failures: list[str] = []

    def start_run(self, channel_id: str, run_id: str) -> None: ...

    def stop_run(self, channel_id: str, run_id: str) -> None: ...

    def send(self, job: Job, delay_seconds: float = 0) -> None:
        if delay_seconds:
            threading.Timer(delay_seconds, self.jobs.put, (job,)).start()
        else:
            self.jobs.put(job)

    def deliver(self, job: Job) -> None:
        try:
            do_job(job)
        except Exception as problem:
            self.failures.append(repr(problem))
            self.jobs.put(job)


def run() -> tuple[str, dict[str, Any]]:
    messages = Queue()
    dispatch.dispatch_with(messages)
    original, work = KINDS[TaskKind.SCORE], Work()
    KINDS[TaskKind.SCORE] = work
    try:
        chain = _chain(messages)
        work.seconds = WORK_SECONDS
        ideal = _ideal(work)
        planned = _planned(messages, longest=PATIENCE_RATIO * ideal)
    finally:
        KINDS[TaskKind.SCORE] = original
    figures = {
        "requests_per_task": chain[0],
        "seconds_per_task": chain[1],
        "tasks": PLANS * TASKS_OF_A_PLAN,
        "workers": WORKERS,
        "work_seconds": WORK_SECONDS,
        "ideal_seconds": ideal,
        "seconds": planned,
        "ratio": planned / ideal,
        "delivered_again": len(messages.failures),
    }
    text = table(
        f"Plans: {CHAIN} tasks in a chain, one worker; {figures['tasks']} tasks of {WORK_SECONDS} s, {WORKERS} workers",
        ("", "figure"),
        [
            ("DynamoDB requests per task", f"{chain[0]:.1f}"),
            ("overhead per task, ms", milliseconds(chain[1])),
            ("claims and ends alone, s", f"{ideal:.1f}"),
            (f"{PLANS} plans of {TASKS_OF_A_PLAN}, s", f"{planned:.1f}"),
            ("against the ideal", f"{planned / ideal:.2f}"),
            ("messages delivered again", str(len(messages.failures))),
        ],
    )
    return text, figures


class Work:
    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self, task: Task) -> Result:
        time.sleep(self.seconds)
        return Result(Outcome.COMPLETED, task.channel_id)


def _chain(messages: Queue) -> tuple[float, float]:
    """Requests and seconds per task that does nothing."""
    keys = [f"t{number}" for number in range(CHAIN)]
    tasks = [_task(key, *keys[max(0, number - 1) : number]) for number, key in enumerate(keys)]

    def drain() -> None:
        while not messages.jobs.empty():
            do_job(messages.jobs.get())

    plans.create_plan("bench", tasks, Caller("bench"))
    seconds = timed(drain)
    plans.create_plan("bench", tasks, Caller("bench"))
    return requests_of(drain) / CHAIN, seconds / CHAIN


def _planned(messages: Queue, longest: float) -> float:
    """Plans in random order with up to three dependencies each."""
    chance = random.Random(17)
    created = [plans.create_plan("bench", _graph(chance), Caller("bench")).plan.id for _ in range(PLANS)]
    ended = threading.Event()

    def work() -> None:
        while not ended.is_set():
            try:
                messages.deliver(messages.jobs.get(timeout=0.02))
            except queue.Empty:
                continue

    def drain() -> None:
        threads = [threading.Thread(target=work) for _ in range(WORKERS)]
        for thread in threads:
            thread.start()
        try:
            _wait_until_done(created, longest, messages)
        finally:
            ended.set()
            for thread in threads:
                thread.join()

    return timed(drain)


def _wait_until_done(plan_ids: Sequence[str], longest: float, messages: Queue) -> None:
    started, looks = time.monotonic(), 0
    while any((plan := store.plan_by_id(plan_id)) and plan.left for plan_id in plan_ids):
        if time.monotonic() - started > longest:
            raise TimeoutError(
                f"Still open after {longest:.0f} s: {_open_tasks(plan_ids)}; failed: {messages.failures}"
            )
        time.sleep(0.1)
        looks += 1
        if looks % LOOKS_PER_TICK == 0:
            send_due_tasks()


def _open_tasks(plan_ids: Sequence[str]) -> list[Task]:
    plans_with_tasks = (store.plan_with_tasks(plan_id, consistent=True) for plan_id in plan_ids)
    return [task for _, tasks in plans_with_tasks for task in tasks if not task.has_ended and task.due_at]


def _graph(chance: random.Random) -> list[NewTask]:
    keys = [f"t{number}" for number in range(TASKS_OF_A_PLAN)]
    return [
        _task(key, *chance.sample(keys[:number], min(number, chance.randint(0, 3)))) for number, key in enumerate(keys)
    ]


def _ideal(work: Work) -> float:
    """The least that any way of doing each task once must do: its work, a conditional claim, and a conditional end.

    The same threads, on as many tasks that depend on nothing, given to them from a list.
    """
    plan_id = ids.new_plan_id()
    tasks = [Task(plan_id, f"t{number}", TaskKind.SCORE, number) for number in range(PLANS * TASKS_OF_A_PLAN)]
    store.put_tasks(tasks)
    for task in tasks:
        store.open_task(task)
    shares: Sequence[list[Task]] = [tasks[number::WORKERS] for number in range(WORKERS)]

    def do(share: list[Task]) -> None:
        for task in share:
            mine = store.claim_task(task.plan_id, task.key, "bench")
            work(mine)
            store.end_task(mine, TaskStatus.COMPLETED, error=None, channel_id=None, run_id=None)

    def drain() -> None:
        threads = [threading.Thread(target=do, args=(share,)) for share in shares]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    seconds = timed(drain)
    store.remove_tasks(plan_id)
    return seconds


def _task(key: str, *depends_on: str) -> NewTask:
    return NewTask(key, TaskKind.SCORE, "bench", None, depends_on)
