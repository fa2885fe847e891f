"""Writes an export: claims it, writes its archive part by part, and records the outcome."""

import time
from collections.abc import Sequence
from dataclasses import replace
from threading import Lock

from functions.record.files.tables import FileFormat
from functions.record.store.channels import every_channel
from functions.runtime.dispatch import WriteExport, dispatcher
from functions.runtime.errors import NoRoomLeft, StockTrackRecordError
from functions.runtime.files import Writer
from functions.runtime.observability import TASKS_DONE, TASKS_FAILED, count_work, describe, logger
from functions.runtime.pipeline.stopping import WorkStopped, raise_if_stopping
from functions.runtime.reasons import reason_for_people
from functions.runtime.storage import is_disk_full
from functions.steps import EXPORT_RETRY, is_transient
from functions.transfers import store as transfers
from functions.transfers.archive.writing import write_archive
from functions.transfers.errors import TransferTaken
from functions.transfers.exports.files import export_file_name, remove_export_file, writing_export_file
from functions.transfers.exports.models import Export, ExportStatus
from functions.transfers.pipeline.worker import MAX_ERROR_LENGTH, PROGRESS_SECONDS, claim, kept_alive, leave_for_later

KIND = "export"
"""The name under which it is counted."""


def write_export(export_id: str) -> None:
    """Messages may arrive twice, late or never, but the work is done once."""
    export = claim(Export, export_id)
    if export is None:
        return
    try:
        _work_on(export)
    except TransferTaken as taken:
        logger.warning("An export was deleted or taken over while it was written", extra=_fields(export, taken))


def _work_on(export: Export) -> None:
    if export.attempts > EXPORT_RETRY.attempts:
        _fail_for_good(
            export,
            f"It could not be finished in {EXPORT_RETRY.attempts} attempts; export fewer channels at a time.",
        )
        return
    try:
        _write(export)
    except TransferTaken:
        raise
    except WorkStopped:
        leave_for_later(export, export)
        raise
    except Exception as problem:
        _fail(export, problem)


def _write(export: Export) -> None:
    channel_ids = export.channel_ids or _all_channels()
    progress = _Progress(export, len(channel_ids))
    with writing_export_file(export.id) as file, kept_alive(export, progress.note):
        summary = write_archive(channel_ids, FileFormat(export.format), _Stoppable(file), progress.tell)
        # A worker that has lost the export must not put a file in place.
        progress.note()
    completed = replace(
        export,
        status=ExportStatus.COMPLETED,
        zip_key=export_file_name(export.id),
        size_bytes=summary.bytes,
        channels=len(channel_ids),
        channels_done=len(channel_ids),
    )
    try:
        transfers.end_transfer(export, completed)
    except TransferTaken as taken:
        if taken.is_gone:
            remove_export_file(export.id)
        raise
    count_work(TASKS_DONE, KIND)
    figures = {"bytes": summary.bytes, "rows": summary.rows, "left_out": summary.left_out}
    logger.info("Export written", extra={**_fields(export), **figures})


def _all_channels() -> Sequence[str]:
    return [channel.id for channel in every_channel() if not channel.deleting]


class _Stoppable:
    """A file whose writing can be interrupted."""

    def __init__(self, file: Writer) -> None:
        self._file = file

    def write(self, content: bytes, /) -> int:
        raise_if_stopping()
        return self._file.write(content)


class _Progress:
    """Records the progress, which is also the worker's heartbeat."""

    def __init__(self, export: Export, channels: int) -> None:
        self._export = export
        self._channels = channels
        self._done = 0
        self._noting = Lock()
        self.note()

    def tell(self, done: int, channels: int) -> None:
        raise_if_stopping()
        self._done, self._channels = done, channels
        if time.monotonic() - self._noted_at >= PROGRESS_SECONDS:
            self.note()

    def note(self) -> None:
        with self._noting:
            transfers.note_progress(self._export, channels_done=self._done, channels=self._channels)
            self._noted_at = time.monotonic()


def _fail(export: Export, problem: Exception) -> None:
    if is_disk_full(problem):
        problem = NoRoomLeft("There is no room left on the disk. Make some, or export fewer channels at a time.")
    fields = _fields(export, problem)
    is_expected = isinstance(problem, StockTrackRecordError)
    if (is_expected and not is_transient(problem)) or export.attempts >= EXPORT_RETRY.attempts:
        logger.warning("An export failed", extra=fields, exc_info=not is_expected)
        _fail_for_good(export, reason_for_people(problem)[:MAX_ERROR_LENGTH])
        return
    seconds = EXPORT_RETRY.wait_before(export.attempts)
    logger.warning("An export failed, and is tried again", extra=fields, exc_info=not is_expected)
    transfers.put_back_transfer(export, export, seconds)
    dispatcher().send(WriteExport(export.id), delay_seconds=seconds)


def _fail_for_good(export: Export, error_message: str) -> None:
    transfers.end_transfer(export, replace(export, status=ExportStatus.FAILED, error_message=error_message))
    # A worker that died after its file was in place has left it to nobody.
    remove_export_file(export.id)
    count_work(TASKS_FAILED, KIND)


def _fields(export: Export, problem: Exception | None = None) -> dict[str, object]:
    return {"attempts": export.attempts, "format": export.format, **(describe(problem) if problem else {})}
