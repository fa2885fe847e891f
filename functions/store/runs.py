"""Runs: each channel has at most one, and every write of a run is conditional on still being that one."""

from collections.abc import Iterable, Sequence
from typing import Any

from functions.core import tables
from functions.core.alerts import Alert
from functions.core.attributes import Value, encode
from functions.core.clock import now, seconds_from_now
from functions.core.errors import (
    ChannelAlreadyExists,
    ChannelAlreadyProcessing,
    ChannelNotFound,
    ChannelNotProcessing,
    RunEnded,
    VideoChanged,
)
from functions.core.models import Change, Channel, ChannelStatus, LogLevel, StockMention, Video
from functions.store.channels import guard_action, holder_of, update_channel
from functions.store.logs import transact_with_log
from functions.store.readings import NO_CALLS, CallCounts, as_it_was, put_action, reading_actions
from functions.store.requests import (
    MAX_TRANSACTION_ACTIONS,
    ConditionNotMet,
    TransactionRefused,
    chunked,
    transact,
    update_action,
)
from functions.store.videos import video_by_id

LEASE_SECONDS = 300
"""How long a run may go without a heartbeat before another may take its place."""
REMOVED_AT_ONCE = (MAX_TRANSACTION_ACTIONS - 2) // 2
"""Videos marked in one transaction, each with its line in the change log, beside the channel and the log line."""
MAX_RESUMPTIONS = 5
"""How often a run that died is resumed without having finished a video in between."""

UNDER_WAY = "#status IN (:pending, :processing)"
THIS_RUN_UNDER_WAY = f"run_id = :run AND {UNDER_WAY}"
IN_THIS_RUN = "run_id = :run AND #status = :processing"
DEAD = f"{UNDER_WAY} AND (attribute_not_exists(lease_until) OR lease_until < :before)"
_STATUSES = {"pending": ChannelStatus.PENDING, "processing": ChannelStatus.PROCESSING}


def claim_run(channel_id: str, run_id: str, *, rereading: bool = False) -> Channel:
    """Sets the channel's run, unless another is alive. Of concurrent claims one succeeds.

    `rereading`: the run reads kept transcripts anew, and looks for no new videos.
    """
    counts = ", ".join(CallCounts.ATTRIBUTES)
    kind = (
        f", rereading = :yes REMOVE resumptions, {counts}" if rereading else f" REMOVE resumptions, rereading, {counts}"
    )
    is_free = f"(NOT {UNDER_WAY} OR attribute_not_exists(lease_until) OR lease_until < :now)"
    try:
        return update_channel(
            channel_id,
            f"SET #status = :pending, run_id = :run, lease_until = :lease, updated_at = :now{kind}",
            f"attribute_exists(PK) AND attribute_not_exists(deleting) AND (run_id = :run OR {is_free})",
            {
                **_STATUSES,
                **({"yes": True} if rereading else {}),
                "run": run_id,
                "lease": seconds_from_now(LEASE_SECONDS),
                "now": now(),
            },
        )
    except ConditionNotMet as refused:
        if refused.item is None or "deleting" in refused.item:
            raise ChannelNotFound(channel_id) from None
        raise ChannelAlreadyProcessing(channel_id) from None


def take_over_run(channel_id: str, run_id: str, message: str, *, lease_before: str | None = None) -> None:
    """Replaces a dead run by this one. Dead is one whose lease ended before now, or before the moment given.

    ChannelNotProcessing when the run is alive or over, or has been resumed too often.
    """
    action = update_action(
        tables.channel_key(channel_id),
        "ADD resumptions :one SET #status = :pending, run_id = :run, lease_until = :lease, updated_at = :now",
        f"attribute_not_exists(deleting) AND {DEAD} AND (attribute_not_exists(resumptions) OR resumptions < :most)",
        {
            "one": 1,
            "most": MAX_RESUMPTIONS,
            **_STATUSES,
            "run": run_id,
            "lease": seconds_from_now(LEASE_SECONDS),
            "now": now(),
            "before": lease_before or now(),
        },
    )
    try:
        transact_with_log([{"Update": action}], channel_id, LogLevel.WARNING, message)
    except TransactionRefused:
        raise ChannelNotProcessing(channel_id) from None


def begin_run(channel_id: str, run_id: str, message: str) -> None:
    """From pending to processing, with the first line of the run's log. Called again, it is a heartbeat."""
    expression, values = _in_run(run_id, "SET #status = :processing, ", {})
    start = update_action(tables.channel_key(channel_id), expression, "run_id = :run AND #status = :pending", values)
    try:
        transact_with_log([{"Update": start}], channel_id, LogLevel.INFO, message)
    except TransactionRefused:
        renew_lease(channel_id, run_id)


def wait_for_place(channel_id: str, run_id: str, message: str) -> None:
    """A heartbeat of a run without a place, with the line that tells it once in a run; RunEnded when it is over."""
    first_time = f"{THIS_RUN_UNDER_WAY} AND (attribute_not_exists(waiting_run) OR waiting_run <> :run)"
    expression, values = _in_run(run_id, "SET waiting_run = :run, ", {})
    wait = update_action(tables.channel_key(channel_id), expression, first_time, values)
    try:
        transact_with_log([{"Update": wait}], channel_id, LogLevel.INFO, message)
    except TransactionRefused:
        renew_lease(channel_id, run_id)


def renew_lease(channel_id: str, run_id: str) -> Channel:
    """A heartbeat, also of a run that is still pending; RunEnded if the worker has to stop."""
    return _update_in_run(channel_id, run_id, "", {}, condition=THIS_RUN_UNDER_WAY)


def identify_channel(
    channel_id: str, run_id: str, youtube_channel_id: str, name: str, thumbnail_url: str | None
) -> None:
    """Stores the channel's id, title and picture on YouTube, and reserves that id for it."""
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
    """Writes new videos. One that exists already is left as it is."""
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


def set_video_counts(channel_id: str, run_id: str, video_count: int, processed_video_count: int, message: str) -> None:
    """Sets how many videos there are and how many are finished, with a log line once per run."""
    sets = "video_count = :total, processed_video_count = :finished, "
    values: dict[str, Value] = {"total": video_count, "finished": processed_video_count}
    first_time = f"{IN_THIS_RUN} AND (attribute_not_exists(listed_run) OR listed_run <> :run)"
    expression, all_values = _in_run(run_id, f"SET {sets}listed_run = :run, ", values)
    counts = update_action(tables.channel_key(channel_id), expression, first_time, all_values)
    try:
        transact_with_log([{"Update": counts}], channel_id, LogLevel.INFO, message)
    except TransactionRefused:
        _update_in_run(channel_id, run_id, sets, values)


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
) -> bool:
    """Writes a finished video, its calls, the channel's counters and a log line in one transaction, once per run.

    `gone` are mentions of an earlier reading that this one does not have, `change` is a line for the change log,
    `found` is added up for the last line of the run, and `alert` tells those who follow the channel.
    False when this run has committed the video before. RunEnded when the run is over; VideoChanged when somebody has
    changed the video since it was read.
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
    actions = [count, finished, *reading_actions(video, gone, change, alert)]
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
    """A heartbeat with a log line; RunEnded when the run is over."""
    try:
        transact_with_log([_action_in_run(channel_id, run_id, "SET ", {})], channel_id, level, message)
    except TransactionRefused:
        raise RunEnded(channel_id, run_id) from None


def redate_video(run_id: str, before: Video, after: Video, message: str | None, change: Change | None = None) -> None:
    """Writes the date of a video and of its mentions, and their prices, with its lines in the log and the change log,
    in one transaction.

    Nothing is written if its calls have changed meanwhile; RunEnded when the run is over.
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
    """Marks videos as removed from YouTube, or with None as there again, with their lines in the change log; once each.

    RunEnded when the run is over.
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
            # A video that somebody has changed meanwhile is marked by the next run.
            if refused.failed[0]:
                raise RunEnded(channel_id, run_id) from None


def _replace(key: dict[str, str], attributes: dict[str, Value], condition: str, **values: Value) -> dict[str, Any]:
    """Sets these attributes, and removes those that are None."""
    sets = ", ".join(f"{name} = :{name}" for name, value in attributes.items() if value is not None)
    gone = ", ".join(name for name, value in attributes.items() if value is None)
    expression = f"SET {sets} REMOVE {gone}" if gone else f"SET {sets}"
    return {"Update": update_action(key, expression, condition, {**attributes, **values})}


def report_unpriced(channel_id: str, run_id: str, message: str) -> None:
    """A line of the prices that are missing, once in a run; RunEnded when it is over."""
    first_time = f"{IN_THIS_RUN} AND (attribute_not_exists(unpriced_run) OR unpriced_run <> :run)"
    expression, values = _in_run(run_id, "SET unpriced_run = :run, ", {})
    report = update_action(tables.channel_key(channel_id), expression, first_time, values)
    try:
        transact_with_log([{"Update": report}], channel_id, LogLevel.WARNING, message)
    except TransactionRefused:
        renew_lease(channel_id, run_id)


def finish_run(channel_id: str, run_id: str, status: ChannelStatus, level: LogLevel, message: str) -> None:
    try:
        _end_run(channel_id, status, level, message, condition=THIS_RUN_UNDER_WAY, values={"run": run_id})
    except ChannelNotProcessing:
        raise RunEnded(channel_id, run_id) from None


def cancel_run(channel_id: str, message: str) -> None:
    """Ends the run under way: no write of it is accepted from now on."""
    _end_run(channel_id, ChannelStatus.CANCELLED, LogLevel.WARNING, message, condition=UNDER_WAY, values={})


def release_dead_run(channel_id: str, message: str, *, lease_before: str | None = None) -> None:
    """Marks a dead run failed, so that the channel can be processed again; ChannelNotProcessing if it is not dead."""
    values: dict[str, Value] = {"before": lease_before or now()}
    _end_run(channel_id, ChannelStatus.FAILED, LogLevel.ERROR, message, condition=DEAD, values=values)


def _end_run(
    channel_id: str,
    status: ChannelStatus,
    level: LogLevel,
    message: str,
    *,
    condition: str,
    values: dict[str, Value],
) -> None:
    action = update_action(
        tables.channel_key(channel_id),
        # What was kept before the run is old now.
        "SET #status = :status, updated_at = :now ADD revision :one REMOVE lease_until, resumptions",
        f"attribute_not_exists(deleting) AND {condition}",
        {**_STATUSES, **values, "status": ChannelStatus(status), "now": now(), "one": 1},
    )
    try:
        transact_with_log([{"Update": action}], channel_id, level, message)
    except TransactionRefused:
        raise ChannelNotProcessing(channel_id) from None


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
    """Every write of a run is also its heartbeat."""
    return f"{expression}lease_until = :lease, updated_at = :now", {
        **_STATUSES,
        **values,
        "run": run_id,
        "lease": seconds_from_now(LEASE_SECONDS),
        "now": now(),
    }
