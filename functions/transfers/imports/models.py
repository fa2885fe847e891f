"""Imports: the files that people have imported, and the channels being imported."""

from dataclasses import KW_ONLY, dataclass
from enum import StrEnum
from typing import ClassVar

from functions.runtime.dynamodb import tables
from functions.runtime.dynamodb.entity import Entity
from functions.transfers.errors import TooManyImports
from functions.transfers.models import OpenTransfers, Transfer


class ImportStatus(StrEnum):
    PENDING = "PENDING"
    PROCESSING = "PROCESSING"
    COMPLETED = "COMPLETED"
    FAILED = "FAILED"


@dataclass(frozen=True, slots=True)
class OpenImports(OpenTransfers):
    listed_as: ClassVar = tables.OPEN_IMPORTS


@dataclass(frozen=True, slots=True)
class Import(Transfer):
    enums: ClassVar = {"status": ImportStatus}
    prefix: ClassVar = tables.IMPORT_PREFIX
    open_list: ClassVar = OpenImports
    too_many: ClassVar = TooManyImports

    key: str
    """The name of the file: `imports/export.zip`."""
    _: KW_ONLY
    status: ImportStatus = ImportStatus.PENDING
    items: int | None = None
    """Number of videos and mentions in the file; None until it has been validated."""
    items_done: int = 0
    channels: int = 0
    """Number of imported channels."""
    videos: int = 0
    mentions: int = 0
    skipped: tuple[str, ...] = ()
    """Why channels were skipped: the first sentences."""
    skipped_count: int = 0
    complaints: tuple[str, ...] = ()
    """Problems with the file: the first sentences."""
    complaint_count: int = 0
    remarks: tuple[str, ...] = ()
    """Content that was ignored, or read differently from the file."""
    imported: tuple[str, ...] = ()
    """The ids of the channels written by earlier attempts of this import."""


CLEARING = "clearing"
"""The fingerprint of no file."""


@dataclass(frozen=True, slots=True)
class ChannelImport(Entity):
    """Stands for a channel while what is below it is written: nobody sees the channel before all of it is there.

    A worker that finds one whose writer died removes what was written, or goes on with it.
    """

    channel_id: str
    owner: str
    """The current writer."""
    fingerprint: str
    """Fingerprint of the file: only the same file can be resumed. CLEARING while another file's remains are removed."""
    lease_until: str
    writing: tuple[str, ...] = ()
    """The videos whose mentions are being written: until the videos exist, only this refers to them."""

    def keys(self) -> dict[str, str]:
        return tables.channel_import_key(self.channel_id)
