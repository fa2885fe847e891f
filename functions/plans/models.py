"""Plans: tasks that depend on each other, each done once."""

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from functions.runtime.dynamodb import tables
from functions.runtime.dynamodb.entity import Entity

MAX_TASKS = 500
MAX_DEPENDENCIES = 5_000
"""Of all tasks of a plan together: what ends them is written in transactions of 4 MB at the most."""


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
    """Something that it needs failed, or was skipped or cancelled."""
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
"""The first makes its channel, the second takes those of its plan, or all; news is that of all channels."""

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
    tasks: int
    left: int
    """How many of its tasks have not ended. It reaches zero in the write that ends the plan."""
    failed: int = 0
    """How many of its tasks failed."""
    status: PlanStatus = PlanStatus.RUNNING
    ended_at: str | None = None
    cancelling: bool | None = None
    """Whether somebody has cancelled it."""

    @property
    def ended(self) -> int:
        """How many of its tasks have ended, whatever their outcome."""
        return self.tasks - self.left

    def keys(self) -> dict[str, str]:
        return {**tables.plan_key(self.id), "GSI1PK": tables.ALL_PLANS, "GSI1SK": self.id}


def task_name(plan_id: str, key: str) -> str:
    """Under which a task is found in the logs, and named by the run that it begins."""
    return f"{plan_id}/{key}"


@dataclass(frozen=True, slots=True)
class Task(Entity):
    enums: ClassVar = {"status": TaskStatus, "kind": TaskKind}

    plan_id: str
    key: str
    kind: TaskKind
    position: int
    """Its place in the plan as it was sent."""
    depends_on: tuple[str, ...] = ()
    needed_by: tuple[str, ...] = ()
    """The keys of the tasks that depend on it."""
    waiting_for: frozenset[str] = frozenset()
    """Those of `depends_on` that have not been completed."""
    channel_id: str | None = None
    """Given, or found by the task that adds the channel."""
    channel_from: str | None = None
    """The key of the task that adds its channel, where none was given."""
    url: str | None = None
    status: TaskStatus = TaskStatus.PENDING
    attempts: int = 0
    claimed_by: str | None = None
    due_at: str | None = None
    """When it may be worked on; while it is claimed, when that claim ends; once it has ended, when the clock looks
    whether all who wait for it know. Tasks that have it are in the index."""
    sent_at: str | None = None
    """When the last message for it was sent, or arrives."""
    looks: int = 0
    """How often a worker looked whether the run that it waits for has ended."""
    run_id: str | None = None
    """The run it began."""
    export_id: str | None = None
    """The export it began."""
    started_at: str | None = None
    ended_at: str | None = None
    error: str | None = None
    retried_at: str | None = None
    """When its last attempt failed, of a task that is tried again."""
    result: str | None = None
    """What it has done, for people. Most kinds tell nothing."""

    def keys(self) -> dict[str, str]:
        keys = tables.task_key(self.plan_id, self.key)
        return {**keys, "GSI1PK": tables.OPEN_TASKS, "GSI1SK": self.due_at} if self.due_at else keys

    @property
    def has_ended(self) -> bool:
        return self.status in ENDED

    @property
    def is_ready(self) -> bool:
        """Whether it waits for no other task, and nobody has begun or announced it."""
        return self.status is TaskStatus.PENDING and not self.waiting_for and self.due_at is None


@dataclass(frozen=True, slots=True)
class PlanChange(Entity):
    """A change of a whole plan that takes many writes. It is in the index of open tasks until all of them are
    written, so that the clock finds it when its writer died."""

    enums: ClassVar = {"kind": PlanChangeKind}

    plan_id: str
    kind: PlanChangeKind
    due_at: str
    """When its writer must have died."""
    sent_at: str | None = None
    stored: bool | None = None
    """Of a creation: whether the plan is there; None while that is not decided, False once it was given up."""

    def keys(self) -> dict[str, str]:
        keys = tables.plan_change_key(self.plan_id, self.kind)
        return {**keys, "GSI1PK": tables.OPEN_TASKS, "GSI1SK": self.due_at}
