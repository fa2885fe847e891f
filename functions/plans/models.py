"""Plans: interdependent tasks, each done once."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import ClassVar

from functions.runtime.dynamodb import tables
from functions.runtime.dynamodb.entity import Entity

MAX_TASKS = 500
MAX_DEPENDENCIES = 5_000
"""Total over all tasks of a plan: their ends are written in transactions of at most 4 MB."""


class PlanStatus(StrEnum):
    RUNNING = "running"
    COMPLETED = "completed"
    FAILED = "failed"
    """Every task has ended, and at least one failed."""
    CANCELLED = "cancelled"


class TaskStatus(StrEnum):
    PENDING = "pending"
    RUNNING = "running"
    COMPLETED = "completed"
    FAILED = "failed"
    SKIPPED = "skipped"
    """A dependency failed, or was skipped or cancelled."""
    CANCELLED = "cancelled"


class TaskKind(StrEnum):
    ADD_CHANNEL = "add_channel"
    PROCESS = "process"
    REREAD = "reread"
    REFRESH_PRICES = "refresh_prices"
    BACKFILL_PRICES = "backfill_prices"
    SCORE = "score"
    EXPORT = "export"
    INGEST_NEWS = "ingest_news"


NEEDS_NO_CHANNEL = (TaskKind.ADD_CHANNEL, TaskKind.EXPORT, TaskKind.INGEST_NEWS)
"""`add_channel` creates its channel, `export` uses those of its plan or all, and news covers all channels."""

ENDED = (TaskStatus.COMPLETED, TaskStatus.FAILED, TaskStatus.SKIPPED, TaskStatus.CANCELLED)


class PlanChangeKind(StrEnum):
    CREATE = "create"
    CANCEL = "cancel"


@dataclass(frozen=True, slots=True)
class Plan(Entity):
    enums: ClassVar = {"status": PlanStatus}

    id: str
    name: str
    created_at: str
    created_by: str
    created_by_name: str | None = field(default=None, kw_only=True)
    """The person's display name."""
    tasks: int
    left: int
    """Number of tasks that have not ended. Reaches zero in the write that ends the plan."""
    failed: int = 0
    """Number of failed tasks."""
    status: PlanStatus = PlanStatus.RUNNING
    ended_at: str | None = None
    cancelling: bool | None = None
    """True once somebody has cancelled it."""

    @property
    def ended(self) -> int:
        """Number of tasks that have ended, whatever their outcome."""
        return self.tasks - self.left

    def keys(self) -> dict[str, str]:
        return {**tables.plan_key(self.id), "GSI1PK": tables.ALL_PLANS, "GSI1SK": self.id}


def task_name(plan_id: str, key: str) -> str:
    """The task's name in the logs, and in the run that it starts."""
    return f"{plan_id}/{key}"


@dataclass(frozen=True, slots=True)
class Task(Entity):
    enums: ClassVar = {"status": TaskStatus, "kind": TaskKind}

    plan_id: str
    key: str
    kind: TaskKind
    position: int
    """Its index in the plan as submitted."""
    depends_on: tuple[str, ...] = ()
    needed_by: tuple[str, ...] = ()
    """The keys of the tasks that depend on it."""
    waiting_for: frozenset[str] = frozenset()
    """The keys in `depends_on` that have not completed yet."""
    channel_id: str | None = None
    """The channel given, or the one that was added."""
    channel_from: str | None = None
    """The key of the task that adds its channel, if no channel was given."""
    url: str | None = None
    status: TaskStatus = TaskStatus.PENDING
    attempts: int = 0
    """How often it was claimed, without the polls that have ended in another wait."""
    claimed_by: str | None = None
    due_at: str | None = None
    """When it may be worked on; while it is claimed, when the claim expires; once it has ended, when the scheduler
    checks that all dependent tasks were notified. Tasks with a `due_at` are in the index."""
    sent_at: str | None = None
    """When the last message for it was sent, or will arrive."""
    looks: int = 0
    """How often a worker has polled the run that the task waits for."""
    run_id: str | None = None
    """The run that the task started."""
    export_id: str | None = None
    """The export that the task started."""
    started_at: str | None = None
    ended_at: str | None = None
    error: str | None = None
    retried_at: str | None = None
    """When the last attempt failed, if the task is being retried."""
    result: str | None = None
    """A summary of what was done, for people. Most kinds have none."""

    def keys(self) -> dict[str, str]:
        keys = tables.task_key(self.plan_id, self.key)
        return {**keys, "GSI1PK": tables.OPEN_TASKS, "GSI1SK": self.due_at} if self.due_at else keys

    @property
    def has_ended(self) -> bool:
        return self.status in ENDED

    @property
    def attempts_begun(self) -> int:
        """The attempts of a claimed task: a claim that only polls what an attempt began is not one more."""
        return self.attempts - 1 if self.looks else self.attempts

    @property
    def is_ready(self) -> bool:
        """True if it waits for no other task, and nobody has started or announced it."""
        return self.status is TaskStatus.PENDING and not self.waiting_for and self.due_at is None


@dataclass(frozen=True, slots=True)
class OpenPlans(Entity):
    """A person's plans that may be open, in one item: its condition keeps them few, however many are created at once.
    A plan that has ended is removed when the list is full."""

    user_id: str
    ids: frozenset[str] = frozenset()

    def keys(self) -> dict[str, str]:
        return tables.open_plans_key(self.user_id)


@dataclass(frozen=True, slots=True)
class PlanChange(Entity):
    """A change to a whole plan that takes many writes. It stays in the index of open tasks until all of them are
    written, so that the scheduler finds it if its writer dies."""

    enums: ClassVar = {"kind": PlanChangeKind}

    plan_id: str
    kind: PlanChangeKind
    due_at: str
    """When its writer must be dead."""
    sent_at: str | None = None
    stored: bool | None = None
    """For a creation: True once the plan is stored, False if it was given up, None while undecided."""

    def keys(self) -> dict[str, str]:
        keys = tables.plan_change_key(self.plan_id, self.kind)
        return {**keys, "GSI1PK": tables.OPEN_TASKS, "GSI1SK": self.due_at}
