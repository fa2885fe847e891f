"""Runs: each channel has at most one, and every write by a run is conditional on still being that one."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from functions.reading.analyst import TokenUsage
from functions.record.errors import (
    ChannelAlreadyExists,
    ChannelAlreadyProcessing,
    ChannelNotFound,
    ChannelNotProcessing,
    CheckNotDue,
    RunEnded,
    VideoChanged,
)
from functions.record.models.alerts import Alert
from functions.record.models.audit import AuditAction
from functions.record.models.check_intervals import SLOWED_IN_WORDS, next_check, next_check_after_run
from functions.record.models.records import (
    SLOWED_AFTER,
    AnalysisStatus,
    Change,
    Channel,
    ChannelStatus,
    CheckEvery,
    LogLevel,
    StockMention,
    Video,
)
from functions.record.models.runs import SOMEBODY, Run, RunKind, RunStatus, StartedBy, Starter
from functions.record.store.audit import audit_action
from functions.record.store.channel_conditions import STATUSES_UNDER_WAY, THERE, UNDER_WAY
from functions.record.store.channels import channel_by_id, guard_action, holder_of, update_channel
from functions.record.store.checks import Schedule
from functions.record.store.logs import transact_with_log
from functions.record.store.readings import NO_CALLS, CallCounts, as_it_was, put_action, reading_actions
from functions.record.store.run_records import (
    attempt_actions,
    interrupted_action,
    new_record,
    record_action,
    run_of_channel,
)
from functions.record.store.videos import video_by_id
from functions.record.store.waiting_runs import leave_action
from functions.runtime.caller import OPERATOR, Caller, Role
from functions.runtime.clock import now, seconds_from_now
from functions.runtime.dynamodb import tables
from functions.runtime.dynamodb.attributes import Value, encode
from functions.runtime.dynamodb.requests import (
    MAX_TRANSACTION_ACTIONS,
    TRANSACTION_TRIES,
    Action,
    ConditionNotMet,
    TransactionRefused,
    chunked,
    set_and_remove,
    transact,
    update_action,
    wait_before_retry,
)
from functions.runtime.errors import NotTheOwner
from functions.runtime.settings import settings

LEASE_SECONDS = 300
"""How long a run may go without a heartbeat before another may take over."""
REMOVED_AT_ONCE = (MAX_TRANSACTION_ACTIONS - 2) // 2
"""Videos marked in one transaction, each with its change log entry, beside the channel and the log line."""
MAX_RESUMPTIONS = 5
"""How often a dead run is resumed without finishing a video in between."""

THIS_RUN_UNDER_WAY = f"run_id = :run AND {UNDER_WAY}"
IN_THIS_RUN = "run_id = :run AND #status = :processing"
IDLE = f"NOT {UNDER_WAY}"
DEAD = f"{UNDER_WAY} AND (attribute_not_exists(lease_until) OR lease_until < :before)"


def claim_run(
    channel_id: str,
    run_id: str,
    *,
    kind: RunKind = RunKind.PROCESS,
    starter: Starter = SOMEBODY,
    due: str | None = None,
) -> Channel:
    """Sets the channel's run, unless another is alive. Only one of several concurrent claims succeeds. Idempotent: a
    repeated claim for the channel's current or an earlier run changes nothing.

    `due` is the scheduled check this run carries out: raises CheckNotDue if another run has started it, or the
    channel's settings have changed.
    """
    for attempt in range(TRANSACTION_TRIES):
        channel = channel_by_id(channel_id, consistent=True)
        if channel is None or channel.deleting:
            raise ChannelNotFound(channel_id)
        if channel.run_id == run_id:
            return channel
        if channel.is_under_way and (channel.lease_until or "") >= now():
            raise ChannelAlreadyProcessing(channel_id)
        if due is not None and channel.next_check_at != due:
            raise CheckNotDue(channel_id)
        claimed = _claimed(channel, run_id, kind)
        try:
            transact(_claim_actions(channel, claimed, kind, starter))
            return claimed
        except TransactionRefused as refused:
            _, *others = refused.failed
            if not refused.failed[0] and any(others):
                # The claimed run has already ended, and another has replaced it.
                return channel
        wait_before_retry(attempt)
    raise ChannelAlreadyProcessing(channel_id)


def take_over_run(channel_id: str, run_id: str, message: str, *, lease_before: str | None = None) -> None:
    """Replaces a dead run with this one. A run is dead if its lease expired before `lease_before`, by default now.

    Raises ChannelNotProcessing if the run is alive or over, or has been resumed too often.
    """
    before = lease_before or now()
    channel = channel_by_id(channel_id, consistent=True)
    if channel is None or not _is_dead(channel, before):
        raise ChannelNotProcessing(channel_id)
    action = update_action(
        tables.channel_key(channel_id),
        "ADD resumptions :one SET #status = :pending, run_id = :run, lease_until = :lease, updated_at = :now, "
        "GSI3PK = :under_way",
        f"attribute_not_exists(deleting) AND {DEAD} AND {_of_run(channel)} "
        "AND (attribute_not_exists(resumptions) OR resumptions < :most)",
        {
            "one": 1,
            "most": MAX_RESUMPTIONS,
            "under_way": tables.RUNS_UNDER_WAY,
            **STATUSES_UNDER_WAY,
            "run": run_id,
            "seen": channel.run_id,
            "lease": seconds_from_now(LEASE_SECONDS),
            "now": now(),
            "before": before,
        },
    )
    try:
        transact_with_log([{"Update": action}, *_continued(channel, run_id)], channel_id, LogLevel.WARNING, message)
    except TransactionRefused:
        raise ChannelNotProcessing(channel_id) from None


def _claimed(channel: Channel, run_id: str, kind: RunKind) -> Channel:
    """Returns the channel with a new run, and with its next check one interval from now."""
    claimed_at = now()
    # Only a run that completed has listed everything, so that the next one can look for new videos alone.
    only_news = kind == RunKind.CHECK and channel.status == ChannelStatus.COMPLETED
    lists_videos = kind != RunKind.REREAD
    planned = next_check(claimed_at, channel.check_every, channel.failed_runs)
    return replace(
        channel,
        status=ChannelStatus.PENDING,
        run_id=run_id,
        lease_until=seconds_from_now(LEASE_SECONDS),
        updated_at=claimed_at,
        rereading=None if lists_videos else True,
        checking=only_news or None,
        next_check_at=planned if lists_videos else channel.next_check_at,
        calls_new=0,
        calls_gone=0,
        calls_turned=0,
    )


def _claim_actions(before: Channel, claimed: Channel, kind: RunKind, starter: Starter) -> list[Action]:
    assert claimed.run_id
    schedule = Schedule(before, claimed.check_every, claimed.next_check_at)
    attributes: dict[str, Value] = {
        **{name: getattr(claimed, name) for name in ("status", "run_id", "lease_until", "updated_at")},
        **{name: getattr(claimed, name) for name in ("rereading", "checking")},
        "GSI3PK": tables.RUNS_UNDER_WAY,
        **dict.fromkeys(("resumptions", *CallCounts.ATTRIBUTES)),
        **schedule.attributes(),
    }
    dead = f"{DEAD} AND {_of_run(before)}"
    condition = f"{THERE} AND {dead if before.is_under_way else IDLE}"
    values: dict[str, Value] = {
        **attributes,
        **STATUSES_UNDER_WAY,
        **schedule.values(),
        "before": claimed.updated_at,
        "seen": before.run_id,
    }
    replaced = before.run_id if before.is_under_way else None
    run = Run(
        claimed.run_id,
        claimed.id,
        claimed.updated_at,
        kind=kind,
        started_by=starter.kind,
        starter=starter.name,
        starter_name=starter.shown_name,
        continues=replaced,
    )
    update = update_action(
        tables.channel_key(claimed.id), set_and_remove(attributes), condition + schedule.condition(), values
    )
    return [
        {"Update": update},
        new_record(run),
        *schedule.actions(),
        *_audited(starter, claimed, kind),
        *([interrupted_action(claimed.id, replaced, claimed.run_id)] if replaced else []),
    ]


def _audited(starter: Starter, claimed: Channel, kind: RunKind) -> list[Action]:
    if starter.person is None:
        return []
    path = f"/api/channels/{claimed.id}"
    return [audit_action(starter.person, AuditAction.RUN_STARTED, path, f"{claimed.name}: {kind}")]


def _continued(channel: Channel, run_id: str) -> list[Action]:
    """Returns the writes to the records of a dead run and of the run that continues it."""
    if channel.run_id is None:
        return [record_action(channel.id, run_id, {"status": RunStatus.PENDING, "kind": _kind_of(channel)})]
    dead = run_of_channel(channel.id, channel.run_id)
    continued: dict[str, Value] = {
        "status": RunStatus.PENDING,
        "kind": dead.kind if dead else _kind_of(channel),
        "started_by": dead.started_by if dead else None,
        "starter": dead.starter if dead else None,
        "starter_name": dead.starter_name if dead else None,
        "continues": channel.run_id,
    }
    return [
        record_action(channel.id, run_id, continued),
        interrupted_action(channel.id, channel.run_id, run_id),
    ]


def _kind_of(channel: Channel) -> RunKind:
    """Returns the kind of the run in progress."""
    if channel.rereading:
        return RunKind.REREAD
    return RunKind.CHECK if channel.checking else RunKind.PROCESS


def _of_run(channel: Channel) -> str:
    """Returns the condition that the channel still has the run it had when it was read: `:seen`."""
    return "run_id = :seen" if channel.run_id else "attribute_not_exists(run_id)"


def _is_dead(channel: Channel, before: str) -> bool:
    return channel.is_under_way and (channel.lease_until or "") < before


def begin_run(channel_id: str, run_id: str, message: str | None) -> None:
    """Moves a run from pending to processing, with the first line of its log, if any. Further calls only renew the
    lease."""
    expression, values = _in_run(run_id, "SET #status = :processing, ", {})
    start = update_action(tables.channel_key(channel_id), expression, "run_id = :run AND #status = :pending", values)
    actions = [{"Update": start}, record_action(channel_id, run_id, {"status": RunStatus.PROCESSING})]
    try:
        if message is None:
            transact(actions)
        else:
            transact_with_log(actions, channel_id, LogLevel.INFO, message)
    except TransactionRefused:
        renew_lease(channel_id, run_id)


def wait_for_slot(channel_id: str, run_id: str, message: str) -> None:
    """Renews the lease of a run that was started without a slot, and logs that once; raises RunEnded if it is over."""
    first_time = f"{THIS_RUN_UNDER_WAY} AND (attribute_not_exists(waiting_run) OR waiting_run <> :run)"
    expression, values = _in_run(run_id, "SET waiting_run = :run, ", {})
    wait = update_action(tables.channel_key(channel_id), expression, first_time, values)
    try:
        transact_with_log([{"Update": wait}], channel_id, LogLevel.INFO, message)
    except TransactionRefused:
        renew_lease(channel_id, run_id)


def postpone_videos(channel_id: str, run_id: str, message: str) -> None:
    """Marks that the run leaves videos for another day, and logs that once; raises RunEnded if the run is over."""
    first_time = f"{THIS_RUN_UNDER_WAY} AND (attribute_not_exists(postponed_run) OR postponed_run <> :run)"
    expression, values = _in_run(run_id, "SET postponed_run = :run, ", {})
    postpone = update_action(tables.channel_key(channel_id), expression, first_time, values)
    try:
        transact_with_log([{"Update": postpone}], channel_id, LogLevel.WARNING, message)
    except TransactionRefused:
        renew_lease(channel_id, run_id)


def resume_videos(channel_id: str, run_id: str) -> None:
    """Removes that mark and logs it; raises RunEnded if the run is over."""
    expression, values = _in_run(run_id, "REMOVE postponed_run SET ", {})
    resume = update_action(tables.channel_key(channel_id), expression, THIS_RUN_UNDER_WAY, values)
    try:
        transact_with_log([{"Update": resume}], channel_id, LogLevel.INFO, "Reading goes on.")
    except TransactionRefused:
        raise RunEnded(channel_id, run_id) from None


def renew_lease(channel_id: str, run_id: str) -> Channel:
    """A heartbeat, for pending runs too; raises RunEnded if the worker must stop."""
    return _update_in_run(channel_id, run_id, "", {}, condition=THIS_RUN_UNDER_WAY)


def identify_channel(
    channel_id: str, run_id: str, youtube_channel_id: str, name: str, thumbnail_url: str | None
) -> None:
    """Stores the channel's YouTube id, title and thumbnail, and reserves that id for it."""
    channel = renew_lease(channel_id, run_id)
    values: dict[str, Value] = {
        "youtube": youtube_channel_id,
        "index": tables.youtube_channel_pk(youtube_channel_id),
        "name": name,
    }
    sets = "SET youtube_channel_id = :youtube, GSI2PK = :index, #name = :name, "
    if thumbnail_url:
        values["thumbnail"] = thumbnail_url
        sets += "thumbnail_url = :thumbnail, "
    guards = []
    if holder_of(youtube_channel_id) != channel_id:
        guards.append(guard_action(youtube_channel_id, channel_id))
        values["guards"] = (*channel.guards, youtube_channel_id)
        sets += "guards = :guards, "
    rename = _action_in_run(channel_id, run_id, sets, values)
    try:
        transact([rename, *guards])
    except TransactionRefused as refused:
        if refused.failed[0]:
            raise RunEnded(channel_id, run_id) from None
        raise ChannelAlreadyExists(youtube_channel_id, holder_of(youtube_channel_id)) from None


def add_videos(channel_id: str, run_id: str, videos: Iterable[Video]) -> None:
    """Writes new videos. Existing ones are left unchanged."""
    for some in chunked(videos, MAX_TRANSACTION_ACTIONS - 1):
        try:
            _add(channel_id, run_id, some)
        except TransactionRefused as refused:
            if refused.failed[0]:
                raise RunEnded(channel_id, run_id) from None
            new = [video for video, is_there in zip(some, refused.failed[1:], strict=True) if not is_there]
            add_videos(channel_id, run_id, new)


def _add(channel_id: str, run_id: str, videos: Sequence[Video]) -> None:
    puts = [put_action(video, ConditionExpression="attribute_not_exists(PK)") for video in videos]
    transact([_action_in_run(channel_id, run_id, "SET ", {}), *puts])


@dataclass(frozen=True, slots=True)
class Listing:
    """The result of listing a channel's videos, for the run's record and for later checks."""

    found: int
    to_read: int
    analyst: str | None = None
    newest_video_at: str | None = None
    """None leaves the stored value unchanged."""
    fully_listed_at: str | None = None
    """When the listing started, if it covered the whole time range."""
    listed_months: int | None = None
    """The length of that time range."""


def set_video_counts(
    channel_id: str,
    run_id: str,
    video_count: int,
    processed_video_count: int,
    message: str,
    listing: Listing | None = None,
) -> None:
    """Sets how many videos there are and how many are finished, with a log line once per run."""
    listing = listing or Listing(video_count, video_count - processed_video_count)
    values: dict[str, Value] = {
        "video_count": video_count,
        "processed_video_count": processed_video_count,
        "newest_video_at": listing.newest_video_at,
        "fully_listed_at": listing.fully_listed_at,
        "listed_months": listing.listed_months,
    }
    sets = "".join(f"{name} = :{name}, " for name, value in values.items() if value is not None)
    first_time = f"{IN_THIS_RUN} AND (attribute_not_exists(listed_run) OR listed_run <> :run)"
    expression, all_values = _in_run(run_id, f"SET {sets}listed_run = :run, ", values)
    counts = update_action(tables.channel_key(channel_id), expression, first_time, all_values)
    totals = {"found": listing.found, "videos": listing.to_read, "analyst": listing.analyst}
    record = record_action(channel_id, run_id, totals)
    try:
        transact_with_log([{"Update": counts}, record], channel_id, LogLevel.INFO, message)
    except TransactionRefused:
        # A run that lists again keeps the totals of its first listing: part of them has been read since.
        again = record_action(channel_id, run_id, {"analyst": listing.analyst})
        _transact_in_run(channel_id, run_id, [_action_in_run(channel_id, run_id, f"SET {sets}", values), again])


def commit_video(
    run_id: str,
    video: Video,
    level: LogLevel,
    message: str,
    *,
    gone: Iterable[StockMention] = (),
    change: Change | None = None,
    found: CallCounts = NO_CALLS,
    alert: Alert | None = None,
    outcome: AnalysisStatus | None = None,
    problem: str | None = None,
    usage: TokenUsage | None = None,
) -> bool:
    """Writes a finished video, its calls, the channel's counters, the run's record and a log line in one transaction,
    once per run.

    `gone` holds mentions of an earlier reading that this one lacks, `change` is a change log entry, `found` is added to
    the totals for the last line of the run, and `alert` notifies the channel's followers. `outcome` and `problem`
    describe this attempt, if the video itself keeps an earlier reading; `usage` are the tokens it took.
    Returns False if this run has already committed the video. Raises RunEnded if the run is over, and VideoChanged if
    the video was changed since it was read.
    """
    counters, numbers = found.to_add()
    count = _action_in_run(
        video.channel_id,
        run_id,
        f"ADD processed_video_count :one{counters} REMOVE resumptions SET ",
        {"one": 1, **numbers},
    )
    finished = put_action(
        video,
        ConditionExpression="attribute_exists(PK) AND (attribute_not_exists(run_id) OR run_id <> :run) "
        f"AND {as_it_was(video)}",
        ExpressionAttributeValues=encode({":run": run_id, ":edits": video.edits}),
    )
    attempt = attempt_actions(
        run_id, video, outcome or video.analysis_status, problem or video.problem, usage or TokenUsage()
    )
    actions = [count, finished, *reading_actions(video, gone, change, alert), *attempt]
    try:
        transact_with_log(actions, video.channel_id, level, message)
    except TransactionRefused as refused:
        if refused.failed[0]:
            raise RunEnded(video.channel_id, run_id) from None
        stored = video_by_id(video.channel_id, video.id, consistent=True)
        if stored and stored.run_id != run_id:
            raise VideoChanged(video.id) from None
        return False
    return True


def write_line(channel_id: str, run_id: str, level: LogLevel, message: str) -> None:
    """A heartbeat with a log line; raises RunEnded if the run is over."""
    try:
        transact_with_log([_action_in_run(channel_id, run_id, "SET ", {})], channel_id, level, message)
    except TransactionRefused:
        raise RunEnded(channel_id, run_id) from None


def redate_video(run_id: str, before: Video, after: Video, message: str | None, change: Change | None = None) -> None:
    """Writes the date of a video and its mentions, and their prices, with its lines in the log and the change log, in
    one transaction.

    Writes nothing if its calls have changed concurrently; raises RunEnded if the run is over.
    """
    date: dict[str, Value] = {"published_at": after.published_at, "published_time": after.published_time}
    calls = after.call_attributes()
    in_timeline: dict[str, Value] = {"GSI1SK": after.timeline_position} if after.tickers else {}
    moved = {**date, **in_timeline, "calls": calls["calls"], "unpriced": calls["unpriced"], "edits": before.edits + 1}
    unchanged = "calls = :before" if before.calls else "attribute_exists(PK) AND attribute_not_exists(calls)"
    actions = [
        _action_in_run(after.channel_id, run_id, "SET ", {}),
        _replace(
            tables.video_key(after.channel_id, after.id), moved, unchanged, before=before.call_attributes()["calls"]
        ),
        *(
            _replace(
                tables.mention_key(after.id, call.id),
                {**date, "GSI1SK": after.published_at, "price_at_mention": call.price_at_mention},
                "attribute_exists(PK)",
            )
            for call in after.calls
        ),
        *([put_action(change)] if change else []),
    ]
    try:
        if message is None:
            transact(actions)
        else:
            transact_with_log(actions, after.channel_id, LogLevel.INFO, message)
    except TransactionRefused as refused:
        if refused.failed[0]:
            raise RunEnded(after.channel_id, run_id) from None


def mark_removed(
    channel_id: str, run_id: str, changes: Sequence[tuple[Video, Change]], *, removed_at: str | None, message: str
) -> None:
    """Marks videos as removed from YouTube, or as available again if `removed_at` is None, with change log entries.

    Raises RunEnded if the run is over.
    """
    for some in chunked(changes, REMOVED_AT_ONCE):
        marks = [
            _replace(
                tables.video_key(channel_id, video.id),
                {"removed_at": removed_at, "edits": video.edits + 1},
                f"attribute_exists(PK) AND {as_it_was(video, 'read')}",
                read=video.edits,
            )
            for video, _ in some
        ]
        puts = [put_action(change) for _, change in some]
        try:
            transact_with_log(
                [_action_in_run(channel_id, run_id, "SET ", {}), *marks, *puts], channel_id, LogLevel.INFO, message
            )
        except TransactionRefused as refused:
            # A video that was changed concurrently is marked by the next run.
            if refused.failed[0]:
                raise RunEnded(channel_id, run_id) from None


def _replace(key: dict[str, str], attributes: dict[str, Value], condition: str, **values: Value) -> dict[str, Any]:
    """Sets these attributes, and removes those that are None."""
    return {"Update": update_action(key, set_and_remove(attributes), condition, {**attributes, **values})}


def report_unpriced(channel_id: str, run_id: str, message: str) -> None:
    """Logs which prices are missing, once per run; raises RunEnded if it is over."""
    first_time = f"{IN_THIS_RUN} AND (attribute_not_exists(unpriced_run) OR unpriced_run <> :run)"
    expression, values = _in_run(run_id, "SET unpriced_run = :run, ", {})
    report = update_action(tables.channel_key(channel_id), expression, first_time, values)
    try:
        transact_with_log([{"Update": report}], channel_id, LogLevel.WARNING, message)
    except TransactionRefused:
        renew_lease(channel_id, run_id)


def finish_run(
    channel_id: str,
    run_id: str,
    status: ChannelStatus,
    level: LogLevel,
    message: str,
    *,
    error: str | None = None,
    run_status: RunStatus | None = None,
) -> None:
    """`error` is the reason for a failure, for the record; `run_status` is set if it differs from the channel's."""
    end = _End(ChannelStatus(status), level, message, error, run_status)
    try:
        _end_run(channel_id, end, lambda channel: channel.run_id == run_id and channel.is_under_way)
    except ChannelNotProcessing:
        raise RunEnded(channel_id, run_id) from None


def finish_check(channel: Channel, found: int, message: str) -> None:
    """Ends a check that found nothing new, without marking the channel's stored score as stale. `channel` must have
    been read during this run."""
    run_id = channel.run_id
    end = _End(ChannelStatus.COMPLETED, LogLevel.INFO, message, found=found)
    try:
        _end_run(channel.id, end, lambda each: each.run_id == run_id and each.is_under_way, channel)
    except ChannelNotProcessing:
        raise RunEnded(channel.id, run_id or "") from None


def cancel_run(channel_id: str, message: str, by: Caller = OPERATOR, *, run_id: str | None = None) -> str | None:
    """Ends the run in progress, if it is the given one, and returns its id; no further write by it is accepted. Raises
    NotTheOwner for a person who did not start it."""

    def is_meant(channel: Channel) -> bool:
        if channel.is_under_way and channel.run_id and by.role is not Role.ADMIN:
            _require_starter(channel_id, channel.run_id, by)
        return channel.is_under_way and run_id in (None, channel.run_id)

    audit = audit_action(by, AuditAction.RUN_CANCELLED, f"/api/channels/{channel_id}")
    end = _End(ChannelStatus.CANCELLED, LogLevel.WARNING, message, message)
    return _end_run(channel_id, end, is_meant, also=[audit])


def _require_starter(channel_id: str, run_id: str, by: Caller) -> None:
    run = run_of_channel(channel_id, run_id)
    if run is None or run.started_by is not StartedBy.PERSON or run.starter != by.id:
        raise NotTheOwner("Only the person who started this run, or an admin, may cancel it")


def release_dead_run(
    channel_id: str, message: str, *, lease_before: str | None = None, error: str | None = None
) -> None:
    """Marks a dead run failed, so the channel can be processed again; raises ChannelNotProcessing if it is not dead."""
    before = lease_before or now()
    end = _End(ChannelStatus.FAILED, LogLevel.ERROR, message, error or message)
    _end_run(channel_id, end, lambda channel: _is_dead(channel, before), dead_before=before)


@dataclass(frozen=True, slots=True)
class _End:
    """How a run ends."""

    status: ChannelStatus
    level: LogLevel
    message: str
    error: str | None = None
    run_status: RunStatus | None = None
    found: int | None = None
    """Videos found by a check without new ones."""


def _end_run(
    channel_id: str,
    end: _End,
    is_meant: Callable[[Channel], bool],
    channel: Channel | None = None,
    dead_before: str | None = None,
    also: Sequence[Action] = (),
) -> str | None:
    """Ends the channel's run if `is_meant` accepts it, and returns its id; raises ChannelNotProcessing otherwise."""
    for attempt in range(TRANSACTION_TRIES):
        channel = channel or channel_by_id(channel_id, consistent=True)
        if channel is None or channel.deleting or not is_meant(channel):
            raise ChannelNotProcessing(channel_id)
        actions, lines = _end_actions(channel, end, dead_before)
        try:
            transact_with_log([*actions, *also], channel_id, end.level, end.message, lines)
            return channel.run_id
        except TransactionRefused:
            # The channel's settings or its run have changed since it was read.
            channel = None
        wait_before_retry(attempt)
    raise ChannelNotProcessing(channel_id)


def _end_actions(
    channel: Channel, end: _End, dead_before: str | None
) -> tuple[list[Action], list[tuple[LogLevel, str]]]:
    ended_at = now()
    failed_runs = _failed_runs(channel, end.status)
    check_every = channel.check_every or CheckEvery(settings().check_every)
    planned = next_check_after_run(ended_at, check_every, channel.next_check_at, channel.failed_runs, failed_runs)
    schedule = Schedule(channel, check_every, planned)
    attributes: dict[str, Value] = {
        "status": end.status,
        "updated_at": ended_at,
        "failed_runs": failed_runs or None,
        **dict.fromkeys(("lease_until", "resumptions", "checking", "GSI3PK")),
        **schedule.attributes(),
    }
    is_alive = f"{DEAD} AND {_of_run(channel)}" if dead_before else f"{UNDER_WAY} AND {_of_run(channel)}"
    # Scores stored before the run are stale now, unless it found nothing.
    bump_revision = "" if end.found is not None else " ADD revision :one"
    update = update_action(
        tables.channel_key(channel.id),
        set_and_remove(attributes) + bump_revision,
        f"attribute_not_exists(deleting) AND {is_alive}{schedule.condition()}",
        {
            **attributes,
            **schedule.values(),
            **STATUSES_UNDER_WAY,
            "before": dead_before,
            "seen": channel.run_id,
            "one": 1,
        },
    )
    record: dict[str, Value] = {
        "status": end.run_status or RunStatus(end.status),
        "ended_at": ended_at,
        "error": end.error,
        "found": end.found,
    }
    actions: list[Action] = [{"Update": update}, *schedule.actions()]
    if channel.is_waiting:
        actions.append(leave_action(channel.id))
    if channel.run_id:
        actions.append(record_action(channel.id, channel.run_id, record))
    is_slowed_now = failed_runs == SLOWED_AFTER > channel.failed_runs and planned is not None
    return actions, [(LogLevel.WARNING, _slowed(check_every))] if is_slowed_now else []


def _failed_runs(channel: Channel, status: ChannelStatus) -> int:
    """Consecutive failures. A cancelled run doesn't count either way, nor does a reread, which doesn't use YouTube."""
    if channel.rereading or status == ChannelStatus.CANCELLED:
        return channel.failed_runs
    return channel.failed_runs + 1 if status == ChannelStatus.FAILED else 0


def _slowed(check_every: CheckEvery) -> str:
    return f"Five runs in a row have failed: the channel is checked {SLOWED_IN_WORDS[check_every]} until one succeeds."


def _transact_in_run(channel_id: str, run_id: str, actions: list[Action]) -> None:
    """Raises RunEnded if the run is over."""
    try:
        transact(actions)
    except TransactionRefused:
        raise RunEnded(channel_id, run_id) from None


def _update_in_run(
    channel_id: str, run_id: str, sets: str, values: dict[str, Value], condition: str = IN_THIS_RUN
) -> Channel:
    expression, all_values = _in_run(run_id, f"SET {sets}", values)
    try:
        return update_channel(channel_id, expression, condition, all_values)
    except ConditionNotMet:
        raise RunEnded(channel_id, run_id) from None


def _action_in_run(channel_id: str, run_id: str, expression: str, values: dict[str, Value]) -> dict[str, Any]:
    expression, all_values = _in_run(run_id, expression, values)
    return {"Update": update_action(tables.channel_key(channel_id), expression, IN_THIS_RUN, all_values)}


def _in_run(run_id: str, expression: str, values: dict[str, Value]) -> tuple[str, dict[str, Value]]:
    """Adds a heartbeat to the expression: every write by a run renews its lease.

    The index key costs a write only if it is missing, because an earlier version started the run.
    """
    return f"{expression}lease_until = :lease, updated_at = :now, GSI3PK = :under_way", {
        "under_way": tables.RUNS_UNDER_WAY,
        **STATUSES_UNDER_WAY,
        **values,
        "run": run_id,
        "lease": seconds_from_now(LEASE_SECONDS),
        "now": now(),
    }
