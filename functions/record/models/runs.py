"""What the system did and will do with a channel: its runs, the attempts at each video, and its next check."""

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from functions.record.models.records import AnalysisStatus
from functions.record.models.records import CheckEvery as CheckEvery
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
    """Looks through the whole list of videos."""
    CHECK = "check"
    """Looks only for what is new."""
    REREAD = "reread"
    """Reads the kept transcripts anew."""


class StartedBy(StrEnum):
    PERSON = "person"
    CLOCK = "clock"
    PLAN = "plan"


@dataclass(frozen=True, slots=True)
class Starter:
    """Who or what began a run."""

    kind: StartedBy
    name: str | None = None
    """The person, or `{plan id}/{key of the task}`; None where that is not known."""


SOMEBODY = Starter(StartedBy.PERSON)
THE_CLOCK = Starter(StartedBy.CLOCK)


@dataclass(frozen=True, slots=True)
class Run(Entity):
    """The record of a run. It stays until its channel is deleted."""

    enums: ClassVar = {"status": RunStatus, "kind": RunKind, "started_by": StartedBy}

    id: str
    """A ULID, so that runs sort by their start."""
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
    """Videos that the channel has on YouTube, as far as this run looked."""
    videos: int = 0
    """Those that this run set out to read."""
    processed: int = 0
    """Those of them that were read."""
    skipped: int = 0
    """Those without a transcript."""
    failed: int = 0
    calls: int = 0
    """Buys and sells in the videos it read."""
    error: str | None = None
    """Why it failed or ended early, for people."""
    continues: str | None = None
    """The run that it took over from, whose worker had died."""
    continued_by: str | None = None

    def keys(self) -> dict[str, str]:
        return {
            **tables.run_key(self.channel_id, self.id),
            "GSI1PK": tables.ALL_RUNS,
            "GSI1SK": self.id,
            "GSI2PK": tables.run_pk(self.id),
        }


@dataclass(frozen=True, slots=True)
class Attempt(Entity):
    """What became of a video in one run."""

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
    """Why it could not be read, for people."""

    def keys(self) -> dict[str, str]:
        return tables.attempt_key(self.channel_id, self.video_id, self.run_id)


@dataclass(frozen=True, slots=True)
class Check(Entity):
    """A channel in the queue of the clock. Written together with the channel's own `next_check_at`."""

    channel_id: str
    next_check_at: str

    def keys(self) -> dict[str, str]:
        return {
            **tables.check_key(self.channel_id),
            "GSI1PK": tables.ALL_CHECKS,
            "GSI1SK": self.next_check_at,
        }
