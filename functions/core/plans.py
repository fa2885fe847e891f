"""Plans: tasks that depend on each other, each done once."""

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from functions.core import tables
from functions.core.models import Entity

MAX_TASKS = 500


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


@dataclass(frozen=True, slots=True)
class Plan(Entity):
    enums: ClassVar = {"status": PlanStatus}

    id: str
    name: str
    created_at: str
    created_by: str
    tasks: int
    ended: int = 0
    """How many of its tasks have ended, whatever their outcome."""
    failed: int = 0
    """How many of them failed."""
    status: PlanStatus = PlanStatus.RUNNING
    ended_at: str | None = None

    def keys(self) -> dict[str, str]:
        return {**tables.plan_key(self.id), "GSI1PK": tables.ALL_PLANS, "GSI1SK": self.id}


@dataclass(frozen=True, slots=True)
class Task(Entity):
    enums: ClassVar = {"status": TaskStatus, "kind": TaskKind}

    plan_id: str
    key: str
    kind: TaskKind
    depends_on: tuple[str, ...] = ()
    needed_by: tuple[str, ...] = ()
    """The keys of the tasks that depend on it."""
    waiting_for: frozenset[str] = frozenset()
    """Those of `depends_on` that have not been completed."""
    channel_id: str | None = None
    """Given, or found by the task that adds the channel."""
    url: str | None = None
    status: TaskStatus = TaskStatus.PENDING
    attempts: int = 0
    claimed_by: str | None = None
    due_at: str | None = None
    """When it may be worked on; while it is claimed, when that claim ends. Tasks that have it are in the index."""
    run_id: str | None = None
    """The run it began."""
    started_at: str | None = None
    ended_at: str | None = None
    error: str | None = None

    def keys(self) -> dict[str, str]:
        keys = tables.task_key(self.plan_id, self.key)
        return {**keys, "GSI1PK": tables.OPEN_TASKS, "GSI1SK": self.due_at} if self.due_at else keys
