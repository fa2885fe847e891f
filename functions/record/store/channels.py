"""Channels: finding, listing, creating and deleting them."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from itertools import islice
from typing import Any

from functions.record.errors import ChannelAlreadyExists, ChannelNotFound
from functions.record.models.audit import AuditAction
from functions.record.models.records import Channel, ChannelStatus
from functions.record.models.runs import SOMEBODY, Check, Run, Starter
from functions.record.store.allowances import count_action, daily_limit_reached
from functions.record.store.audit import audit_action
from functions.record.store.kept_transcripts import remove_transcripts_of_channel
from functions.record.store.readings import put_action
from functions.record.store.run_records import new_record
from functions.runtime.caller import OPERATOR, Caller
from functions.runtime.clock import now
from functions.runtime.concurrency import for_each
from functions.runtime.dynamodb import tables
from functions.runtime.dynamodb.attributes import Item, Value, decode, encode
from functions.runtime.dynamodb.connection import dynamodb, main_table
from functions.runtime.dynamodb.requests import (
    MAX_BATCH_READ,
    Action,
    ConditionNotMet,
    Page,
    TransactionRefused,
    batch_delete,
    batch_get,
    chunked,
    count,
    get,
    query,
    query_page,
    transact,
    update,
    update_action,
)
from functions.runtime.limits import Limited

COUNTER = "Counter"
"""The `entity` of the item that counts channels."""
KEYS_ONLY = {"ProjectionExpression": "PK, SK"}
MAX_LIMIT = 1_000_000
REMOVED_AT_ONCE = 200
"""Items removed between two heartbeats, beside the mentions of those that are videos."""


def channel_by_id(channel_id: str, *, consistent: bool = False) -> Channel | None:
    item = get(main_table(), tables.channel_key(channel_id), consistent=consistent)
    return Channel.from_item(item) if item else None


def channels_by_id(channel_ids: Iterable[str], *, consistent: bool = False) -> dict[str, Channel]:
    """Returns the channels that exist and are not being deleted."""
    items = batch_get(main_table(), map(tables.channel_key, channel_ids), ConsistentRead=consistent)
    channels = map(Channel.from_item, items)
    return {channel.id: channel for channel in channels if not channel.deleting}


def channel_by_youtube_id(youtube_channel_id: str) -> Channel | None:
    items = query(
        TableName=main_table(),
        IndexName=tables.BY_YOUTUBE_CHANNEL_OR_CHANNEL.name,
        KeyConditionExpression="GSI2PK = :pk",
        ExpressionAttributeValues=encode({":pk": tables.youtube_channel_pk(youtube_channel_id)}),
    )
    return next((Channel.from_item(item) for item in items), None)


def newest_channels(limit: int, start: Item | None = None) -> Page[Channel]:
    page = query_page(limit, start, **_all_channels(), ScanIndexForward=False)
    return Page([Channel.from_item(item) for item in page.items], page.next_key)


def every_channel() -> Iterator[Channel]:
    """Newest first. The index is eventually consistent."""
    return map(Channel.from_item, query(**_all_channels(), ScanIndexForward=False))


def channels_under_way() -> Iterator[Channel]:
    """Yields the channels whose run has a worker."""
    keys = query(
        TableName=main_table(),
        IndexName=tables.BY_YOUTUBE_VIDEO_OR_STATE.name,
        KeyConditionExpression="GSI3PK = :pk",
        ExpressionAttributeValues=encode({":pk": tables.RUNS_UNDER_WAY}),
    )
    for some in chunked((decode(key) for key in keys), MAX_BATCH_READ):
        yield from map(
            Channel.from_item, batch_get(main_table(), ({"PK": each["PK"], "SK": each["SK"]} for each in some))
        )


def channels_on_page(page: int, per_page: int) -> list[Channel]:
    """Returns the channels of a numbered page, newest first. The pages before it are counted, not transferred."""
    request = {**_all_channels(), "ScanIndexForward": False}
    to_skip = (page - 1) * per_page
    while to_skip > 0:
        skipped = dynamodb().query(**request, Select="COUNT", Limit=min(to_skip, MAX_LIMIT))
        if "LastEvaluatedKey" not in skipped:
            return []
        to_skip -= skipped["Count"]
        request["ExclusiveStartKey"] = skipped["LastEvaluatedKey"]
    return [Channel.from_item(item) for item in islice(query(**request, Limit=per_page), per_page)]


def count_channels() -> int:
    """Reads the counter, or counts if the data predates the counter."""
    counter = get(main_table(), tables.CHANNEL_COUNTER_KEY)
    return int(counter["total"]["N"]) if counter else count(**_all_channels())


def ensure_channel_counter() -> None:
    """Creates the counter if it is missing. Channels cannot be created or removed without it, so none is missed."""
    if get(main_table(), tables.CHANNEL_COUNTER_KEY, consistent=True) is None:
        set_channel_counter(count(**_all_channels()), replacing=None)


def set_channel_counter(total: int, *, replacing: int | None) -> bool:
    """Sets the counter if it still has the value to replace, or is still missing; returns True if it was set."""
    condition = "attribute_not_exists(PK)" if replacing is None else "#total = :replacing"
    try:
        update(
            tables.CHANNEL_COUNTER_KEY,
            "SET #total = :total, entity = :entity",
            condition,
            {"total": total, "replacing": replacing, "entity": COUNTER},
        )
    except ConditionNotMet:
        return False
    return True


def holder_of(youtube_channel_id: str) -> str | None:
    """Returns the id of the channel that has reserved a YouTube channel, by name or by id."""
    item = get(main_table(), tables.guard_key(youtube_channel_id), consistent=True)
    return item["channel_id"]["S"] if item else None


def create_channel(channel: Channel, starter: Starter = SOMEBODY, also: Iterable[Action] = ()) -> None:
    """Writes the channel, its guard, the record of its first run, its check queue entry and the actions in `also`
    in one transaction, so only one of several concurrent attempts succeeds. A person's channels are counted."""
    by_person = _added_by(starter.person, channel) if starter.person else []
    try:
        _transact_counted(
            +1,
            [
                {"Put": {"TableName": main_table(), "Item": channel.to_item(), **_ONLY_IF_NEW}},
                *(guard_action(youtube_id, channel.id) for youtube_id in channel.guards),
                *_first_run(channel, starter),
                *([put_action(Check(channel.id, channel.next_check_at))] if channel.next_check_at else []),
                *also,
                *by_person,
            ],
        )
    except TransactionRefused as refused:
        if starter.person and refused.failed.count(True) == 1 and refused.failed[-1]:
            raise daily_limit_reached(starter.person, Limited.CHANNELS) from None
        existing = next((holder for guard in channel.guards if (holder := holder_of(guard))), None)
        raise ChannelAlreadyExists(channel.youtube_channel_id, existing) from None


def update_channel(channel_id: str, expression: str, condition: str, values: dict[str, Value]) -> Channel:
    """Returns the channel after a conditional update; `#status` stands for its status."""
    return Channel.from_item(update(tables.channel_key(channel_id), expression, condition, values))


def delete_channel(channel_id: str, by: Caller = OPERATOR) -> None:
    """Removes a channel and everything below it, itself last, so an interrupted delete can be repeated."""
    channel = _stop_writes(channel_id, by)
    # First, because the rest takes long: other channels must not be ranked against one that is being deleted.
    batch_delete(main_table(), [encode(tables.standing_key(channel_id))])
    itself = encode(tables.channel_key(channel_id))
    remove_below(channel_id, kept=itself)
    remove_transcripts_of_channel(channel_id)
    for guard in channel.guards:
        _release(guard, channel_id)
    # Refused if a concurrent delete finished first; that one updated the counter.
    with suppress(TransactionRefused):
        _transact_counted(-1, [{"Delete": {"TableName": main_table(), "Key": itself, **_ONLY_IF_THERE}}])


def remove_below(channel_id: str, *, kept: Item, heartbeat: Callable[[], None] = lambda: None) -> None:
    """Removes everything in a channel's partition except the item with this key. A video's mentions go before it.

    `heartbeat` is called before each batch: an error it raises ends the removal.
    """
    below = [key for key in _keys(tables.channel_pk(channel_id)) if key != kept]
    for keys in chunked(below, REMOVED_AT_ONCE):
        heartbeat()
        videos = [key["SK"]["S"] for key in keys if key["SK"]["S"].startswith(tables.VIDEO_PREFIX)]
        remove_mentions(video.removeprefix(tables.VIDEO_PREFIX) for video in videos)
        batch_delete(main_table(), keys)


def remove_mentions(video_ids: Iterable[str]) -> None:
    """Removes all mentions in these videos."""
    mentions = [key for keys in for_each(_keys, map(tables.video_pk, video_ids)) for key in keys]
    batch_delete(main_table(), mentions)


def _first_run(channel: Channel, starter: Starter) -> list[Action]:
    if channel.run_id is None or not channel.is_under_way:
        return []
    run = Run(
        channel.run_id,
        channel.id,
        channel.created_at,
        started_by=starter.kind,
        starter=starter.name,
        starter_name=starter.shown_name,
    )
    return [new_record(run)]


def _added_by(person: Caller, channel: Channel) -> list[Action]:
    return [
        audit_action(person, AuditAction.CHANNEL_ADDED, f"/api/channels/{channel.id}", channel.url),
        count_action(person, Limited.CHANNELS),
    ]


def guard_action(youtube_channel_id: str, channel_id: str) -> dict[str, Any]:
    item = encode({**tables.guard_key(youtube_channel_id), "channel_id": channel_id, "entity": "Guard"})
    return {"Put": {"TableName": main_table(), "Item": item, **_ONLY_IF_NEW}}


_ONLY_IF_NEW = {"ConditionExpression": "attribute_not_exists(PK)"}
_ONLY_IF_THERE = {"ConditionExpression": "attribute_exists(PK)"}


def _transact_counted(change: int, actions: list[Action]) -> None:
    """Writes the actions and the change of the channel counter in one transaction."""
    counter = update_action(
        tables.CHANNEL_COUNTER_KEY, "ADD #total :change", "attribute_exists(PK)", {"change": change}
    )
    counted: list[Action] = [{"Update": counter}, *actions]
    try:
        transact(counted)
    except TransactionRefused as refused:
        has_counter = not refused.failed[0]
        if has_counter:
            raise
        ensure_channel_counter()
        transact(counted)


def _all_channels() -> dict[str, Any]:
    return {
        "TableName": main_table(),
        "IndexName": tables.BY_TICKER_OR_LISTING.name,
        "KeyConditionExpression": "GSI1PK = :pk",
        "ExpressionAttributeValues": encode({":pk": tables.ALL_CHANNELS}),
    }


def _stop_writes(channel_id: str, by: Caller = OPERATOR) -> Channel:
    """Blocks all writes by runs below the channel, so the keys read next are complete."""
    stopped = update_action(
        tables.channel_key(channel_id),
        "SET #status = :cancelled, deleting = :yes, updated_at = :now REMOVE run_id, lease_until, GSI3PK",
        "attribute_exists(PK)",
        {"cancelled": ChannelStatus.CANCELLED, "yes": True, "now": now()},
    )
    channel = channel_by_id(channel_id, consistent=True)
    if channel is None:
        raise ChannelNotFound(channel_id)
    try:
        transact(
            [
                {"Update": stopped},
                audit_action(
                    by, AuditAction.CHANNEL_DELETED, f"/api/channels/{channel_id}", f"{channel.name} ({channel.url})"
                ),
            ]
        )
    except TransactionRefused:
        raise ChannelNotFound(channel_id) from None
    # Read again: meanwhile a run may have given it another name on YouTube.
    return channel_by_id(channel_id, consistent=True) or channel


def _release(youtube_channel_id: str, channel_id: str) -> None:
    """Removes a guard if this channel still holds it: after a concurrent delete, a new channel may have it."""
    with suppress(dynamodb().exceptions.ConditionalCheckFailedException):
        dynamodb().delete_item(
            TableName=main_table(),
            Key=encode(tables.guard_key(youtube_channel_id)),
            ConditionExpression="channel_id = :channel",
            ExpressionAttributeValues=encode({":channel": channel_id}),
        )


def _keys(partition: str) -> list[Item]:
    return list(
        query(
            TableName=main_table(),
            KeyConditionExpression="PK = :pk",
            ExpressionAttributeValues=encode({":pk": partition}),
            ConsistentRead=True,
            **KEYS_ONLY,
        )
    )
