"""An import that is begun by a request is done by one worker at a time, to its end, and tells what became of it."""

import shutil
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from functions.plans.pipeline import send_due_tasks
from functions.record.models.records import Channel
from functions.record.store.channels import delete_channel, every_channel
from functions.record.store.videos import videos_of_channel
from functions.runtime.caller import Caller
from functions.runtime.dispatch import ImportData, job_from_message, job_to_message
from functions.runtime.dynamodb.attributes import encode
from functions.runtime.dynamodb.connection import dynamodb, main_table
from functions.runtime.errors import NotAccepted
from functions.transfers import store as transfers
from functions.transfers.errors import ImportNotFound, TooManyImports, TransferTaken
from functions.transfers.imports import files as import_files
from functions.transfers.imports import store as imports
from functions.transfers.imports.models import Import, ImportStatus
from functions.transfers.imports.requests import begin_import, get_import
from functions.transfers.pipeline import import_jobs
from functions.transfers.pipeline import worker as workers
from functions.transfers.pipeline.import_jobs import import_data
from functions.transfers.transfers import resume_transfers, send_lost_transfers
from operations import check
from tests.crashes import WRITES, Crash, crash_at_write
from tests.events import call
from tests.fakes import RecordingDispatcher
from tests.old_application import OLD_TABLES, dump_of

KEY = "imports/old.sql"


@pytest.fixture
def dispatched(tables: str, monkeypatch: pytest.MonkeyPatch) -> RecordingDispatcher:
    return RecordingDispatcher().install(monkeypatch)


@pytest.fixture(autouse=True)
def folder(exports_folder: Path, dispatched: RecordingDispatcher, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setattr(imports, "LEASE_SECONDS", -1)
    monkeypatch.setattr(transfers, "LEASE_SECONDS", 0)
    monkeypatch.setattr(workers, "LOOK_SECONDS", 0)
    monkeypatch.setattr(workers, "_keep_alive", lambda *_: None)
    (exports_folder / "imports").mkdir(parents=True)
    (exports_folder / KEY).write_text(dump_of())
    yield exports_folder


def begun() -> Import:
    return begin_import(Caller("local"), KEY)


def after(record: Import) -> Import:
    return get_import("local", record.id)


def problems() -> list[str]:
    return list(check.problems(check.read_everything()))


def test_a_file_is_imported_and_the_record_says_so(dispatched: RecordingDispatcher) -> None:
    record = begun()
    message = job_from_message(job_to_message(dispatched.jobs[0]))

    import_data(record.id)

    done = after(record)
    assert message == ImportData(record.id)
    assert done.status is ImportStatus.COMPLETED
    assert (done.channels, done.videos, done.mentions, done.items, done.items_done) == (2, 4, 3, 7, 7)
    assert "old.sql: not read: url" in done.remarks
    assert (done.claimed_by, done.lease_until, done.error_message) == (None, None, None)
    assert list(transfers.open_transfers(Import)) == []
    assert problems() == []


def test_three_imports_of_a_person_may_be_under_way(dispatched: RecordingDispatcher) -> None:
    first, *_ = [begun() for _ in range(3)]
    dispatched.jobs.clear()
    with pytest.raises(TooManyImports):
        begun()
    refused = call("POST", "/api/imports", json_body={"key": KEY})
    others = begin_import(Caller("somebody else"), KEY)

    import_data(first.id)

    assert (refused.status, refused.json()) == (
        409,
        {"detail": "3 of your imports are under way; wait for one to end and try again"},
    )
    assert [job for job in dispatched.jobs if isinstance(job, ImportData)] == [ImportData(others.id)]
    assert call("POST", "/api/imports", json_body={"key": KEY}).status == 202
    assert len(transfers.open_transfers_of_user(Import, "local")) == 3
    assert problems() == []


def test_imports_that_expired_while_they_were_open_do_not_stand_in_the_way() -> None:
    for record in [begun() for _ in range(3)]:
        dynamodb().delete_item(TableName=main_table(), Key=encode(record.primary_key))

    assert begun().is_open


def test_a_request_begins_one_import_however_often_and_late_it_is_repeated(dispatched: RecordingDispatcher) -> None:
    first = begin_import(Caller("local"), KEY, request="the same")
    while_open = begin_import(Caller("local"), KEY, request="the same")
    import_data(first.id)
    ended = begin_import(Caller("local"), KEY, request="the same")
    other = begin_import(Caller("local"), KEY, request="another")

    assert while_open == first
    assert (ended.id, ended.status) == (first.id, ImportStatus.COMPLETED)
    assert other.id != first.id
    sent = [job.import_id for job in dispatched.jobs if isinstance(job, ImportData)]
    assert sent == [first.id, other.id]


def test_of_requests_at_once_one_begins_an_import(
    concurrent_tables: str, in_threads: Callable[[int, Callable[[int], object]], list[object]]
) -> None:
    begun_ids = in_threads(6, lambda _: begin_import(Caller("local"), KEY, request="the same").id)

    assert len(set(begun_ids)) == 1
    assert len(transfers.open_transfers_of_user(Import, "local")) == 1


def test_a_second_message_and_a_second_import_change_nothing(dispatched: RecordingDispatcher) -> None:
    record = begun()
    import_data(record.id)
    first = after(record)
    import_data(record.id)
    again = begun()
    import_data(again.id)

    assert after(record) == first
    assert (after(again).status, after(again).channels, after(again).skipped_count) == (ImportStatus.COMPLETED, 0, 2)


def test_a_file_that_is_wrong_missing_or_too_large_fails_with_the_reason(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = {**OLD_TABLES, "videos": [{**OLD_TABLES["videos"][0], "channel_id": 9}, *OLD_TABLES["videos"][1:]]}
    (folder / KEY).write_text(dump_of(wrong))
    refused, missing, large = begun(), begin_import(Caller("local"), "imports/other.zip"), begun()
    import_data(refused.id)
    import_data(missing.id)
    monkeypatch.setattr(import_files, "MAX_BYTES", 10)
    import_data(large.id)

    assert after(refused).status is ImportStatus.FAILED
    assert after(refused).complaint_count == 1
    assert "there is no channel with the id" in after(refused).complaints[0]
    assert after(missing).error_message == "There is no file imports/other.zip."
    assert "and 10 at most are read" in (after(large).error_message or "")
    assert list(every_channel()) == []


def test_an_import_without_time_left_goes_on_with_another_message(
    dispatched: RecordingDispatcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(import_jobs, "WORK_SECONDS", -1)
    record = begun()
    import_data(record.id)
    waiting = after(record)
    monkeypatch.setattr(import_jobs, "WORK_SECONDS", 100)
    import_data(record.id)

    assert waiting.status is ImportStatus.PENDING
    assert dispatched.jobs.count(ImportData(record.id)) == 2
    assert (after(record).status, after(record).channels) == (ImportStatus.COMPLETED, 2)


def test_a_worker_that_dies_at_any_write_is_followed_by_another(dispatched: RecordingDispatcher, folder: Path) -> None:
    number = 0
    while True:
        number += 3
        record = begun()
        try:
            with crash_at_write(number, "before-call", (*WRITES, "BatchWriteItem")):
                import_data(record.id)
        except Crash:
            resume_transfers(Import)
            import_data(record.id)
        else:
            break
        assert after(record).status is ImportStatus.COMPLETED
        assert problems() == []
        for channel in list(every_channel()):
            delete_channel(channel.id)
    assert number > 10


def test_a_lost_message_is_sent_again_by_the_clock(
    dispatched: RecordingDispatcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    dispatched.problem = RuntimeError("no connection")
    record = begun()
    dispatched.problem = None
    early, _ = send_lost_transfers(Import)
    monkeypatch.setattr("functions.transfers.transfers.PATIENCE_SECONDS", -1)

    sent = send_due_tasks.handler({}, None)

    assert early == []
    assert sent["imports"] == [record.id]
    assert dispatched.jobs == [ImportData(record.id)]


def test_an_error_is_tried_again_and_then_told(
    dispatched: RecordingDispatcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise RuntimeError("broken")

    monkeypatch.setattr(import_jobs, "write_contents", fail)
    record = begun()
    for _ in range(3):
        import_data(record.id)

    assert after(record).status is ImportStatus.FAILED
    assert (after(record).error_message or "").endswith("Import the file again to go on.")
    assert dispatched.jobs.count(ImportData(record.id)) == 3


def test_somebody_elses_import_and_other_names_are_refused(folder: Path) -> None:
    record = begun()
    shutil.copy(folder / KEY, folder / "secret.sql")

    with pytest.raises(ImportNotFound):
        get_import("somebody", record.id)
    for key in ("secret.sql", "imports/../secret.sql", "imports//x.sql", "imports/.sql", "imports/x.csv"):
        with pytest.raises(NotAccepted):
            begin_import(Caller("local"), key)
        with pytest.raises(ValueError, match="is not the name of a file"), import_files.import_file(key):
            pass


def test_a_disk_that_is_full_is_told(dispatched: RecordingDispatcher, monkeypatch: pytest.MonkeyPatch) -> None:
    def fill(*_: Any, **__: Any) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr(import_jobs, "read_file", fill)
    record = begun()

    import_data(record.id)

    assert after(record).status is ImportStatus.FAILED
    assert (after(record).error_message or "").startswith("The file holds more than there is room for here.")


def test_of_two_workers_the_one_that_lost_its_place_ends_nothing(dispatched: RecordingDispatcher) -> None:
    record = begun()
    first = transfers.claim_transfer(record, "first")
    second = transfers.claim_transfer(record, "second")
    assert first
    assert second

    with pytest.raises(TransferTaken):
        transfers.end_transfer(first, replace(first, status=ImportStatus.COMPLETED))
    transfers.end_transfer(second, replace(second, status=ImportStatus.COMPLETED))

    assert after(record).status is ImportStatus.COMPLETED


def test_a_resumed_import_counts_the_channels_that_it_wrote_as_imported(
    dispatched: RecordingDispatcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    finished: list[str] = []
    finish = imports.finish_import

    def die_after_the_first(channel: Channel, *rest: Any) -> None:
        finish(channel, *rest)
        finished.append(channel.id)
        if len(finished) == 1:
            raise Crash

    monkeypatch.setattr(imports, "finish_import", die_after_the_first)
    record = begun()
    with pytest.raises(Crash):
        import_data(record.id)
    resume_transfers(Import)
    import_data(record.id)

    ended = after(record)
    assert len(finished) == 2
    assert (ended.status, ended.channels, ended.skipped_count, ended.skipped) == (ImportStatus.COMPLETED, 2, 0, ())
    written = [video for channel in every_channel() for video in videos_of_channel(channel.id)]
    assert (ended.videos, ended.mentions) == (len(written), sum(len(video.calls) for video in written))
