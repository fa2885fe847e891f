"""Imports a file that a person has put into the bucket or folder, and records the outcome."""

import sqlite3
import time
from dataclasses import replace

from functions.runtime.dispatch import ImportData, dispatcher
from functions.runtime.errors import FileTooLarge, StockTrackRecordError
from functions.runtime.observability import TASKS_DONE, TASKS_FAILED, count_work, describe, logger
from functions.runtime.pipeline.stopping import WorkStopped, raise_if_stopping
from functions.runtime.reasons import reason_for_people
from functions.steps import EXPORT_RETRY, is_transient
from functions.transfers import store as transfers
from functions.transfers.errors import TransferTaken
from functions.transfers.imports.files import import_file
from functions.transfers.imports.models import Import, ImportStatus
from functions.transfers.imports.problems import FileRefused, Findings
from functions.transfers.imports.reading import read_file
from functions.transfers.imports.writing import Progress, Summary, write_contents
from functions.transfers.pipeline.worker import MAX_ERROR_LENGTH, PROGRESS_SECONDS, claim, kept_alive, leave_for_later

KIND = "import"
"""The name under which it is counted."""
WORK_SECONDS = 480.0
"""After this no further channel is started, and another message continues: a function has fifteen minutes."""
MAX_ATTEMPTS = 10
"""Workers that may die or time out in a row without finishing a channel."""
MAX_SENTENCES = 50
USE_COMMAND = "Import it with `python -m local.import_data`, which has no such limit."


def import_data(import_id: str) -> None:
    """Messages may arrive twice, late or never, but the work is done once."""
    record = claim(Import, import_id)
    if record is None:
        return
    try:
        _work_on(record)
    except TransferTaken as lost:
        logger.warning("An import was taken over", extra={"import_id": import_id, **describe(lost)})


def _work_on(record: Import) -> None:
    if record.attempts > MAX_ATTEMPTS:
        _fail(record, f"It could not be finished in {MAX_ATTEMPTS} attempts; import fewer channels at a time.")
        return
    findings = Findings()
    summary = Summary()
    try:
        with kept_alive(record, lambda: transfers.note_progress(record)), import_file(record.key) as path:
            if path is None:
                _fail(record, f"There is no file {record.key}.")
                return
            with read_file(path, findings) as contents:
                deadline = time.monotonic() + WORK_SECONDS
                write_contents(
                    contents,
                    on_progress=_Noting(record),
                    is_time_left=lambda: time.monotonic() < deadline,
                    summary=summary,
                    note=lambda channel_id, videos, mentions: [
                        transfers.imported_action(
                            record, (*record.imported, *summary.imported, channel_id), videos, mentions
                        )
                    ],
                )
            items = contents.videos + contents.mentions
    except TransferTaken:
        raise
    except WorkStopped:
        leave_for_later(record, _with_what_was_written(record, summary))
        raise
    except FileRefused as refused:
        told = replace(
            record,
            complaints=tuple(refused.complaints[:MAX_SENTENCES]),
            complaint_count=refused.number,
            remarks=tuple(findings.remarks[:MAX_SENTENCES]),
        )
        _fail(record, "The file cannot be imported; nothing was written.", told)
    except FileTooLarge as problem:
        _fail(record, f"{problem} {USE_COMMAND}")
    except sqlite3.OperationalError as problem:
        # Its rows are stored on disk while they are validated.
        logger.warning("The rows of an import did not fit", extra={"import_id": record.id, **describe(problem)})
        _fail(record, f"The file holds more than there is room for here. {USE_COMMAND}")
    except Exception as problem:
        _fail_or_retry(record, _with_what_was_written(record, summary), problem)
    else:
        _finish(record, summary, items, findings)


def _with_what_was_written(record: Import, summary: Summary) -> Import:
    """An attempt that made progress does not count."""
    imported = (*record.imported, *summary.imported)
    return replace(
        record,
        channels=len(imported),
        videos=record.videos + summary.videos,
        mentions=record.mentions + summary.mentions,
        imported=imported,
        attempts=0 if summary.imported else record.attempts,
    )


def _finish(record: Import, summary: Summary, items: int, findings: Findings) -> None:
    further = _with_what_was_written(record, summary)
    skipped = [sentence for channel_id, sentence in summary.skipped.items() if channel_id not in further.imported]
    after = replace(
        further,
        items=items,
        skipped=tuple(skipped[:MAX_SENTENCES]),
        skipped_count=len(skipped),
        remarks=tuple(findings.remarks[:MAX_SENTENCES]),
    )
    if summary.is_whole:
        ended = replace(after, status=ImportStatus.COMPLETED, items_done=items, imported=())
        transfers.end_transfer(_as_stored(record, further), ended)
        count_work(TASKS_DONE, KIND)
        return
    transfers.put_back_transfer(record, after, seconds=0)
    dispatcher().send(ImportData(record.id))


def _fail_or_retry(record: Import, after: Import, problem: Exception) -> None:
    is_expected = isinstance(problem, StockTrackRecordError)
    fields = {"import_id": record.id, "attempts": after.attempts, **describe(problem)}
    if (is_expected and not is_transient(problem)) or after.attempts >= EXPORT_RETRY.attempts:
        logger.warning("An import failed", extra=fields, exc_info=not is_expected)
        _fail(record, f"{reason_for_people(problem)[:MAX_ERROR_LENGTH]} Import the file again to go on.", after)
        return
    seconds = EXPORT_RETRY.wait_before(after.attempts)
    logger.warning("An import failed, and is tried again", extra=fields, exc_info=not is_expected)
    transfers.put_back_transfer(record, after, seconds)
    dispatcher().send(ImportData(record.id), delay_seconds=seconds)


def _fail(record: Import, error_message: str, told: Import | None = None) -> None:
    failed = replace(told or record, status=ImportStatus.FAILED, error_message=error_message, imported=())
    transfers.end_transfer(_as_stored(record, told or record), failed)
    count_work(TASKS_FAILED, KIND)


def _as_stored(record: Import, further: Import) -> Import:
    """Returns the record with the channels that were noted as they were written."""
    return replace(record, imported=further.imported)


class _Noting:
    """Records the import's progress from time to time."""

    def __init__(self, record: Import) -> None:
        self._record = record
        self._noted_at = 0.0

    def __call__(self, progress: Progress) -> None:
        raise_if_stopping()
        if time.monotonic() - self._noted_at >= PROGRESS_SECONDS:
            transfers.note_progress(self._record, items_done=progress.done, items=progress.total)
            self._noted_at = time.monotonic()
