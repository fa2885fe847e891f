"""Runs a task of a plan: claims it, does the work, and records the outcome."""

from uuid import uuid4

from functions.plans import store as plans
from functions.plans.errors import TaskTaken
from functions.plans.models import Task, TaskStatus, task_name
from functions.plans.plans import tell
from functions.plans.tasks import Outcome, Result, do_task, stop
from functions.record.errors import ChannelNotFound
from functions.runtime.dispatch import RunTask, dispatcher
from functions.runtime.errors import StockTrackRecordError
from functions.runtime.observability import TASKS_DONE, TASKS_FAILED, count_work, describe, logger
from functions.runtime.provider_errors import ProviderError
from functions.runtime.reasons import reason_for_people
from functions.steps import TASK_RETRY, is_transient, look_wait_seconds

MAX_ERROR_LENGTH = 500


def run_task(plan_id: str, key: str) -> None:
    """Runs a task that is due. Messages may arrive twice, late or never, but the work is done once."""
    try:
        task = plans.claim_task(plan_id, key, claimed_by=uuid4().hex)
    except plans.TaskNotClaimed as refused:
        # Its worker may have died before dependent tasks were notified.
        if refused.task and refused.task.has_ended and refused.task.due_at:
            tell(refused.task)
        return
    try:
        _work_on(task)
    except TaskTaken:
        logger.warning("A task took longer than its claim, and was taken over", extra=_fields(task))


def _work_on(task: Task) -> None:
    if task.attempts_begun > TASK_RETRY.attempts:
        _end(task, TaskStatus.FAILED, error=f"Its worker died in each of {TASK_RETRY.attempts} attempts")
        return
    if _waits(task) and plans.is_cancelling(task.plan_id):
        stop(task)
        _end(task, TaskStatus.CANCELLED)
        return
    try:
        result = do_task(task)
    except TaskTaken:
        raise
    except Exception as problem:
        _fail(task, problem)
        return
    if result.outcome is Outcome.WAITS:
        _wait(task, result)
    else:
        _end(task, TaskStatus.COMPLETED, channel_id=result.channel_id, run_id=result.run_id, result=result.told)


def _waits(task: Task) -> bool:
    """True if all that is left is to wait, for what it has begun or for another run of its channel."""
    return bool(task.looks or task.run_id or task.export_id)


def _wait(task: Task, result: Result) -> None:
    seconds = look_wait_seconds(task.looks)
    plans.wait_for_run(task, seconds, channel_id=result.channel_id, run_id=result.run_id)
    dispatcher().send(RunTask(task.plan_id, task.key), delay_seconds=seconds)


def _fail(task: Task, problem: Exception) -> None:
    error = _sentence(problem)
    fields = {**_fields(task), **describe(problem)}
    if _is_final(problem) or task.attempts_begun >= TASK_RETRY.attempts:
        logger.warning("A task failed", extra=fields, exc_info=not isinstance(problem, StockTrackRecordError))
        _end(task, TaskStatus.FAILED, error=error)
        return
    seconds = TASK_RETRY.wait_before(task.attempts_begun, getattr(problem, "retry_after", None))
    logger.warning("A task failed, and is tried again", extra=fields)
    if plans.retry_later(task, seconds, error):
        dispatcher().send(RunTask(task.plan_id, task.key), delay_seconds=seconds)
    else:
        _end(task, TaskStatus.CANCELLED, error=error)


def _end(
    task: Task,
    status: TaskStatus,
    *,
    error: str | None = None,
    channel_id: str | None = None,
    run_id: str | None = None,
    result: str | None = None,
) -> None:
    ended = plans.end_task(
        task,
        status,
        error=error,
        channel_id=channel_id or task.channel_id,
        run_id=run_id or _run_begun(task, status),
        result=result,
    )
    count_work(TASKS_FAILED if status is TaskStatus.FAILED else TASKS_DONE, task.kind)
    logger.info("Task ended", extra={**_fields(ended), "status": status})
    tell(ended)


def _run_begun(task: Task, status: TaskStatus) -> str | None:
    """A failed task keeps the run that it waited for."""
    return task.run_id if status is not TaskStatus.COMPLETED and task.looks else None


def _is_final(problem: Exception) -> bool:
    """True for expected errors, which another attempt would only repeat."""
    return isinstance(problem, StockTrackRecordError | ProviderError) and not is_transient(problem)


def _sentence(problem: Exception) -> str:
    if isinstance(problem, ChannelNotFound):
        return "Channel not found"
    return reason_for_people(problem)[:MAX_ERROR_LENGTH]


def _fields(task: Task) -> dict[str, object]:
    """The fields that an operator searches for: the plan, the task, its channel and its run."""
    found = {"channel_id": task.channel_id, "run_id": task.run_id}
    return {
        "plan_id": task.plan_id,
        "task": task_name(task.plan_id, task.key),
        "kind": task.kind,
        "attempts": task.attempts_begun,
        **{name: value for name, value in found.items() if value},
    }
