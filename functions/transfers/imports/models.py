"""Imports: the files that people have imported, and the channels whose import is under way."""

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
    """How many videos and mentions the file holds; None until it has been validated."""
    items_done: int = 0
    channels: int = 0
    """Those that were imported."""
    videos: int = 0
    mentions: int = 0
    skipped: tuple[str, ...] = ()
    """Why channels were left as they are: the first sentences."""
    skipped_count: int = 0
    complaints: tuple[str, ...] = ()
    """What is wrong with the file: the first sentences."""
    complaint_count: int = 0
    remarks: tuple[str, ...] = ()
    """What was not read, or not as it is in the file."""
    imported: tuple[str, ...] = ()
    """The ids of the channels that earlier attempts of this import have written."""


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
