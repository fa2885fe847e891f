"""The record of who changed what, which outlives the things that it is about."""

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from functions.runtime.dynamodb import tables
from functions.runtime.dynamodb.entity import Entity


class AuditAction(StrEnum):
    CHANNEL_ADDED = "channel_added"
    CHANNEL_CHANGED = "channel_changed"
    CHANNEL_DELETED = "channel_deleted"
    RUN_STARTED = "run_started"
    RUN_CANCELLED = "run_cancelled"
    TRANSCRIPT_UPLOADED = "transcript_uploaded"
    CALL_REVIEWED = "call_reviewed"
    REVIEW_WITHDRAWN = "review_withdrawn"
    PLAN_CREATED = "plan_created"
    PLAN_CANCELLED = "plan_cancelled"
    IMPORT_STARTED = "import_started"
    NEWS_ADDED = "news_added"


@dataclass(frozen=True, slots=True)
class AuditEntry(Entity):
    enums: ClassVar = {"action": AuditAction}

    id: str
    """A ULID, so entries sort by time."""
    created_at: str
    action: AuditAction
    subject: str
    """The id of the person, from their JWT."""
    target: str
    """The path of what was changed."""
    expires_at: int
    name: str | None = None
    """The person's display name at that time."""
    detail: str | None = None
    """Names it in words that outlive it, such as a channel's name."""

    def keys(self) -> dict[str, str]:
        return tables.audit_key(self.id)


@dataclass(frozen=True, slots=True)
class DailyCounts(Entity):
    """How much a person has added on a day, for their limits."""

    user_id: str
    day: str
    expires_at: int
    channels: int = 0
    notes: int = 0
    news: int = 0

    def keys(self) -> dict[str, str]:
        return tables.daily_counts_key(self.user_id, self.day)
