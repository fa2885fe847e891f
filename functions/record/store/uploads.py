"""Uploaded transcripts: marking them unread, finding those whose job was lost, and writing their readings."""

from collections.abc import Iterable
from contextlib import suppress
from itertools import islice

from functions.record.errors import ChannelNotFound, ChannelUnderWay, VideoChanged, VideoNotFound
from functions.record.models.alerts import Alert
from functions.record.models.audit import AuditAction
from functions.record.models.records import AnalysisStatus, Change, Channel, LogLevel, StockMention, Unread, Video
from functions.record.store.audit import audit_action
from functions.record.store.channel_conditions import STATUSES_UNDER_WAY, THERE, UNDER_WAY
from functions.record.store.channels import channel_by_id
from functions.record.store.logs import channel_is_there, transact_with_log
from functions.record.store.readings import as_it_was, put_action, reading_actions
from functions.runtime.caller import OPERATOR, Caller
from functions.runtime.clock import now
from functions.runtime.dynamodb import tables
from functions.runtime.dynamodb.attributes import Value, encode
from functions.runtime.dynamodb.connection import main_table
from functions.runtime.dynamodb.requests import (
    TRANSACTION_TRIES,
    Action,
    TransactionRefused,
    get,
    query,
    transact,
    update_action,
)

_IS_THIS_ONE = "handed_in_at = :at AND attribute_not_exists(is_read)"


def hand_in(channel_id: str, video_id: str, by: Caller = OPERATOR) -> None:
    """Marks a video to be read from its stored transcript. A reading that began earlier is discarded.

    Raises ChannelUnderWay during a run, and ChannelNotFound or VideoNotFound if either is gone.
    """
    idle = {
        **channel_is_there(channel_id)["ConditionCheck"],
        "ConditionExpression": f"{THERE} AND NOT {UNDER_WAY}",
        "ExpressionAttributeNames": {"#status": "status"},
        "ExpressionAttributeValues": encode({f":{name}": status for name, status in STATUSES_UNDER_WAY.items()}),
    }
    edited = update_action(
        tables.video_key(channel_id, video_id),
        "REMOVE interrupted, declined ADD edits :one",
        "attribute_exists(PK)",
        {"one": 1},
    )
    unread = Unread(channel_id, video_id, now(), by.id, handed_in_by_name=by.name)
    path = f"/api/channels/{channel_id}/videos/{video_id}/transcript"
    audit = audit_action(by, AuditAction.TRANSCRIPT_UPLOADED, path)
    try:
        transact([{"ConditionCheck": idle}, {"Update": edited}, put_action(unread), audit])
    except TransactionRefused:
        require_idle(channel_id, channel_by_id(channel_id, consistent=True))
        raise VideoNotFound(video_id) from None


def require_idle(channel_id: str, channel: Channel | None) -> None:
    """Raises ChannelNotFound if the channel is gone or being deleted, and ChannelUnderWay if it has a run."""
    if channel is None or channel.deleting:
        raise ChannelNotFound(channel_id)
    if channel.is_under_way:
        raise ChannelUnderWay(channel_id)


def unread_of_video(channel_id: str, video_id: str) -> Unread | None:
    item = get(main_table(), tables.unread_key(channel_id, video_id), consistent=True)
    return Unread.from_item(item) if item else None


def begin_reading(unread: Unread, until: str) -> None:
    """Counts an attempt, and keeps the transcript from being due until then: a model may take many minutes.

    Raises VideoChanged if another transcript has been uploaded since, or this one has been read.
    """
    expression = "SET being_read_until = :until, GSI1SK = :until ADD attempts :one"
    values: dict[str, Value] = {"until": until, "one": 1, "at": unread.handed_in_at}
    key = tables.unread_key(unread.channel_id, unread.video_id)
    try:
        transact([{"Update": update_action(key, expression, _IS_THIS_ONE, values)}])
    except TransactionRefused:
        raise VideoChanged(unread.video_id) from None


def report_unread(unread: Unread, message: str) -> None:
    """Logs why a transcript couldn't be read yet. Writes nothing if the channel is gone."""
    with suppress(TransactionRefused):
        transact_with_log([channel_is_there(unread.channel_id)], unread.channel_id, LogLevel.WARNING, message)


def due_unread(before: str, limit: int) -> list[Unread]:
    """Returns the transcripts uploaded before a timestamp that nobody is reading, oldest first."""
    items = query(
        TableName=main_table(),
        IndexName=tables.BY_TICKER_OR_LISTING.name,
        KeyConditionExpression="GSI1PK = :pk AND GSI1SK < :before",
        ExpressionAttributeValues=encode({":pk": tables.ALL_UNREAD, ":before": before}),
        Limit=limit,
    )
    return [Unread.from_item(item) for item in islice(items, limit)]


def commit_reading(
    unread: Unread,
    before: Video,
    after: Video,
    level: LogLevel,
    message: str,
    *,
    gone: Iterable[StockMention] = (),
    change: Change | None = None,
    alert: Alert | None = None,
) -> Channel | None:
    """Writes a video read from an uploaded transcript, its calls and the entries in both logs in one transaction, once.
    Returns the channel as it was before, or None if it is gone.

    Raises VideoChanged if a run, a review or another upload changed the video first.
    """
    removed = list(gone)
    for _ in range(TRANSACTION_TRIES):
        channel = channel_by_id(unread.channel_id, consistent=True)
        if channel is None or channel.deleting:
            return None
        actions = [
            _changed(channel, is_first=before.analysis_status == AnalysisStatus.PENDING),
            _put_read(before, after),
            *reading_actions(after, removed, change, alert),
            _mark_read(unread),
        ]
        try:
            transact_with_log(actions, channel.id, level, message)
        except TransactionRefused as refused:
            _, *others, _ = refused.failed
            if any(others):
                raise VideoChanged(after.id) from None
        else:
            return channel
    raise VideoChanged(after.id)


def remove_unread(unread: Unread) -> None:
    """Removes the marker once all work is done; if another transcript has been uploaded since, its marker stays."""
    try:
        transact([_delete(unread)])
    except TransactionRefused:
        return


def give_up_unread(unread: Unread, level: LogLevel, message: str, *, problem: str | None = None) -> None:
    """Removes the marker of a transcript that cannot be read, and logs why. Writes nothing if the channel is gone or
    another transcript has been uploaded since.

    `problem` is shown with the video, if it has never been read.
    """
    video_updates: list[Action] = []
    if problem is not None:
        edited = update_action(
            tables.video_key(unread.channel_id, unread.video_id),
            "SET #problem = :problem ADD edits :one",
            "attribute_exists(PK)",
            {"problem": problem, "one": 1},
        )
        video_updates = [{"Update": edited}]
    try:
        actions = [channel_is_there(unread.channel_id), _delete(unread), *video_updates]
        transact_with_log(actions, unread.channel_id, level, message)
    except TransactionRefused:
        return


def _changed(channel: Channel, *, is_first: bool) -> Action:
    """Returns the write to a channel whose calls change: its stored score becomes stale.

    A video that no run has finished counts as processed from now on, unless a run in progress will count it. If a run
    ended before it had counted its videos, `video_count` may be too low.
    """
    condition, counted = THERE, ""
    if is_first:
        is_counted = channel.processed_video_count < channel.video_count and not channel.is_under_way
        counted = ", processed_video_count :one" if is_counted else ""
        comparison = "<" if channel.processed_video_count < channel.video_count else ">="
        idle = f"NOT {UNDER_WAY} AND processed_video_count {comparison} video_count"
        condition += f" AND {UNDER_WAY if channel.is_under_way else idle}"
    # Whether the score was up to date decides if a new one is requested.
    condition += " AND scored = :scored" if channel.scored else " AND attribute_not_exists(scored)"
    values: dict[str, Value] = {**STATUSES_UNDER_WAY, "one": 1, "now": now(), "scored": channel.scored}
    expression = f"SET updated_at = :now ADD revision :one{counted}"
    return {"Update": update_action(tables.channel_key(channel.id), expression, condition, values)}


def _put_read(before: Video, after: Video) -> Action:
    """Refused if the video was changed or read since."""
    same_run = "run_id = :run" if before.run_id else "attribute_not_exists(run_id)"
    values: dict[str, Value] = {":edits": before.edits, **({":run": before.run_id} if before.run_id else {})}
    return put_action(
        after,
        ConditionExpression=f"attribute_exists(PK) AND {same_run} AND {as_it_was(before)}",
        ExpressionAttributeValues=encode(values),
    )


def _mark_read(unread: Unread) -> Action:
    values: dict[str, Value] = {"yes": True, "at": unread.handed_in_at}
    return {
        "Update": update_action(
            tables.unread_key(unread.channel_id, unread.video_id), "SET is_read = :yes", _IS_THIS_ONE, values
        )
    }


def _delete(unread: Unread) -> Action:
    return {
        "Delete": {
            "TableName": main_table(),
            "Key": encode(tables.unread_key(unread.channel_id, unread.video_id)),
            "ConditionExpression": "handed_in_at = :at",
            "ExpressionAttributeValues": encode({":at": unread.handed_in_at}),
        }
    }
