"""Imports: the files that people have imported, and the channels whose import is under way."""

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from functions.core import tables
from functions.core.ids import milliseconds_of
from functions.core.models import Entity

KEPT_SECONDS = 30 * 24 * 60 * 60
"""How long it can be seen what became of an import: as long as the bucket keeps its file."""


class ImportStatus(StrEnum):
    PENDING = "PENDING"
    PROCESSING = "PROCESSING"
    COMPLETED = "COMPLETED"
    FAILED = "FAILED"


@dataclass(frozen=True, slots=True)
class Import(Entity):
    enums: ClassVar = {"status": ImportStatus}

    id: str
    """A ULID, so that imports sort by creation."""
    user_id: str
    key: str
    """The name of the file: `imports/export.zip`."""
    created_at: str
    updated_at: str
    expires_at: int
    """In epoch seconds: from then on it counts as gone, and DynamoDB may remove it."""
    status: ImportStatus = ImportStatus.PENDING
    items: int | None = None
    """How many videos and mentions the file holds; None until it has been validated."""
    items_done: int = 0
    channels: int = 0
    """Those that were imported."""
    videos: int = 0
    mentions: int = 0
    skipped: tuple[str, ...] = ()
    """Why channels were left as they are: the first sentences."""
    skipped_count: int = 0
    error_message: str | None = None
    """Why it failed, for people."""
    complaints: tuple[str, ...] = ()
    """What is wrong with the file: the first sentences."""
    complaint_count: int = 0
    remarks: tuple[str, ...] = ()
    """What was not read, or not as it is in the file."""
    imported: tuple[str, ...] = ()
    """The ids of the channels that earlier attempts of this import have written."""
    attempts: int = 0
    """How often a worker has begun it without getting any further."""
    claimed_by: str | None = None
    lease_until: str | None = None
    """When that worker counts as dead, unless it renews its lease before."""
    sent_at: str | None = None
    """When the last message for it was sent, or arrives."""

    @property
    def is_open(self) -> bool:
        return self.status in (ImportStatus.PENDING, ImportStatus.PROCESSING)

    def keys(self) -> dict[str, str]:
        keys = {
            **tables.import_key(self.user_id, self.id),
            "GSI1PK": tables.import_pk(self.id),
            "GSI1SK": tables.user_pk(self.user_id),
        }
        return {**keys, "GSI2PK": tables.OPEN_IMPORTS} if self.is_open else keys


def expiry_of(import_id: str) -> int:
    """In epoch seconds, counted from when the id was made."""
    return milliseconds_of(import_id) // 1000 + KEPT_SECONDS


CLEARING = "clearing"
"""The fingerprint of no file."""


@dataclass(frozen=True, slots=True)
class ChannelImport(Entity):
    """Stands for a channel while what is below it is written: nobody sees the channel before all of it is there.

    Whoever finds one whose writer died removes what was written, or goes on with it.
    """

    channel_id: str
    owner: str
    """The writer."""
    fingerprint: str
    """Of what is imported: only the same can be continued. CLEARING while what another file left is removed."""
    lease_until: str
    writing: tuple[str, ...] = ()
    """The videos whose mentions are being written: until they are there themselves, only this tells of them."""

    def keys(self) -> dict[str, str]:
        return tables.channel_import_key(self.channel_id)
