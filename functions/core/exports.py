"""Exports: archives of the record that people have made, each kept for a month."""

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from functions.core import tables
from functions.core.ids import milliseconds_of
from functions.core.models import Entity

KEPT_DAYS = 30
"""How long an export can be downloaded. The bucket's lifecycle removes the file after as many days."""
KEPT_SECONDS = KEPT_DAYS * 24 * 60 * 60
MAX_CHANNELS = 100
"""The most that one export may name; without names it holds all."""
MAX_OPEN = 3
"""The most that a person may have under way at once."""


class ExportStatus(StrEnum):
    PENDING = "PENDING"
    PROCESSING = "PROCESSING"
    COMPLETED = "COMPLETED"
    FAILED = "FAILED"


OPEN = (ExportStatus.PENDING, ExportStatus.PROCESSING)


@dataclass(frozen=True, slots=True)
class Export(Entity):
    enums: ClassVar = {"status": ExportStatus}

    id: str
    """A ULID, so that exports sort by creation."""
    user_id: str
    format: str
    """`csv` or `jsonl`."""
    created_at: str
    updated_at: str
    expires_at: int
    """In epoch seconds: from then on it counts as gone, and DynamoDB may remove it."""
    channel_ids: tuple[str, ...] = ()
    """Without any, all channels."""
    status: ExportStatus = ExportStatus.PENDING
    channels: int | None = None
    """How many there are to write; None until a worker has looked."""
    channels_done: int = 0
    zip_key: str | None = None
    """The name of its file, once that is whole."""
    size_bytes: int | None = None
    error_message: str | None = None
    """Why it failed, for people."""
    request: str | None = None
    """What tells the request that began it from others, so that a repeat begins no second one."""
    attempts: int = 0
    """How often a worker has begun it."""
    claimed_by: str | None = None
    """The worker that writes it."""
    lease_until: str | None = None
    """When that worker counts as dead, unless it renews its lease before."""
    sent_at: str | None = None
    """When the last message for it was sent, or arrives."""

    @property
    def is_open(self) -> bool:
        return self.status in OPEN

    def is_expired(self, moment: float) -> bool:
        return self.expires_at <= moment

    def keys(self) -> dict[str, str]:
        keys = {
            **tables.export_key(self.user_id, self.id),
            "GSI1PK": tables.export_pk(self.id),
            "GSI1SK": tables.user_pk(self.user_id),
        }
        return {**keys, "GSI2PK": tables.OPEN_EXPORTS} if self.is_open else keys


@dataclass(frozen=True, slots=True)
class OpenExports(Entity):
    """A person's exports that have not ended, in one item: its condition keeps them few, however many begin at once."""

    user_id: str
    ids: frozenset[str] = frozenset()

    def keys(self) -> dict[str, str]:
        return tables.open_exports_key(self.user_id)


def saved_as(created_at: str, file_format: str) -> str:
    """The name under which a browser saves the file."""
    return f"stock-track-record-{created_at[:10]}-{file_format}.zip"


def expiry_of(export_id: str) -> int:
    """In epoch seconds, counted from when the id was made."""
    return milliseconds_of(export_id) // 1000 + KEPT_SECONDS
