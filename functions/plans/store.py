"""Stores plans and their tasks: written as a whole, claimed by one worker at a time, ended once, and counted."""

import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Any

from functions.plans.errors import PlanEnded, PlanNotFound, TaskTaken
from functions.plans.models import OpenPlans, Plan, PlanChange, PlanChangeKind, PlanStatus, Task, TaskStatus
from functions.record.models.audit import AuditAction
from functions.record.store.allowances import count_action, daily_limit_reached
from functions.record.store.audit import audit_action
from functions.runtime.caller import OPERATOR, Caller
from functions.runtime.clock import now, seconds_from_now
from functions.runtime.dynamodb import tables
from functions.runtime.dynamodb.attributes import Item, Value, encode
from functions.runtime.dynamodb.connection import dynamodb, main_table
from functions.runtime.dynamodb.requests import (
    MAX_TRANSACTION_ACTIONS,
    TRANSACTION_TRIES,
    Action,
    ConditionNotMet,
    Page,
    TransactionRefused,
    batch_get,
    batch_put,
    chunked,
    get,
    query,
    query_page,
    record_of_request,
    transact,
    update,
    update_action,
)
from functions.runtime.errors import LimitReached
from functions.runtime.limits import Limited, limit_of

CLAIM_SECONDS = 300
"""Length of a claim: longer than a worker's timeout, so that no live worker loses its claim."""
CHANGE_SECONDS = 120
"""Maximum duration of a change to a whole plan: longer than a request's timeout."""
EARLY_SECONDS = 2
"""Clock skew between two machines at which a message that arrives early can still claim its task."""
TELL_SECONDS = 60
"""How long a worker may take to notify a task's dependents that it has ended."""
ENDED_AT_ONCE = MAX_TRANSACTION_ACTIONS - 1
"""Tasks ended in one transaction, beside their plan."""

READY = "#status = :pending AND attribute_not_exists(waiting_for) AND attribute_not_exists(due_at)"
CLAIMABLE = (
    "(due_at <= :soon AND ((#status = :pending AND attribute_not_exists(waiting_for)) "
    "OR (#status = :running AND attribute_not_exists(claimed_by)))) OR (due_at <= :now AND #status = :running)"
)
MINE = "#status = :running AND claimed_by = :me"
IN_INDEX = "GSI1PK = :open, GSI1SK = :due, due_at = :due"
OUT_OF_INDEX = "GSI1PK, GSI1SK, due_at, sent_at"
_VALUES: dict[str, Value] = {
    "pending": TaskStatus.PENDING,
    "running": TaskStatus.RUNNING,
    "open": tables.OPEN_TASKS,
    "yes": True,
    "no": False,
    "one": 1,
}


class TaskNotClaimed(Exception):
    """The task may not be worked on now."""

    def __init__(self, task: Task | None) -> None:
        super().__init__("the task may not be worked on now" if task else "there is no such task")
        self.task = task
        """The current task; None if it does not exist."""


def plan_by_id(plan_id: str) -> Plan | None:
    item = get(main_table(), tables.plan_key(plan_id), consistent=True)
    return Plan.from_item(item) if item else None


def is_cancelling(plan_id: str) -> bool:
    plan = plan_by_id(plan_id)
    return plan is not None and bool(plan.cancelling)


def plan_with_tasks(plan_id: str, *, consistent: bool = False) -> tuple[Plan | None, list[Task]]:
    """Returns a plan and its tasks in the order they were submitted; None for a plan that is still being created."""
    items = query(
        TableName=main_table(),
        KeyConditionExpression="PK = :pk AND SK BETWEEN :plan AND :end",
        ExpressionAttributeValues=encode(
            {":pk": tables.plan_pk(plan_id), ":plan": tables.plan_key(plan_id)["SK"], ":end": tables.AFTER_TASKS}
        ),
        ConsistentRead=consistent,
    )
    plan: Plan | None = None
    tasks: list[Task] = []
    for item in items:
        if item["entity"]["S"] == Plan.__name__:
            plan = Plan.from_item(item)
        else:
            tasks.append(Task.from_item(item))
    return plan, sorted(tasks, key=lambda task: task.position)


def newest_plans(limit: int, start: Item | None = None) -> Page[Plan]:
    page = query_page(limit, start, **_in_listing(tables.ALL_PLANS), ScanIndexForward=False)
    return Page([Plan.from_item(item) for item in page.items], page.next_key)


def task_by_key(plan_id: str, key: str) -> Task | None:
    item = get(main_table(), tables.task_key(plan_id, key), consistent=True)
    return Task.from_item(item) if item else None


def open_work(before: str | None = None) -> Iterator[Task | PlanChange]:
    """Yields the tasks and changes that are due, most overdue first; without `before`, all open ones."""
    return _open("GSI1SK <= :timestamp", before) if before else _open()


def open_work_after(timestamp: str) -> Iterator[Task | PlanChange]:
    """Yields the work that is due later than that."""
    return _open("GSI1SK > :timestamp", timestamp)


def _open(condition: str | None = None, timestamp: str | None = None) -> Iterator[Task | PlanChange]:
    request = _in_listing(tables.OPEN_TASKS)
    if condition:
        request["KeyConditionExpression"] += f" AND {condition}"
        request["ExpressionAttributeValues"] |= encode({":timestamp": timestamp})
    for item in query(**request):
        kind = PlanChange if item["entity"]["S"] == PlanChange.__name__ else Task
        yield kind.from_item(item)


def begin_creation(plan_id: str) -> None:
    """From now on the scheduler finds the plan if its writer dies."""
    change = PlanChange(plan_id, PlanChangeKind.CREATE, seconds_from_now(CHANGE_SECONDS))
    dynamodb().put_item(TableName=main_table(), Item=change.to_item())


def put_tasks(tasks: Iterable[Task]) -> None:
    batch_put(main_table(), [task.to_item() for task in tasks])


def plan_id_of_request(request: str) -> str | None:
    """Returns the plan that a request created earlier."""
    item = get(main_table(), tables.plan_request_key(request), consistent=True)
    if item is None or int(item[tables.TIME_TO_LIVE]["N"]) <= time.time():
        return None
    return str(item["plan_id"]["S"])


def require_room(by: Caller) -> None:
    """Raises LimitReached if the person has as many open plans as they may have."""
    listed = _listed_plans(by.id)
    if len(listed) < limit_of(by, Limited.PLANS):
        return
    items = batch_get(main_table(), map(tables.plan_key, listed), ConsistentRead=True)
    running = {plan.id for plan in map(Plan.from_item, items) if plan.status is PlanStatus.RUNNING}
    if len(running) >= limit_of(by, Limited.PLANS):
        raise _too_many_plans(by)
    if ended := frozenset(listed - running):
        update(tables.open_plans_key(by.id), "DELETE ids :ended", "attribute_exists(PK)", {"ended": ended})


def store_plan(plan: Plan, by: Caller = OPERATOR, request: str | None = None, *, adds: int = 0) -> bool:
    """Called once the tasks are stored; refused if the scheduler has given up the creation in the meantime.

    `request` identifies the creating request: False if it has already created another plan. `adds` is the number of
    channels that the plan adds: the person's limits hold for plans too.
    """
    decided = update_action(
        tables.plan_change_key(plan.id, PlanChangeKind.CREATE),
        "SET #stored = :yes",
        "attribute_exists(PK) AND attribute_not_exists(#stored)",
        _VALUES,
    )
    put = {"TableName": main_table(), "Item": plan.to_item(), "ConditionExpression": "attribute_not_exists(PK)"}
    made = [record_of_request(tables.plan_request_key(request), {"plan_id": plan.id})] if request else []
    audit = audit_action(by, AuditAction.PLAN_CREATED, f"/api/plans/{plan.id}", plan.name)
    counted = [count_action(by, Limited.CHANNELS, adds)] if adds else []
    try:
        transact([{"Update": decided}, {"Put": put}, audit, _list_plan(plan, by), *counted, *made])
    except TransactionRefused as refused:
        was_decided, is_there, _, is_full, *others = refused.failed
        if was_decided or is_there:
            raise
        if made and others[-1]:
            return False
        raise (_too_many_plans(by) if is_full else daily_limit_reached(by, Limited.CHANNELS)) from None
    return True


def _list_plan(plan: Plan, by: Caller) -> Action:
    listed = update_action(
        tables.open_plans_key(by.id),
        "SET entity = :entity, user_id = :user ADD ids :id",
        "attribute_not_exists(ids) OR size(ids) < :most",
        {
            "entity": OpenPlans.__name__,
            "user": by.id,
            "id": frozenset({plan.id}),
            "most": limit_of(by, Limited.PLANS),
        },
    )
    return {"Update": listed}


def _listed_plans(user_id: str) -> frozenset[str]:
    item = get(main_table(), tables.open_plans_key(user_id), consistent=True)
    return OpenPlans.from_item(item).ids if item else frozenset()


def _too_many_plans(by: Caller) -> LimitReached:
    most = limit_of(by, Limited.PLANS)
    return LimitReached(f"You have {most} open plans, the limit. Wait for one to end, or cancel one")


def give_up_creation(plan_id: str) -> bool:
    """True if the plan does not exist and never will."""
    try:
        update(
            tables.plan_change_key(plan_id, PlanChangeKind.CREATE),
            "SET #stored = :no",
            "attribute_exists(PK) AND (attribute_not_exists(#stored) OR #stored = :no)",
            _VALUES,
        )
    except ConditionNotMet:
        return False
    return True


def remove_tasks(plan_id: str) -> None:
    """For a plan that was never stored."""
    _, tasks = plan_with_tasks(plan_id, consistent=True)
    for some in chunked(tasks, MAX_TRANSACTION_ACTIONS):
        transact([{"Delete": {"TableName": main_table(), "Key": encode(_key(task))}} for task in some])


def begin_cancelling(plan_id: str, by: Caller = OPERATOR, name: str | None = None) -> None:
    """Stops all retries of the plan's tasks. Raises PlanNotFound or PlanEnded. Idempotent."""
    change = PlanChange(plan_id, PlanChangeKind.CANCEL, seconds_from_now(CHANGE_SECONDS))
    cancel = update_action(
        tables.plan_key(plan_id),
        "SET cancelling = :yes",
        "attribute_exists(PK) AND #status = :running",
        {**_VALUES, "running": PlanStatus.RUNNING},
    )
    try:
        audit = audit_action(by, AuditAction.PLAN_CANCELLED, f"/api/plans/{plan_id}", name)
        transact([{"Update": cancel}, {"Put": {"TableName": main_table(), "Item": change.to_item()}}, audit])
    except TransactionRefused:
        raise (PlanEnded if plan_by_id(plan_id) else PlanNotFound)(plan_id) from None


def end_change(plan_id: str, kind: PlanChangeKind) -> None:
    """Called once all of its writes are done."""
    dynamodb().delete_item(TableName=main_table(), Key=encode(tables.plan_change_key(plan_id, kind)))


def open_task(task: Task) -> bool:
    """Lets workers claim a task without open dependencies; False if somebody has done so before."""
    due = now()
    try:
        update(
            _key(task),
            f"SET {IN_INDEX}, sent_at = :due",
            READY,
            {**_VALUES, "due": due},
        )
    except ConditionNotMet:
        return False
    return True


def release_task(plan_id: str, key: str, completed: str) -> Task | None:
    """Removes a completed task from those that another waits for. Returns the other task if it is now ready and nobody
    has opened it yet; also when repeated after a crash."""
    try:
        item = update(
            tables.task_key(plan_id, key),
            "DELETE waiting_for :completed",
            "#status = :pending AND contains(waiting_for, :key)",
            {**_VALUES, "completed": frozenset({completed}), "key": completed},
        )
    except ConditionNotMet as refused:
        if refused.item is None:
            return None
        item = refused.item
    task = Task.from_item(item)
    return task if task.is_ready else None


def claim_task(plan_id: str, key: str, claimed_by: str) -> Task:
    """Lets exactly one worker claim a task that is due, or whose previous claim expired because its worker died.

    Raises TaskNotClaimed with the current task otherwise.
    """
    try:
        item = update(
            tables.task_key(plan_id, key),
            f"SET #status = :running, claimed_by = :me, {IN_INDEX}, "
            "started_at = if_not_exists(started_at, :now) ADD attempts :one",
            CLAIMABLE,
            {
                **_VALUES,
                "me": claimed_by,
                "now": now(),
                "soon": seconds_from_now(EARLY_SECONDS),
                "due": seconds_from_now(CLAIM_SECONDS),
            },
        )
    except ConditionNotMet as refused:
        raise TaskNotClaimed(Task.from_item(refused.item) if refused.item else None) from None
    return Task.from_item(item)


def note_run(task: Task, run_id: str) -> Task:
    """Records the id of the run that the task starts, so that a worker that takes over does not start another."""
    return _update_mine(task, "SET run_id = if_not_exists(run_id, :run)", {"run": run_id})


def note_export(task: Task, export_id: str) -> Task:
    """Records the id of the export that the task starts, in the same way."""
    return _update_mine(task, "SET export_id = if_not_exists(export_id, :export)", {"export": export_id})


def wait_for_run(task: Task, seconds: float, *, channel_id: str | None, run_id: str | None) -> str:
    """Releases the task until its next poll, and returns when that is. Polling does not count as an attempt."""
    due = seconds_from_now(seconds)
    sets, gone = _optional({"channel_id": channel_id, "run_id": run_id})
    _update_mine(
        task,
        f"SET {IN_INDEX}, sent_at = :due, attempts = :attempts, looks = :looks{sets} REMOVE claimed_by{gone}",
        {
            "due": due,
            "attempts": task.attempts_begun,
            "looks": task.looks + 1,
            "channel_id": channel_id,
            "run_id": run_id,
        },
    )
    return due


def retry_later(task: Task, seconds: float, error: str) -> bool:
    """Reschedules the task for another attempt; False if its plan was cancelled in the meantime."""
    due = seconds_from_now(seconds)
    back = update_action(
        _key(task),
        f"SET #status = :pending, {IN_INDEX}, sent_at = :due, attempts = :attempts, #error = :error, "
        "retried_at = :now REMOVE claimed_by, looks",
        MINE,
        {
            **_VALUES,
            "me": task.claimed_by,
            "due": due,
            "attempts": task.attempts_begun,
            "error": error,
            "now": now(),
        },
    )
    goes_on: Action = {
        "ConditionCheck": {
            "TableName": main_table(),
            "Key": encode(tables.plan_key(task.plan_id)),
            "ConditionExpression": "attribute_not_exists(cancelling)",
        }
    }
    try:
        transact([{"Update": back}, goes_on])
    except TransactionRefused as refused:
        if refused.failed[0]:
            raise TaskTaken(task.plan_id, task.key) from None
        return False
    return True


def end_task(
    task: Task,
    status: TaskStatus,
    *,
    error: str | None,
    channel_id: str | None,
    run_id: str | None,
    result: str | None = None,
) -> Task:
    """Ends a claimed task, once. It stays in the index until all dependents have been notified."""
    sets, gone = _optional({"error": error, "channel_id": channel_id, "run_id": run_id, "result": result})
    return _update_mine(
        task,
        f"SET #status = :ended, ended_at = :now, attempts = :attempts, {IN_INDEX}{sets} "
        f"REMOVE claimed_by, looks, sent_at{gone}",
        {
            "ended": status,
            "attempts": task.attempts_begun,
            "now": now(),
            "due": seconds_from_now(TELL_SECONDS),
            "error": error,
            "channel_id": channel_id,
            "run_id": run_id,
            "result": result,
        },
    )


def close_task(task: Task) -> None:
    """Counts an ended task in its plan and removes it from the index, once. The last one ends the plan."""
    closed = update_action(
        _key(task), f"REMOVE {OUT_OF_INDEX}", "attribute_exists(due_at) AND #status = :ended", {"ended": task.status}
    )
    with suppress(TransactionRefused):
        _transact_counted(task.plan_id, [{"Update": closed}], failed=int(task.status is TaskStatus.FAILED))


def end_unbegun(plan_id: str, tasks: Sequence[Task], status: TaskStatus, reasons: dict[str, str]) -> None:
    """Ends tasks that have not started, and counts them in their plan. Skips tasks that have started since."""
    for some in chunked(tasks, ENDED_AT_ONCE):
        left = some
        while left:
            try:
                _transact_counted(plan_id, [_end_action(task, status, reasons.get(task.key)) for task in left])
                break
            except TransactionRefused as refused:
                left = [task for task, is_begun in zip(left, refused.failed, strict=True) if not is_begun]


def mark_sent(work: Task | PlanChange, sent_at: str) -> bool:
    """True if a message should be sent; False if another worker has sent one since the work was read."""
    same = "sent_at = :seen" if work.sent_at else "attribute_not_exists(sent_at)"
    key = work.keys()
    try:
        update(
            {"PK": key["PK"], "SK": key["SK"]},
            "SET sent_at = :sent",
            f"due_at = :due AND {same}",
            {"sent": sent_at, "due": work.due_at, "seen": work.sent_at},
        )
    except ConditionNotMet:
        return False
    return True


def bring_forward(work: Task | PlanChange) -> None:
    """Moves work scheduled too far ahead to one claim period from now, unless it has changed since."""
    key = work.keys()
    with suppress(ConditionNotMet):
        update(
            {"PK": key["PK"], "SK": key["SK"]},
            f"SET {IN_INDEX} REMOVE sent_at",
            "due_at = :seen",
            {**_VALUES, "due": seconds_from_now(CLAIM_SECONDS), "seen": work.due_at},
        )


def free_claim(task: Task) -> None:
    """Releases the claim of a worker that is known to be dead."""
    due = now()
    with suppress(ConditionNotMet):
        update(
            _key(task),
            f"SET {IN_INDEX}",
            f"{MINE} AND due_at > :due",
            {**_VALUES, "me": task.claimed_by, "due": due},
        )


def _transact_counted(plan_id: str, actions: list[Action], failed: int = 0) -> None:
    """Writes the ends of tasks and counts them in their plan; the last one ends it.

    Raises TransactionRefused, with the outcome of each action, if one of them was refused.
    """
    numbers: dict[str, Value] = {"minus": -len(actions), "count": len(actions), "failed": failed}
    count, condition, extra = "ADD #left :minus, #failed :failed", "#left > :count", ""
    for _ in range(TRANSACTION_TRIES):
        counted = update_action(tables.plan_key(plan_id), f"{extra}{count}", condition, numbers)
        try:
            transact([{"Update": counted}, *actions])
            return
        except TransactionRefused as refused:
            _, *refused.failed = refused.failed
            if any(refused.failed):
                raise
        # These are the last tasks, so the plan ends with them.
        plan = plan_by_id(plan_id)
        assert plan, f"plan {plan_id} is not there"
        extra = "SET #status = :status, ended_at = :now "
        cancelling = "attribute_exists(cancelling)" if plan.cancelling else "attribute_not_exists(cancelling)"
        condition = f"#left = :count AND #failed = :seen AND {cancelling}"
        numbers |= {"status": _final_status(plan, failed), "now": now(), "seen": plan.failed}
        if plan.left > len(actions):
            extra, condition = "", "#left > :count"
    raise TransactionRefused([])


def _final_status(plan: Plan, failed: int) -> PlanStatus:
    if plan.cancelling:
        return PlanStatus.CANCELLED
    return PlanStatus.FAILED if plan.failed + failed else PlanStatus.COMPLETED


def _end_action(task: Task, status: TaskStatus, reason: str | None) -> Action:
    error = ", #error = :error" if reason else ""
    return {
        "Update": update_action(
            _key(task),
            f"SET #status = :ended, ended_at = :now{error} REMOVE {OUT_OF_INDEX}",
            "#status = :pending",
            {**_VALUES, "ended": status, "now": now(), "error": reason},
        )
    }


def _update_mine(task: Task, expression: str, values: dict[str, Value]) -> Task:
    try:
        return Task.from_item(update(_key(task), expression, MINE, {**_VALUES, "me": task.claimed_by, **values}))
    except ConditionNotMet:
        raise TaskTaken(task.plan_id, task.key) from None


def _optional(attributes: dict[str, Value]) -> tuple[str, str]:
    """Returns what to add to SET for attributes with a value, and to REMOVE for the others."""
    sets = "".join(f", #{name} = :{name}" for name, value in attributes.items() if value is not None)
    gone = "".join(f", #{name}" for name, value in attributes.items() if value is None)
    return sets, gone


def _key(task: Task) -> dict[str, str]:
    return tables.task_key(task.plan_id, task.key)


def _in_listing(partition: str) -> dict[str, Any]:
    return {
        "TableName": main_table(),
        "IndexName": tables.BY_TICKER_OR_LISTING.name,
        "KeyConditionExpression": "GSI1PK = :pk",
        "ExpressionAttributeValues": encode({":pk": partition}),
    }
