"""Exports: archives of the record that people request, each stored for a month."""

from dataclasses import KW_ONLY, dataclass
from enum import StrEnum
from typing import ClassVar

from functions.runtime.dynamodb import tables
from functions.transfers.errors import TooManyExports
from functions.transfers.models import OpenTransfers, Transfer

MAX_CHANNELS = 100
"""Maximum channels named in one export; without names it covers all."""


class ExportStatus(StrEnum):
    PENDING = "PENDING"
    PROCESSING = "PROCESSING"
    COMPLETED = "COMPLETED"
    FAILED = "FAILED"


@dataclass(frozen=True, slots=True)
class OpenExports(OpenTransfers):
    listed_as: ClassVar = tables.OPEN_EXPORTS


@dataclass(frozen=True, slots=True)
class Export(Transfer):
    enums: ClassVar = {"status": ExportStatus}
    prefix: ClassVar = tables.EXPORT_PREFIX
    open_list: ClassVar = OpenExports
    too_many: ClassVar = TooManyExports

    format: str
    """`csv` or `jsonl`."""
    _: KW_ONLY
    status: ExportStatus = ExportStatus.PENDING
    channel_ids: tuple[str, ...] = ()
    """Empty for all channels."""
    channels: int | None = None
    """Number of channels to write; None until a worker has counted them."""
    channels_done: int = 0
    zip_key: str | None = None
    """The file name, once the file is complete."""
    size_bytes: int | None = None


def saved_as(created_at: str, file_format: str) -> str:
    """The name under which a browser saves the file."""
    return f"stock-track-record-{created_at[:10]}-{file_format}.zip"
