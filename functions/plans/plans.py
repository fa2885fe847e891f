"""The life of a plan: validated, stored, opened, advanced task by task, cancelled, and resumed by the scheduler."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from functions.plans import store as plans
from functions.plans.errors import PlanNotFound
from functions.plans.models import Plan, PlanChangeKind, Task, TaskKind, TaskStatus
from functions.plans.validation import NewTask, check_plan, needed_by
from functions.runtime import ids
from functions.runtime.caller import OPERATOR, Caller
from functions.runtime.clock import now
from functions.runtime.concurrency import for_each
from functions.runtime.dispatch import RunTask, dispatcher
from functions.runtime.dynamodb.attributes import Item
from functions.runtime.dynamodb.requests import Page
from functions.runtime.errors import NotTheOwner
from functions.runtime.observability import logger

OUTCOMES = {TaskStatus.FAILED: "failed", TaskStatus.SKIPPED: "was skipped"}


@dataclass(frozen=True, slots=True)
class PlanInFull:
    plan: Plan
    tasks: list[Task]


def create_plan(name: str, wanted: Sequence[NewTask], by: Caller, *, request: str | None = None) -> PlanInFull:
    """Stores a plan and starts the tasks without dependencies. Nothing is written for an invalid plan.

    The plan itself is written last. If its writer dies before that, the scheduler removes the tasks; afterwards, it
    opens those that are ready. Idempotent per `request`: a repeat returns the plan created first.
    """
    channel_tasks = check_plan(wanted)
    if request and (made := plans.plan_id_of_request(request)):
        return get_plan(made, consistent=True)
    plans.require_room(by)
    plan = Plan(
        id=ids.new_plan_id(),
        name=name,
        created_at=now(),
        created_by=by.id,
        created_by_name=by.name,
        tasks=len(wanted),
        left=len(wanted),
    )
    tasks = _tasks_of(plan.id, wanted, channel_tasks)
    plans.begin_creation(plan.id)
    plans.put_tasks(tasks)
    adds = sum(task.kind is TaskKind.ADD_CHANNEL for task in wanted)
    if not plans.store_plan(plan, by, request, adds=adds):
        # A concurrent attempt of the same request won. The scheduler removes what was written here.
        return create_plan(name, wanted, by, request=request)
    try:
        _open(plan.id, tasks)
    except Exception:
        # The plan is stored: raising would make the caller retry, and create it twice.
        logger.exception("A plan was stored, but could not be started; the scheduler will start it", plan_id=plan.id)
    return PlanInFull(plan, tasks)


def get_plan(plan_id: str, *, consistent: bool = False) -> PlanInFull:
    plan, tasks = plans.plan_with_tasks(_require_plan_id(plan_id), consistent=consistent)
    if plan is None:
        raise PlanNotFound(plan_id)
    return PlanInFull(plan, tasks)


def list_plans(start: Item | None, limit: int) -> Page[Plan]:
    return plans.newest_plans(limit, start)


def cancel_plan(plan_id: str, by: Caller = OPERATOR) -> PlanInFull:
    """Cancels tasks that have not started; running tasks finish. Raises PlanEnded if all have ended, NotTheOwner for a
    person who did not create it, unless they are an admin."""
    plan = plans.plan_by_id(_require_plan_id(plan_id))
    if plan and not by.controls(plan.created_by):
        raise NotTheOwner("Only the person who created this plan, or an admin, may cancel it")
    plans.begin_cancelling(plan_id, by, plan.name if plan else None)
    _cancel(plan_id)
    return get_plan(plan_id, consistent=True)


def finish_change(plan_id: str, kind: PlanChangeKind) -> None:
    """Completes the remaining writes of a change whose writer died. Idempotent."""
    if kind is PlanChangeKind.CANCEL:
        _cancel(plan_id)
    elif plans.give_up_creation(plan_id):
        plans.remove_tasks(plan_id)
        plans.end_change(plan_id, kind)
    else:
        _open(plan_id, plans.plan_with_tasks(plan_id, consistent=True)[1])


def tell(task: Task) -> None:
    """Notifies the dependents of a task that it has ended, then counts it in its plan. Idempotent.

    After a failure, all direct and indirect dependents are skipped.
    """
    opened: list[str] = []
    if task.status is TaskStatus.COMPLETED:
        released = for_each(lambda key: plans.release_task(task.plan_id, key, task.key), task.needed_by)
        opened = _open_each(ready for ready in released if ready)
    elif task.status is TaskStatus.FAILED and task.needed_by:
        _skip_dependents(task)
    plans.close_task(task)
    _send(task.plan_id, opened)


def _tasks_of(plan_id: str, wanted: Sequence[NewTask], channel_tasks: dict[str, str]) -> list[Task]:
    needed = needed_by({task.key: task.depends_on for task in wanted})
    return [
        Task(
            plan_id=plan_id,
            key=task.key,
            kind=task.kind,
            position=position,
            depends_on=tuple(dict.fromkeys(task.depends_on)),
            needed_by=tuple(needed[task.key]),
            waiting_for=frozenset(task.depends_on),
            channel_id=task.channel_id,
            channel_from=channel_tasks.get(task.key),
            url=task.url,
        )
        for position, task in enumerate(wanted)
    ]


def _open(plan_id: str, tasks: Iterable[Task]) -> None:
    opened = _open_each(task for task in tasks if task.is_ready)
    plans.end_change(plan_id, PlanChangeKind.CREATE)
    _send(plan_id, opened)


def _open_each(tasks: Iterable[Task]) -> list[str]:
    """Returns the keys of the tasks that nobody has opened before."""
    ready = list(tasks)
    return [task.key for task, is_new in zip(ready, for_each(plans.open_task, ready), strict=True) if is_new]


def _cancel(plan_id: str) -> None:
    _, tasks = plans.plan_with_tasks(plan_id, consistent=True)
    pending = [task for task in tasks if task.status is TaskStatus.PENDING]
    plans.end_unbegun(plan_id, pending, TaskStatus.CANCELLED, {})
    plans.end_change(plan_id, PlanChangeKind.CANCEL)


def _skip_dependents(failed: Task) -> None:
    _, tasks = plans.plan_with_tasks(failed.plan_id, consistent=True)
    reasons = _reasons_to_skip(failed, {task.key: task for task in tasks})
    skipped = [task for task in tasks if task.key in reasons and task.status is TaskStatus.PENDING]
    plans.end_unbegun(failed.plan_id, skipped, TaskStatus.SKIPPED, reasons)


def _reasons_to_skip(failed: Task, tasks: dict[str, Task]) -> dict[str, str]:
    """Returns, for each task that cannot run after this failure, the sentence that says why."""
    reasons: dict[str, str] = {}
    reached = [(failed.key, TaskStatus.FAILED)]
    for key, status in reached:
        for dependent in tasks[key].needed_by:
            if dependent not in reasons:
                reasons[dependent] = f"Needs {key}, which {OUTCOMES[status]}"
                reached.append((dependent, TaskStatus.SKIPPED))
    return reasons


def _send(plan_id: str, keys: Sequence[str]) -> None:
    for_each(lambda key: dispatcher().send(RunTask(plan_id, key)), keys)


def _require_plan_id(plan_id: str) -> str:
    """Returns the id, or raises PlanNotFound for text that cannot be one, without a request to DynamoDB."""
    if not ids.is_ulid(plan_id):
        raise PlanNotFound(plan_id)
    return plan_id
