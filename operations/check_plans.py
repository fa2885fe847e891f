"""Checks plans and their tasks for inconsistencies, as part of `python -m operations.check`."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from functions.plans.models import OpenPlans, Plan, PlanChange, PlanStatus, Task, TaskStatus

PLAN_KINDS = (Plan, Task, PlanChange, OpenPlans)


@dataclass
class Plans:
    plans: dict[str, Plan] = field(default_factory=dict)
    tasks: dict[str, dict[str, Task]] = field(default_factory=dict)
    """By plan and key."""
    changing: set[str] = field(default_factory=set)
    """The ids of plans that are being created or cancelled."""

    listed: list[OpenPlans] = field(default_factory=list)

    def add(self, entity: Plan | Task | PlanChange | OpenPlans) -> None:
        match entity:
            case Plan():
                self.plans[entity.id] = entity
            case Task():
                self.tasks.setdefault(entity.plan_id, {})[entity.key] = entity
            case PlanChange():
                self.changing.add(entity.plan_id)
            case OpenPlans():
                self.listed.append(entity)

    def problems(self) -> Iterator[str]:
        for plan_id in self.tasks.keys() - self.plans.keys() - self.changing:
            yield f"tasks belong to plan {plan_id}, which is not there"
        for listed in self.listed:
            for plan_id in sorted(listed.ids - self.plans.keys()):
                yield f"plan {plan_id}, which {listed.user_id} created, is not there"
        for plan in self.plans.values():
            tasks = self.tasks.get(plan.id, {})
            yield from _plan(plan, tasks)
            for task in tasks.values():
                yield from _task(task, tasks, is_changing=plan.id in self.changing)


def _plan(plan: Plan, tasks: dict[str, Task]) -> Iterator[str]:
    name = f"plan {plan.id}"
    # A task is counted when all who wait for it know, which takes it from the index.
    counted = [task for task in tasks.values() if task.has_ended and task.due_at is None]
    failed = sum(task.status is TaskStatus.FAILED for task in counted)
    if plan.tasks != len(tasks):
        yield f"{name} counts {plan.tasks} tasks, there are {len(tasks)}"
    if (plan.ended, plan.failed) != (len(counted), failed):
        yield f"{name} counts {plan.ended} ended and {plan.failed} failed tasks, there are {len(counted)} and {failed}"
    if (plan.status is PlanStatus.RUNNING) != (plan.left > 0):
        yield f"{name} is {plan.status} with {plan.left} tasks left"
    if (plan.status is PlanStatus.RUNNING) != (plan.ended_at is None):
        yield f"{name} is {plan.status} and ended at {plan.ended_at}"


def _task(task: Task, tasks: dict[str, Task], *, is_changing: bool) -> Iterator[str]:
    name = f"task {task.key} of plan {task.plan_id}"
    if strange := task.waiting_for - set(task.depends_on):
        yield f"{name} waits for {sorted(strange)}, on which it does not depend"
    if unknown := {*task.depends_on, *task.needed_by} - tasks.keys():
        yield f"{name} is tied to {sorted(unknown)}, which are not there"
        return
    if any(task.key not in tasks[key].needed_by for key in task.depends_on):
        yield f"{name} is not known to all on which it depends"
    is_done = {key for key in task.depends_on if tasks[key].status is TaskStatus.COMPLETED}
    if task.status in (TaskStatus.RUNNING, TaskStatus.COMPLETED) and is_done != set(task.depends_on):
        yield f"{name} is {task.status} before what it depends on"
    untold = {key for key in is_done if tasks[key].due_at is not None}
    if task.is_ready and not is_changing and not untold:
        yield f"{name} waits for nothing but is not queued"
    if task.status is TaskStatus.RUNNING and task.due_at is None:
        yield f"{name} is running but is not queued"
