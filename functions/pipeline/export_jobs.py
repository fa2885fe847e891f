"""Writes an export: claims it, has its archive written part by part, and writes what became of it."""

import errno
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from threading import Event, Lock, Thread
from uuid import uuid4

from functions.core.errors import ExportTaken, NoRoomLeft, StockTrackRecordError
from functions.core.exports import Export
from functions.core.observability import TASKS_DONE, TASKS_FAILED, count_work, describe, logger
from functions.dispatch import WriteExport, dispatcher
from functions.logic.archive.format import FileFormat
from functions.logic.archive.writing import write_archive
from functions.logic.failures import reason_for_people
from functions.steps import EXPORT_RETRY, is_transient
from functions.store import exports
from functions.store.channels import every_channel
from functions.store.export_files import export_file_name, remove_export_file, writing_export_file

KIND = "export"
"""Under which it is counted."""
PROGRESS_SECONDS = 3.0
"""How often progress is written at the most."""
LOOKS, LOOK_SECONDS = 3, 1.0
"""How often a worker looks for an export that the index does not have yet, and how long it waits in between."""
MAX_ERROR_LENGTH = 500
NO_ROOM = (errno.ENOSPC, errno.EDQUOT)


def write_export(export_id: str) -> None:
    """Messages may come twice, late, or not at all: what they ask for is done once."""
    found = _find(export_id)
    export = exports.claim_export(found, claimed_by=uuid4().hex) if found else None
    if export is None:
        return
    try:
        _work_on(export)
    except ExportTaken as taken:
        logger.warning("An export was deleted or taken over while it was written", extra=_fields(export, taken))


def _find(export_id: str) -> Export | None:
    """None once it was deleted. If the index is later still, the clock sends another message."""
    for look in range(LOOKS):
        if found := exports.export_by_id(export_id):
            return found
        if look < LOOKS - 1:
            time.sleep(LOOK_SECONDS)
    return None


def _work_on(export: Export) -> None:
    if export.attempts > EXPORT_RETRY.attempts:
        _fail_for_good(
            export,
            f"It could not be finished in {EXPORT_RETRY.attempts} attempts; export fewer channels at a time.",
        )
        return
    try:
        _write(export)
    except ExportTaken:
        raise
    except Exception as problem:
        _fail(export, problem)


def _write(export: Export) -> None:
    channel_ids = export.channel_ids or _all_channels()
    progress = _Progress(export, len(channel_ids))
    with writing_export_file(export.id) as file, progress.kept_alive():
        summary = write_archive(channel_ids, FileFormat(export.format), file, progress.tell)
        # Whoever has lost the export must not put a file in place.
        progress.note()
    try:
        exports.complete_export(export, export_file_name(export.id), summary.bytes, len(channel_ids))
    except ExportTaken as taken:
        if taken.is_gone:
            remove_export_file(export.id)
        raise
    count_work(TASKS_DONE, KIND)
    figures = {"bytes": summary.bytes, "rows": summary.rows, "left_out": summary.left_out}
    logger.info("Export written", extra={**_fields(export), **figures})


def _all_channels() -> Sequence[str]:
    return [channel.id for channel in every_channel() if not channel.deleting]


class _Progress:
    """Tells how far the writing is, which is also the heartbeat of its worker."""

    def __init__(self, export: Export, channels: int) -> None:
        self._export = export
        self._channels = channels
        self._done = 0
        self._noting = Lock()
        self.note()

    def tell(self, done: int, channels: int) -> None:
        self._done, self._channels = done, channels
        if time.monotonic() - self._noted_at >= PROGRESS_SECONDS:
            self.note()

    def note(self) -> None:
        with self._noting:
            exports.note_progress(self._export, self._done, self._channels)
            self._noted_at = time.monotonic()

    @contextmanager
    def kept_alive(self) -> Iterator[None]:
        """Renews the lease, also while a single channel takes long."""
        ended = Event()
        thread = Thread(target=self._keep_alive, args=(ended,), name="export lease", daemon=True)
        thread.start()
        try:
            yield
        finally:
            ended.set()

    def _keep_alive(self, ended: Event) -> None:
        while not ended.wait(exports.LEASE_SECONDS / 4):
            try:
                self.note()
            except ExportTaken:
                # The writer itself notices when it tells of the next channel.
                return
            except Exception as problem:
                logger.warning("A lease was not renewed, and will be tried again", extra=_fields(self._export, problem))


def _fail(export: Export, problem: Exception) -> None:
    if isinstance(problem, OSError) and problem.errno in NO_ROOM:
        problem = NoRoomLeft("There is no room left on the disk. Make some, or export fewer channels at a time.")
    fields = _fields(export, problem)
    is_expected = isinstance(problem, StockTrackRecordError)
    if (is_expected and not is_transient(problem)) or export.attempts >= EXPORT_RETRY.attempts:
        logger.warning("An export failed", extra=fields, exc_info=not is_expected)
        _fail_for_good(export, reason_for_people(problem)[:MAX_ERROR_LENGTH])
        return
    seconds = EXPORT_RETRY.wait_before(export.attempts)
    logger.warning("An export failed, and is tried again", extra=fields, exc_info=not is_expected)
    exports.retry_export(export, seconds)
    dispatcher().send(WriteExport(export.id), delay_seconds=seconds)


def _fail_for_good(export: Export, error_message: str) -> None:
    exports.fail_export(export, error_message)
    count_work(TASKS_FAILED, KIND)


def _fields(export: Export, problem: Exception | None = None) -> dict[str, object]:
    return {"attempts": export.attempts, "format": export.format, **(describe(problem) if problem else {})}
