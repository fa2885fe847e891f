"""The history and schedule of a channel: its runs, the attempts at each video, and its next check."""

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from functions.record.models.records import AnalysisStatus
from functions.record.models.records import CheckEvery as CheckEvery
from functions.runtime.caller import Caller
from functions.runtime.dynamodb import tables
from functions.runtime.dynamodb.entity import Entity


class RunStatus(StrEnum):
    PENDING = "pending"
    PROCESSING = "processing"
    COMPLETED = "completed"
    FAILED = "failed"
    CANCELLED = "cancelled"
    INTERRUPTED = "interrupted"
    """Its worker died."""


class RunKind(StrEnum):
    PROCESS = "process"
    """Lists all videos of the time range."""
    CHECK = "check"
    """Lists only new videos."""
    REREAD = "reread"
    """Rereads the stored transcripts."""


class StartedBy(StrEnum):
    PERSON = "person"
    CLOCK = "clock"
    PLAN = "plan"


@dataclass(frozen=True, slots=True)
class Starter:
    """The person or job that started a run."""

    kind: StartedBy
    name: str | None = None
    """The person, or `{plan id}/{key of the task}`; None if unknown."""
    person: Caller | None = None
    """The person, if they started it themselves."""

    @classmethod
    def of(cls, person: Caller) -> "Starter":
        return cls(StartedBy.PERSON, person.id, person)

    @property
    def shown_name(self) -> str | None:
        return self.person.name if self.person else None


SOMEBODY = Starter(StartedBy.PERSON)
THE_CLOCK = Starter(StartedBy.CLOCK)


@dataclass(frozen=True, slots=True)
class Run(Entity):
    """The record of a run, which is stored until its channel is deleted."""

    enums: ClassVar = {"status": RunStatus, "kind": RunKind, "started_by": StartedBy}

    id: str
    """A ULID, so runs sort by start time."""
    channel_id: str
    started_at: str
    status: RunStatus = RunStatus.PENDING
    kind: RunKind = RunKind.PROCESS
    started_by: StartedBy = StartedBy.PERSON
    starter: str | None = None
    """The person, or `{plan id}/{key of the task}`."""
    ended_at: str | None = None
    analyst: str | None = None
    found: int = 0
    """Videos found on YouTube, as far as this run listed them."""
    videos: int = 0
    """Videos this run set out to read."""
    processed: int = 0
    """Videos this run read."""
    skipped: int = 0
    """Videos without a transcript."""
    failed: int = 0
    calls: int = 0
    """Buys and sells in the videos it read."""
    tokens_in: int = 0
    """Tokens sent to a model and got back for the videos it read."""
    tokens_out: int = 0
    error: str | None = None
    """Why it failed or ended early, in user-facing words."""
    continues: str | None = None
    """The run it took over from, whose worker had died."""
    continued_by: str | None = None
    starter_name: str | None = None
    """The person's display name."""

    def keys(self) -> dict[str, str]:
        return {
            **tables.run_key(self.channel_id, self.id),
            "GSI1PK": tables.ALL_RUNS,
            "GSI1SK": self.id,
            "GSI2PK": tables.run_pk(self.id),
        }


@dataclass(frozen=True, slots=True)
class Attempt(Entity):
    """The outcome of a video in one run."""

    enums: ClassVar = {"outcome": AnalysisStatus}

    channel_id: str
    video_id: str
    run_id: str
    outcome: AnalysisStatus
    ended_at: str
    analyst: str | None = None
    mentions: int = 0
    calls: int = 0
    problem: str | None = None
    """Why it could not be read, in user-facing words."""

    def keys(self) -> dict[str, str]:
        return tables.attempt_key(self.channel_id, self.video_id, self.run_id)


@dataclass(frozen=True, slots=True)
class Check(Entity):
    """A channel's entry in the check queue. Written together with the channel's own `next_check_at`."""

    channel_id: str
    next_check_at: str

    def keys(self) -> dict[str, str]:
        return {
            **tables.check_key(self.channel_id),
            "GSI1PK": tables.ALL_CHECKS,
            "GSI1SK": self.next_check_at,
        }


@dataclass(frozen=True, slots=True)
class WaitingRun(Entity):
    """A run that waits for a slot: its entry in the queue, which goes by the run's id and therefore by its age."""

    channel_id: str
    run_id: str

    def keys(self) -> dict[str, str]:
        return {
            **tables.waiting_run_key(self.channel_id),
            "GSI1PK": tables.ALL_WAITING_RUNS,
            "GSI1SK": self.run_id,
        }
