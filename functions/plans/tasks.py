"""The work of each kind of task. Queue jobs and plan tasks call the same functions."""

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum

from functions.plans import store as plans
from functions.plans.models import Task, TaskKind, task_name
from functions.record.channels import channels
from functions.record.errors import (
    ChannelAlreadyExists,
    ChannelAlreadyProcessing,
    ChannelNotFound,
    ChannelNotProcessing,
)
from functions.record.models.records import Channel
from functions.record.models.runs import Run, RunStatus, StartedBy, Starter
from functions.record.pipeline.keep_score import keep_score
from functions.record.prices.refresh import backfill_mentions, refresh_stocks
from functions.record.scores.kept import scored_as
from functions.record.store import runs
from functions.record.store.channels import channels_by_id
from functions.record.store.run_records import run_of_channel
from functions.record.store.videos import tickers_of_channel
from functions.runtime import ids
from functions.runtime.errors import StockTrackRecordError
from functions.runtime.provider_errors import Unavailable
from functions.transfers.exports.models import Export, ExportStatus
from functions.transfers.exports.requests import new_export
from functions.transfers.exports.store import remove_export
from functions.transfers.store import add_transfer, transfer_of_user
from functions.transfers.transfers import send_transfer

MONTHS = 12
"""How many months of a channel added by a plan are analysed."""
STOP_TRIES = 5
"""How often the removal of an export is tried that changes meanwhile."""
EXPORT_FORMAT = "csv"
"""The format of exports created by plans."""


class TaskFailed(StockTrackRecordError):
    """The task failed, and another attempt would not help. The message is shown to users."""


class Outcome(StrEnum):
    COMPLETED = "completed"
    WAITS = "waits"
    """Waits for its export or for a run to end: its own, or another run of its channel."""


@dataclass(frozen=True, slots=True)
class Result:
    outcome: Outcome
    channel_id: str | None
    run_id: str | None = None
    """The run that the task started."""
    told: str | None = None
    """A summary of what was done, for people."""


def do_task(task: Task) -> Result:
    """Idempotent and crash-safe: a worker that takes over does not start a second run.

    Raises ChannelNotFound and TaskFailed for errors that a retry cannot fix.
    """
    return KINDS[task.kind](task)


def stop(task: Task) -> None:
    """Ends the run or the export that a task has begun and that is still under way. Idempotent."""
    if task.channel_id and task.run_id:
        run = _latest_run(task.channel_id, task.run_id)
        with suppress(ChannelNotProcessing):
            runs.cancel_run(task.channel_id, "Cancelled with its plan.", run_id=run.id if run else task.run_id)
    plan = plans.plan_by_id(task.plan_id) if task.export_id else None
    for _ in range(STOP_TRIES if plan else 0):
        export = transfer_of_user(Export, plan.created_by, task.export_id or "") if plan else None
        # A worker that is writing it notices at its next write.
        if export is None or not export.is_open or remove_export(export):
            return


def _add_channel(task: Task) -> Result:
    assert task.url
    if task.channel_id and task.run_id:
        return _look_at_run(_living(task.channel_id), task.run_id)
    url, task = task.url, plans.note_run(task, ids.new_run_id())
    assert task.run_id
    try:
        channel = channels.create_channel(url, MONTHS, starter=_starter(task), run_id=task.run_id)
    except ChannelAlreadyExists as existing:
        return _with_channel_that_is_there(task, existing.existing_id)
    return Result(Outcome.WAITS, channel.id, task.run_id)


def _with_channel_that_is_there(task: Task, channel_id: str | None) -> Result:
    """Either created by a worker of this task that died, or tracked before, in which case there is nothing to do."""
    try:
        channel = _living(channel_id or "")
    except ChannelNotFound:
        raise Unavailable("A channel of that name is being deleted.") from None
    if task.run_id and run_of_channel(channel.id, task.run_id):
        return Result(Outcome.WAITS, channel.id, task.run_id)
    return Result(Outcome.COMPLETED, channel.id)


def _process(task: Task) -> Result:
    return _run(task, rereading=False)


def _reread(task: Task) -> Result:
    return _run(task, rereading=True)


def _run(task: Task, *, rereading: bool) -> Result:
    channel = _living(_channel_id(task))
    # A worker that died may have recorded a run without starting it.
    if task.run_id and run_of_channel(channel.id, task.run_id):
        return _look_at_run(channel, task.run_id)
    task = plans.note_run(task, ids.new_run_id())
    assert task.run_id
    try:
        channels.process_channel(channel.id, rereading=rereading, starter=_starter(task), run_id=task.run_id)
    except ChannelAlreadyProcessing:
        # The other run may be this task's own, started by a worker whose claim expired in the meantime.
        begun = run_of_channel(channel.id, task.run_id)
        return Result(Outcome.WAITS, channel.id, task.run_id if begun else None)
    return Result(Outcome.WAITS, channel.id, task.run_id)


def _latest_run(channel_id: str, run_id: str) -> Run | None:
    """Returns the run, or the one that continues it if it died."""
    run = run_of_channel(channel_id, run_id)
    while run and run.continued_by:
        run = run_of_channel(channel_id, run.continued_by)
    return run


def _look_at_run(channel: Channel, run_id: str) -> Result:
    run = _latest_run(channel.id, run_id)
    match run.status if run else None:
        case RunStatus.COMPLETED:
            return Result(Outcome.COMPLETED, channel.id, run_id)
        case RunStatus.PENDING | RunStatus.PROCESSING:
            return Result(Outcome.WAITS, channel.id, run_id)
        case RunStatus.CANCELLED:
            raise TaskFailed("Its run was cancelled")
        case _:
            raise TaskFailed((run and run.error) or "Its run failed")


def _refresh_prices(task: Task) -> Result:
    channel = _living(_channel_id(task))
    refresh_stocks(sorted(tickers_of_channel(channel.id)))
    return Result(Outcome.COMPLETED, channel.id)


def _backfill_prices(task: Task) -> Result:
    channel = _living(_channel_id(task))
    backfill_mentions(channel.id)
    return Result(Outcome.COMPLETED, channel.id)


def _score(task: Task) -> Result:
    channel = _living(_channel_id(task))
    if channel.is_under_way:
        return Result(Outcome.WAITS, channel.id)
    if not keep_score(channel.id) and not _is_scored(_living(channel.id)):
        # A run has started in the meantime, or the channel kept changing.
        return Result(Outcome.WAITS, channel.id)
    return Result(Outcome.COMPLETED, channel.id)


def _ingest_news(task: Task) -> Result:
    # Imported here: it loads pydantic, which no other job needs.
    from functions.news.replay import replay_news

    assert task.started_at
    told = replay_news(task.started_at, task.retried_at)
    return Result(Outcome.COMPLETED if told else Outcome.WAITS, None, told=told)


def _export(task: Task) -> Result:
    if task.export_id is None:
        task = plans.note_export(task, ids.new_export_id())
    assert task.export_id
    plan, tasks = plans.plan_with_tasks(task.plan_id, consistent=True)
    assert plan
    export = transfer_of_user(Export, plan.created_by, task.export_id)
    if export is None and task.looks:
        raise TaskFailed("Its export was deleted")
    if export is None:
        export = new_export(task.export_id, plan.created_by, _channels_to_export(task, tasks), EXPORT_FORMAT)
        add_transfer(export, most_open=None)
        send_transfer(export)
    match export.status:
        case ExportStatus.COMPLETED:
            return Result(Outcome.COMPLETED, task.channel_id)
        case ExportStatus.FAILED:
            raise TaskFailed(export.error_message or "Its export failed")
        case _:
            return Result(Outcome.WAITS, task.channel_id)


def _channels_to_export(task: Task, tasks: Iterable[Task]) -> tuple[str, ...]:
    """Returns its own channel, or those of its plan; empty, meaning all, if the plan has none."""
    if task.channel_id:
        return (_living(task.channel_id).id,)
    of_plan = dict.fromkeys(each.channel_id for each in tasks if each.channel_id)
    there = channels_by_id(of_plan)
    if of_plan and not there:
        raise TaskFailed("The channels of its plan are gone")
    return tuple(channel_id for channel_id in of_plan if channel_id in there)


def _is_scored(channel: Channel) -> bool:
    return channel.scored == scored_as(channel) and not channel.is_under_way


KINDS: dict[TaskKind, Callable[[Task], Result]] = {
    TaskKind.ADD_CHANNEL: _add_channel,
    TaskKind.PROCESS: _process,
    TaskKind.REREAD: _reread,
    TaskKind.REFRESH_PRICES: _refresh_prices,
    TaskKind.BACKFILL_PRICES: _backfill_prices,
    TaskKind.SCORE: _score,
    TaskKind.EXPORT: _export,
    TaskKind.INGEST_NEWS: _ingest_news,
}


def _channel_id(task: Task) -> str:
    """Returns its own channel, or the one added by its dependency."""
    if task.channel_id:
        return task.channel_id
    adding = plans.task_by_key(task.plan_id, task.channel_from or "")
    if adding is None or adding.channel_id is None:
        raise TaskFailed(f"Task {task.channel_from} added no channel")
    return adding.channel_id


def _living(channel_id: str) -> Channel:
    channel = channels.get_channel(channel_id, consistent=True)
    if channel.deleting:
        raise ChannelNotFound(channel_id)
    return channel


def _starter(task: Task) -> Starter:
    return Starter(StartedBy.PLAN, task_name(task.plan_id, task.key))
