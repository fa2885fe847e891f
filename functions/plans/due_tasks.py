"""Finds open tasks whose message was lost or whose worker died, and unfinished plan changes."""

from datetime import datetime

from functions.plans import store as plans
from functions.plans.models import PlanChange, Task, TaskStatus, task_name
from functions.runtime.clock import now, seconds_after
from functions.runtime.dispatch import FinishPlanChange, Job, RunTask, dispatcher

PATIENCE_SECONDS = 60
"""How long a message may take before it counts as lost. Doubles with every message sent again."""
MOST_PATIENCE_SECONDS = 3600
"""Caps the wait, which would otherwise keep growing during a long outage."""
FARTHEST_SECONDS = 3600
"""Nothing is scheduled this far ahead: such a time was written by a machine with a wrong clock."""
LATE_SECONDS = 3600


def send_due_tasks() -> tuple[list[str], int]:
    """Sends a message for everything due that has none in flight; returns the `{plan}/{key}` of each, and how many are
    more than an hour overdue. Called by the scheduler; concurrent calls send a single message."""
    current = now()
    sent: list[str] = []
    late = 0
    for work in plans.open_work(current):
        assert work.due_at
        late += work.due_at < seconds_after(current, -LATE_SECONDS)
        if _is_lost(work.due_at, work.sent_at, current) and plans.mark_sent(work, current):
            dispatcher().send(_job_for(work))
            sent.append(_name(work))
    for work in list(plans.open_work_after(seconds_after(current, FARTHEST_SECONDS))):
        plans.bring_forward(work)
    return sent, late


def resume_tasks() -> None:
    """Resumes all open work, when no worker can be alive and no message has survived."""
    for work in list(plans.open_work()):
        if isinstance(work, Task) and work.status is TaskStatus.RUNNING and work.claimed_by:
            plans.free_claim(work)
        dispatcher().send(_job_for(work), delay_seconds=_seconds_until_due(work))


def _is_lost(due_at: str, sent_at: str | None, current: str) -> bool:
    if sent_at is None or sent_at < due_at or sent_at > seconds_after(current, FARTHEST_SECONDS):
        return True
    patience = min(MOST_PATIENCE_SECONDS, max(PATIENCE_SECONDS, _seconds(due_at, sent_at)))
    return _seconds(sent_at, current) >= patience


def _seconds_until_due(work: Task | PlanChange) -> float:
    """Only work scheduled for later has to wait; otherwise its writer or worker is dead."""
    if isinstance(work, PlanChange) or work.claimed_by or work.has_ended or work.due_at is None:
        return 0
    return max(0.0, _seconds(now(), work.due_at))


def _seconds(start: str, end: str) -> float:
    return (datetime.fromisoformat(end) - datetime.fromisoformat(start)).total_seconds()


def _job_for(work: Task | PlanChange) -> Job:
    return RunTask(work.plan_id, work.key) if isinstance(work, Task) else FinishPlanChange(work.plan_id, work.kind)


def _name(work: Task | PlanChange) -> str:
    return task_name(work.plan_id, work.key if isinstance(work, Task) else work.kind)
