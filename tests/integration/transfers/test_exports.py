"""Writing an export: once, whole or not at all, whatever dies and whatever else works on it."""

import errno
import io
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from functions.plans import plans
from functions.plans import store as store_plans
from functions.plans.models import PlanStatus, TaskKind
from functions.plans.pipeline import send_due_tasks
from functions.plans.plans import PlanInFull
from functions.plans.validation import NewTask
from functions.record.models.records import Channel
from functions.record.store.channels import delete_channel
from functions.runtime import dispatch, ids
from functions.runtime.caller import Caller
from functions.runtime.clock import seconds_from_now
from functions.runtime.dispatch import (
    AwsDispatcher,
    Job,
    RunTask,
    ScoreChannel,
    WriteExport,
    job_from_message,
    job_to_message,
)
from functions.runtime.dynamodb import tables
from functions.runtime.dynamodb.attributes import encode
from functions.runtime.dynamodb.connection import dynamodb, main_table
from functions.runtime.errors import BatchIncomplete
from functions.runtime.settings import settings
from functions.service.jobs import do_job
from functions.steps import EXPORT_RETRY, WRITE_EXPORTS
from functions.transfers import store as store
from functions.transfers.archive.writing import ArchiveSummary, write_archive
from functions.transfers.errors import ExportNotFound, TooManyExports, TransferTaken
from functions.transfers.exports import requests as logic
from functions.transfers.exports.files import remove_export_file
from functions.transfers.exports.models import Export, ExportStatus
from functions.transfers.models import KEPT_SECONDS, MAX_OPEN
from functions.transfers.pipeline import export_jobs, write_exports
from functions.transfers.pipeline import worker as workers
from functions.transfers.pipeline.export_jobs import write_export
from functions.transfers.transfers import resume_transfers, send_lost_transfers
from local import old_exports
from local.entities import put_entities
from local.old_exports import remove_old_exports, remove_unfinished_exports
from operations.check import problems, read_everything
from tests.crashes import Crash, crash_at_write
from tests.fakes import RecordingDispatcher, eventually, everything
from tests.seeds import a_finished_channel

pytestmark = pytest.mark.usefixtures("tables")


@pytest.fixture(autouse=True)
def dispatched(monkeypatch: pytest.MonkeyPatch) -> RecordingDispatcher:
    return RecordingDispatcher().install(monkeypatch)


@pytest.fixture(autouse=True)
def folder(exports_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    # An index of ours is never late.
    monkeypatch.setattr(workers, "LOOKS", 1)
    return exports_folder


@pytest.fixture
def channel() -> Channel:
    return a_finished_channel([("2024-03-01", ("AAPL", "MSFT")), ("2024-03-02", ("AAPL",))])


def begin(*channels: Channel) -> Export:
    return logic.begin_export("somebody", [channel.id for channel in channels], "csv")


def stored(export: Export) -> Export:
    found = store.transfer_of_user(Export, export.user_id, export.id)
    assert found
    return found


def files_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.rglob("*"))


def end_leases() -> None:
    """As if the time of every worker that died were over."""
    for export in list(store.open_transfers(Export)):
        put_entities([replace(export, lease_until=seconds_from_now(-1), sent_at=seconds_from_now(-3600))])


@contextmanager
def meanwhile(monkeypatch: pytest.MonkeyPatch, do: Callable[[], object]) -> Iterator[list[int]]:
    """Does something each time an archive has been written, before its file is whole."""
    times: list[int] = []

    def write(*arguments: Any) -> object:
        summary = write_archive(*arguments)
        times.append(len(times))
        do()
        return summary

    with monkeypatch.context() as patched:
        patched.setattr(export_jobs, "write_archive", write)
        yield times


def at_request(operation: str, do: Callable[[], object]) -> Callable[[], None]:
    """Does something before the next request of a kind; what is returned ends that."""
    events = dynamodb().meta.events
    numbers = count()

    def first(**_: Any) -> None:
        if next(numbers) == 0:
            do()

    events.register(f"before-call.dynamodb.{operation}", first)
    return lambda: events.unregister(f"before-call.dynamodb.{operation}", first)


def test_an_export_is_written_whole_and_its_progress_told(channel: Channel, folder: Path) -> None:
    export = begin(channel)

    write_export(export.id)

    ended = stored(export)
    assert (ended.status, ended.channels, ended.channels_done) == (ExportStatus.COMPLETED, 1, 1)
    assert files_in(folder) == [f"{export.id}.zip"] == [ended.zip_key]
    content = (folder / f"{export.id}.zip").read_bytes()
    assert len(content) == ended.size_bytes
    assert zipfile.ZipFile(io.BytesIO(content)).testzip() is None
    assert list(store.open_transfers(Export)) == store.open_transfers_of_user(Export, "somebody") == []
    assert list(problems(read_everything())) == []


def test_without_channels_all_are_exported(channel: Channel) -> None:
    a_finished_channel([("2024-03-01", ("KO",))])
    export = begin()

    write_export(export.id)

    assert stored(export).channels == 2


def test_a_worker_that_is_killed_at_any_write_leaves_an_export_that_another_finishes(
    channel: Channel, folder: Path, dispatched: RecordingDispatcher
) -> None:
    survived = 0
    for event in ("before-call", "after-call"):
        for number in count(1):
            export = begin(channel)
            with crash_at_write(number, event):
                try:
                    write_export(export.id)
                except Crash:
                    pass
                else:
                    survived += 1
                    break
            end_leases()
            dispatched.jobs.clear()

            send_lost_transfers(Export)
            for job in dispatched.jobs:
                assert isinstance(job, WriteExport)
                write_export(job.export_id)

            assert stored(export).status is ExportStatus.COMPLETED, (event, number)
            assert files_in(folder) == [f"{export.id}.zip"]
            logic.delete_export("somebody", export.id)
            assert files_in(folder) == []
        assert number > 3
        logic.delete_export("somebody", export.id)
    assert survived == 2
    assert store.open_transfers_of_user(Export, "somebody") == []
    assert list(problems(read_everything())) == []


def test_creating_an_export_that_is_killed_at_any_write_leaves_it_or_nothing(channel: Channel) -> None:
    for event in ("before-call", "after-call"):
        before = everything()
        with crash_at_write(1, event), pytest.raises(Crash):
            begin(channel)
        left = store.open_transfers_of_user(Export, "somebody")

        assert len(left) == (event == "after-call")
        assert (everything() == before) == (event == "before-call")


def test_a_delete_that_is_killed_at_any_write_can_be_repeated(channel: Channel, folder: Path) -> None:
    for event in ("before-call", "after-call"):
        export = begin(channel)
        write_export(export.id)
        with crash_at_write(1, event), pytest.raises(Crash):
            logic.delete_export("somebody", export.id)
        assert files_in(folder) == []

        if event == "before-call":
            logic.delete_export("somebody", export.id)

        with pytest.raises(ExportNotFound):
            logic.delete_export("somebody", export.id)


def test_of_many_workers_at_once_one_writes(
    concurrent_tables: str,
    channel: Channel,
    monkeypatch: pytest.MonkeyPatch,
    in_threads: Callable[[int, Callable[[int], object]], list[object]],
) -> None:
    export = begin(channel)

    with meanwhile(monkeypatch, lambda: None) as written:
        in_threads(8, lambda _: write_export(export.id))

    assert len(written) == 1
    assert (stored(export).status, stored(export).attempts) == (ExportStatus.COMPLETED, 1)


def test_a_message_that_comes_again_changes_nothing(channel: Channel, folder: Path) -> None:
    export = begin(channel)
    message = {"messageId": "1", "body": job_to_message(WriteExport(export.id))}
    event = {"Records": [{**message, "attributes": {"ApproximateReceiveCount": "1"}}]}
    assert write_exports.handler(event, None) == {"batchItemFailures": []}
    before = everything(), (folder / f"{export.id}.zip").read_bytes()

    assert write_exports.handler(event, None) == {"batchItemFailures": []}

    assert (everything(), (folder / f"{export.id}.zip").read_bytes()) == before


def test_what_is_deleted_while_it_is_written_leaves_nothing(
    channel: Channel, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = everything().keys()
    export = begin(channel)
    with meanwhile(monkeypatch, lambda: logic.delete_export("somebody", export.id)):
        write_export(export.id)
    first = files_in(folder), store.transfer_by_id(Export, export.id)

    export = begin(channel)
    # After the file is in place and before that is stored.
    end = at_request("TransactWriteItems", lambda: logic.delete_export("somebody", export.id))
    write_export(export.id)
    end()

    assert first == (files_in(folder), store.transfer_by_id(Export, export.id)) == ([], None)
    assert everything().keys() - before == {f"USER#somebody/{tables.OPEN_EXPORTS}"}
    assert store.open_transfers_of_user(Export, "somebody") == []


def test_a_delete_that_meets_the_end_of_the_writing_removes_the_file_too(channel: Channel, folder: Path) -> None:
    export = begin(channel)
    end = at_request("TransactWriteItems", lambda: write_export(export.id))

    logic.delete_export("somebody", export.id)
    end()

    assert files_in(folder) == []
    assert store.transfer_by_id(Export, export.id) is None


def test_a_worker_that_was_taken_over_puts_no_file_in_place(
    channel: Channel, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    export = begin(channel)

    def take_over() -> None:
        put_entities([replace(stored(export), claimed_by="another")])

    with meanwhile(monkeypatch, take_over):
        write_export(export.id)

    assert (stored(export).status, stored(export).claimed_by) == (ExportStatus.PROCESSING, "another")
    assert files_in(folder) == []


def test_a_worker_that_was_slow_leaves_the_file_of_the_one_that_took_over(
    channel: Channel, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    export = begin(channel)

    def finish_elsewhere() -> None:
        end_leases()
        write_export(export.id)

    end = at_request("TransactWriteItems", finish_elsewhere)
    write_export(export.id)
    end()

    assert (stored(export).status, stored(export).attempts) == (ExportStatus.COMPLETED, 2)
    assert files_in(folder) == [f"{export.id}.zip"]


def test_a_channel_that_is_deleted_meanwhile_is_left_out(channel: Channel, folder: Path) -> None:
    other = a_finished_channel([("2024-03-01", ("KO",))])
    export = begin(channel, other)
    delete_channel(channel.id)

    write_export(export.id)

    assert stored(export).status is ExportStatus.COMPLETED
    archive = zipfile.ZipFile(folder / f"{export.id}.zip")
    rows = archive.read("channels.csv").decode()
    assert other.id in rows
    assert channel.id not in rows


def test_a_full_disk_fails_the_export_with_a_sentence_and_leaves_no_file(
    channel: Channel, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    export = begin(channel)

    def fill_up() -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with meanwhile(monkeypatch, fill_up):
        write_export(export.id)

    assert (stored(export).status, stored(export).error_message) == (
        ExportStatus.FAILED,
        "There is no room left on the disk. Make some, or export fewer channels at a time.",
    )
    assert files_in(folder) == []
    assert store.open_transfers_of_user(Export, "somebody") == []


def test_a_failure_is_tried_again_and_in_the_end_told(
    channel: Channel, folder: Path, monkeypatch: pytest.MonkeyPatch, dispatched: RecordingDispatcher
) -> None:
    export = begin(channel)

    def fail() -> None:
        raise BatchIncomplete(["some"], tries=5)

    with meanwhile(monkeypatch, fail) as attempts:
        while dispatched.jobs:
            assert stored(export).status is ExportStatus.PENDING
            assert dispatched.jobs.pop() == WriteExport(export.id)
            write_export(export.id)
            assert files_in(folder) == []

    assert len(attempts) == EXPORT_RETRY.attempts
    assert stored(export).status is ExportStatus.FAILED
    assert "some" in (stored(export).error_message or "")


def test_an_export_whose_workers_keep_dying_fails(channel: Channel) -> None:
    export = begin(channel)
    for number in range(EXPORT_RETRY.attempts):
        claimed = store.claim_transfer(stored(export), f"worker {number}")
        assert claimed
        end_leases()

    write_export(export.id)

    assert stored(export).status is ExportStatus.FAILED
    assert stored(export).error_message == "It could not be finished in 3 attempts; export fewer channels at a time."


def test_an_export_that_fails_leaves_no_file_of_the_workers_that_died(
    channel: Channel, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    export = begin(channel)
    for _ in range(EXPORT_RETRY.attempts):
        # The file is in place, and its worker dies before that is stored.
        with crash_at_write(1, "before-call", ["TransactWriteItems"]), pytest.raises(Crash):
            write_export(export.id)
        assert files_in(folder) == [f"{export.id}.zip"]
        end_leases()

    write_export(export.id)

    assert stored(export).status is ExportStatus.FAILED
    assert files_in(folder) == []


def test_a_file_whose_worker_and_whose_deleter_both_died_is_swept(
    channel: Channel, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder.mkdir()
    export = begin(channel)

    # Between the two removals of the deleter, a worker puts its file in place and dies, and so does the deleter.
    end = at_request("TransactWriteItems", lambda: (folder / f"{export.id}.zip").write_bytes(b"PK"))
    removals = count()

    def die_at_the_second(export_id: str) -> None:
        if next(removals) == 1:
            raise Crash
        remove_export_file(export_id)

    monkeypatch.setattr("functions.transfers.exports.requests.remove_export_file", die_at_the_second)
    with pytest.raises(Crash):
        logic.delete_export("somebody", export.id)
    end()
    orphans = files_in(folder), store.transfer_by_id(Export, export.id)
    for name in ("abc", "def"):
        (folder / f"{export.id}.zip.{name}.part").write_bytes(b"PK")

    monkeypatch.setattr(old_exports, "NEW_SECONDS", -1)
    swept = remove_old_exports()
    remove_unfinished_exports()

    assert orphans == ([f"{export.id}.zip"], None)
    assert swept == [f"{export.id}.zip"]
    assert files_in(folder) == []


def test_a_worker_asks_for_no_more_than_its_row_grants(channel: Channel, requests_sent: list[dict[str, Any]]) -> None:
    """Grants on the indexes: grants of actions are proven on the emulator, where the whole worker runs with them."""
    export = begin()
    requests_sent.clear()

    write_export(export.id)

    asked = {request["IndexName"] for request in requests_sent if "IndexName" in request}
    assert asked == {grant.index.name for grant in WRITE_EXPORTS.grants if grant.index}


def test_the_clock_sends_what_was_lost_and_nothing_else(channel: Channel, dispatched: RecordingDispatcher) -> None:
    lost, dead, alive = (begin(channel) for _ in range(3))
    for export in (dead, alive):
        assert store.claim_transfer(export, "worker")
    dispatched.jobs.clear()
    assert send_due_tasks.handler({}, None)["exports"] == [], "their messages may still arrive"
    for export, lease in ((lost, None), (dead, -1), (alive, 60)):
        until = None if lease is None else seconds_from_now(lease)
        put_entities([replace(stored(export), sent_at=seconds_from_now(-3600), lease_until=until)])

    put_entities([replace(stored(alive), created_at=seconds_from_now(-7200))])
    late = send_lost_transfers(Export)[1]
    for export in (lost, dead):
        put_entities([replace(stored(export), sent_at=seconds_from_now(-3600))])
    sent = [send_due_tasks.handler({}, None)["exports"] for _ in range(2)]

    assert late == 1
    assert sorted(sent[0]) == sorted([lost.id, dead.id])
    assert sent[1] == [], "their messages are on their way"
    assert {job.export_id for job in dispatched.jobs if isinstance(job, WriteExport)} == {lost.id, dead.id}


def test_a_start_has_everything_written_that_was_open(channel: Channel, dispatched: RecordingDispatcher) -> None:
    """Also what no worker had begun, and what waited for another attempt."""
    killed, waiting, failed_once = begin(channel), begin(channel), begin(channel)
    assert store.claim_transfer(killed, "a worker that was killed with its machine")
    claimed = store.claim_transfer(failed_once, "a worker that failed")
    assert claimed
    store.put_back_transfer(claimed, claimed, 60)
    dispatched.jobs.clear()

    resume_transfers(Export)
    for job in dispatched.jobs:
        assert isinstance(job, WriteExport)
        write_export(job.export_id)

    assert {stored(export).status for export in (killed, waiting, failed_once)} == {ExportStatus.COMPLETED}


def test_a_repeated_request_finds_its_export_though_the_channel_is_gone(channel: Channel) -> None:
    first = logic.begin_export("somebody", [channel.id], "csv", request="the same")
    delete_channel(channel.id)

    again = logic.begin_export("somebody", [channel.id], "csv", request="the same")

    assert again.id == first.id


def test_an_export_of_a_plan_is_one_of_the_open_ones_and_begins_beyond_the_limit(channel: Channel) -> None:
    opened = [begin(channel) for _ in range(MAX_OPEN - 1)]
    of_plan = [logic.new_export(ids.new_export_id(), "somebody", (), "csv") for _ in range(2)]

    for export in of_plan:
        store.add_transfer(export, most_open=None)

    with pytest.raises(TooManyExports):
        begin(channel)
    listed = {export.id for export in store.open_transfers_of_user(Export, "somebody")}
    assert listed == {each.id for each in opened + of_plan}


def test_progress_is_written_every_few_seconds_at_the_most(channel: Channel, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = count(0, 1)
    monkeypatch.setattr("functions.transfers.pipeline.export_jobs.time.monotonic", lambda: next(clock))
    noted: list[tuple[int, int]] = []
    real = store.note_progress

    def note(export: Export, *, channels_done: int, channels: int) -> None:
        noted.append((channels_done, channels))
        real(export, channels_done=channels_done, channels=channels)

    monkeypatch.setattr(store, "note_progress", note)
    told = 90

    def write(_: object, __: object, ___: object, on_progress: Callable[[int, int], None]) -> ArchiveSummary:
        for done in range(told):
            on_progress(done + 1, told)
        return ArchiveSummary({}, 0, told, ())

    monkeypatch.setattr(export_jobs, "write_archive", write)
    export = begin(channel)

    write_export(export.id)

    assert told / 4 < len(noted) < told
    assert noted[0] == (0, 1)
    assert noted[-1] == (told, told)
    assert noted == sorted(noted)


def test_the_lease_is_renewed_while_a_single_channel_takes_long(
    channel: Channel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "LEASE_SECONDS", 0.4)
    export = begin(channel)

    def take_long() -> None:
        before = stored(export).lease_until
        assert before
        eventually(lambda: (stored(export).lease_until or "") > before)

    with meanwhile(monkeypatch, take_long) as written:
        write_export(export.id)

    assert len(written) == 1
    assert stored(export).status is ExportStatus.COMPLETED


def test_on_aws_an_export_goes_to_the_queue_of_exports_and_a_job_to_that_of_jobs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sent: list[tuple[str, str]] = []

    class Queues:
        def send_message(self, QueueUrl: str, MessageBody: str, **_: Any) -> None:
            sent.append((QueueUrl, MessageBody))

    monkeypatch.setattr(dispatch, "_client", lambda _: Queues())
    for name in ("JOBS", "EXPORTS"):
        monkeypatch.setenv(f"{name}_QUEUE_URL", f"https://queue/{name}")
    settings.cache_clear()
    jobs: list[Job] = [WriteExport("an id"), ScoreChannel("a channel")]

    for job in jobs:
        AwsDispatcher().send(job)

    assert [url for url, _ in sent] == ["https://queue/EXPORTS", "https://queue/JOBS"]
    assert [job_from_message(message) for _, message in sent] == jobs


def test_an_export_that_is_gone_is_not_made_by_a_late_worker(channel: Channel) -> None:
    """Every write of a worker requires that the export is there."""
    export = store.claim_transfer(begin(channel), "worker")
    assert export
    dynamodb().delete_item(TableName=main_table(), Key=encode(export.primary_key))
    before = everything().keys()

    write_export(export.id)
    assert store.claim_transfer(export, "another") is None
    assert not store.mark_transfer_sent(export, seconds_from_now(0))
    store.free_transfer(export)
    writes: list[Callable[[], None]] = [
        lambda: store.note_progress(export, channels_done=1),
        lambda: store.put_back_transfer(export, export, 1),
        lambda: store.end_transfer(export, replace(export, status=ExportStatus.COMPLETED)),
    ]
    for write in writes:
        with pytest.raises(TransferTaken) as taken:
            write()
        assert taken.value.is_gone

    assert everything().keys() == before


def test_old_files_are_swept_and_no_others(channel: Channel, folder: Path) -> None:
    def an_id(age_seconds: float) -> str:
        return ids.first_ulid_of(ids.milliseconds_of(ids.new_export_id()) - int(age_seconds * 1000))

    kept = begin(channel)
    write_export(kept.id)
    day, hour = 24 * 3600, 3600
    here = replace(kept, id=an_id(2 * hour), status=ExportStatus.COMPLETED)
    put_entities([here])
    stay = [f"{kept.id}.zip", f"{here.id}.zip", f"{an_id(60)}.zip", f"{an_id(hour)}.zip.abc.part", "notes.txt"]
    go = [f"{an_id(KEPT_SECONDS + 1)}.zip", f"{an_id(2 * hour)}.zip", f"{an_id(day + 60)}.zip.abc.part"]
    for name in (*stay[1:], *go):
        (folder / name).write_bytes(b"PK")

    removed = remove_old_exports()

    assert sorted(removed) == sorted(go)
    assert files_in(folder) == sorted(stay)
    remove_unfinished_exports()
    assert files_in(folder) == sorted(name for name in stay if not name.endswith(".part"))


class TestInAPlan:
    def run(self, dispatched: RecordingDispatcher, plan_id: str) -> PlanInFull:
        """Does what is queued, whatever waits for its time."""
        for _ in range(50):
            for task in plans.get_plan(plan_id, consistent=True).tasks:
                if task.due_at and not task.has_ended:
                    put_entities([replace(task, due_at=seconds_from_now(-1))])
            while dispatched.jobs:
                job = dispatched.jobs.pop(0)
                if isinstance(job, WriteExport):
                    write_export(job.export_id)
                else:
                    do_job(job)
                    break
        return plans.get_plan(plan_id, consistent=True)

    def test_an_export_is_of_the_channels_of_its_plan_and_belongs_to_who_made_it(
        self, channel: Channel, dispatched: RecordingDispatcher
    ) -> None:
        a_finished_channel([("2024-03-01", ("KO",))])
        wanted = [
            NewTask("prices", TaskKind.BACKFILL_PRICES, channel.id),
            NewTask("export", TaskKind.EXPORT, depends_on=("prices",)),
        ]
        begun = plans.create_plan("Audit", wanted, Caller("somebody"))

        ended = self.run(dispatched, begun.plan.id)

        assert ended.plan.status is PlanStatus.COMPLETED
        (export,) = logic.list_exports("somebody", None, 10).items
        assert ended.tasks[1].export_id == export.id
        assert (export.status, export.channel_ids) == (ExportStatus.COMPLETED, (channel.id,))

    def test_without_any_channel_all_are_exported_and_one_export_is_begun_whichever_worker_dies(
        self, channel: Channel, dispatched: RecordingDispatcher
    ) -> None:
        begun = plans.create_plan("Everything", [NewTask("export", TaskKind.EXPORT)], Caller("somebody"))
        job = RunTask(begun.plan.id, "export")
        for number in count(1):
            with crash_at_write(number, "after-call"):
                try:
                    do_job(job)
                    break
                except Crash:
                    task = store_plans.task_by_key(begun.plan.id, "export")
                    assert task
                    put_entities([replace(task, due_at=seconds_from_now(-1), attempts=0)])

        ended = self.run(dispatched, begun.plan.id)

        assert number > 2
        assert ended.plan.status is PlanStatus.COMPLETED
        (export,) = logic.list_exports("somebody", None, 10).items
        assert (export.channel_ids, export.channels) == ((), 1)

    def test_a_task_fails_with_its_export_or_when_that_is_deleted(
        self, channel: Channel, dispatched: RecordingDispatcher, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def fail() -> None:
            raise OSError(errno.ENOSPC, "No space left on device")

        failing = plans.create_plan("Failing", [NewTask("export", TaskKind.EXPORT)], Caller("somebody"))
        with meanwhile(monkeypatch, fail):
            failed = self.run(dispatched, failing.plan.id)
        deleting = plans.create_plan("Deleted", [NewTask("export", TaskKind.EXPORT, channel.id)], Caller("somebody"))
        do_job(RunTask(deleting.plan.id, "export"))
        for export in logic.list_exports("somebody", None, 10).items:
            logic.delete_export("somebody", export.id)
        deleted = self.run(dispatched, deleting.plan.id)

        errors = [each.tasks[0].error for each in (failed, deleted)]
        assert [each.plan.status for each in (failed, deleted)] == [PlanStatus.FAILED] * 2
        assert errors[0] and errors[0].startswith("There is no room left")
        assert errors[1] == "Its export was deleted"
