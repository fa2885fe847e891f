"""Finds open tasks whose message was lost or whose worker died, and changes of plans whose writer died."""

from datetime import datetime

from functions.plans import store as plans
from functions.plans.models import PlanChange, Task, TaskStatus, task_name
from functions.runtime.clock import now, seconds_after
from functions.runtime.dispatch import FinishPlanChange, Job, RunTask, dispatcher

PATIENCE_SECONDS = 60
"""How long a message that was sent may take before it counts as lost. It doubles with each that is sent again."""
MOST_PATIENCE_SECONDS = 3600
"""After an outage of many hours, nothing waits for as long again."""
FARTHEST_SECONDS = 3600
"""Nothing is put off for so long: what lies further ahead was written by a clock that was wrong."""
LATE_SECONDS = 3600


def send_due_tasks() -> tuple[list[str], int]:
    """Sends a message for what is due and has none on its way; returns `{plan}/{key}` of each, and how much has been
    due for more than an hour. Called by the clock; two clocks at once send one message."""
    moment = now()
    sent: list[str] = []
    late = 0
    for work in plans.open_work(moment):
        assert work.due_at
        late += work.due_at < seconds_after(moment, -LATE_SECONDS)
        if _is_lost(work.due_at, work.sent_at, moment) and plans.mark_sent(work, moment):
            dispatcher().send(_job_for(work))
            sent.append(_name(work))
    for work in list(plans.open_work_after(seconds_after(moment, FARTHEST_SECONDS))):
        plans.bring_forward(work)
    return sent, late


def resume_tasks() -> None:
    """Has everything that is open worked on, where no worker can be alive and no message was kept."""
    for work in list(plans.open_work()):
        if isinstance(work, Task) and work.status is TaskStatus.RUNNING and work.claimed_by:
            plans.free_claim(work)
        dispatcher().send(_job_for(work), delay_seconds=_seconds_until_due(work))


def _is_lost(due_at: str, sent_at: str | None, moment: str) -> bool:
    if sent_at is None or sent_at < due_at or sent_at > seconds_after(moment, FARTHEST_SECONDS):
        return True
    patience = min(MOST_PATIENCE_SECONDS, max(PATIENCE_SECONDS, _seconds(due_at, sent_at)))
    return _seconds(sent_at, moment) >= patience


def _seconds_until_due(work: Task | PlanChange) -> float:
    """Only what waits for its time has to wait on; its writer or worker is dead otherwise."""
    if isinstance(work, PlanChange) or work.claimed_by or work.has_ended or work.due_at is None:
        return 0
    return max(0.0, _seconds(now(), work.due_at))


def _seconds(start: str, end: str) -> float:
    return (datetime.fromisoformat(end) - datetime.fromisoformat(start)).total_seconds()


def _job_for(work: Task | PlanChange) -> Job:
    return RunTask(work.plan_id, work.key) if isinstance(work, Task) else FinishPlanChange(work.plan_id, work.kind)


def _name(work: Task | PlanChange) -> str:
    return task_name(work.plan_id, work.key if isinstance(work, Task) else work.kind)
