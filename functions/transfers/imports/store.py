"""Writes imported channels below a placeholder item that represents each until it is complete."""

from collections.abc import Iterable

from functions.record.errors import ChannelAlreadyExists
from functions.record.models.records import Channel, LogLevel, ProcessingLog, StockMention, Video
from functions.record.store.channels import create_channel, remove_below, remove_mentions
from functions.record.store.readings import put_action
from functions.runtime.clock import now, seconds_from_now
from functions.runtime.dynamodb import tables
from functions.runtime.dynamodb.attributes import Value, encode
from functions.runtime.dynamodb.connection import dynamodb, main_table
from functions.runtime.dynamodb.entity import Entity
from functions.runtime.dynamodb.requests import (
    Action,
    ConditionNotMet,
    TransactionRefused,
    batch_put,
    get,
    query,
    set_and_remove,
    transact,
    update,
)
from functions.transfers.errors import ImportTaken
from functions.transfers.imports.models import CLEARING, ChannelImport

LEASE_SECONDS = 60
"""How long a writer may go without a write before another may take over."""


def channel_import(channel_id: str) -> ChannelImport | None:
    item = get(main_table(), tables.channel_import_key(channel_id), consistent=True)
    return ChannelImport.from_item(item) if item else None


def claim_import(channel_id: str, owner: str, fingerprint: str, before: ChannelImport | None) -> bool:
    """Takes the place of the import that was read, if its lease is over. False if the channel is there, or another
    writer was faster."""
    writing = before.writing if before else ()
    marker = ChannelImport(channel_id, owner, fingerprint, seconds_from_now(LEASE_SECONDS), writing)
    is_as_read = (
        {
            "ConditionExpression": "#owner = :owner AND lease_until = :lease",
            "ExpressionAttributeNames": {"#owner": "owner"},
            "ExpressionAttributeValues": encode({":owner": before.owner, ":lease": before.lease_until}),
        }
        if before
        else {"ConditionExpression": "attribute_not_exists(PK)"}
    )
    no_channel = {
        "TableName": main_table(),
        "Key": encode(tables.channel_key(channel_id)),
        "ConditionExpression": "attribute_not_exists(PK)",
    }
    try:
        transact([{"ConditionCheck": no_channel}, put_action(marker, **is_as_read)])
    except TransactionRefused:
        return False
    return True


def renew_import(
    channel_id: str, owner: str, *, fingerprint: str | None = None, writing: tuple[str, ...] | None = None
) -> None:
    """Renews the lease, optionally with progress; raises ImportTaken if another writer has taken over."""
    changed: dict[str, Value] = {
        **({"fingerprint": fingerprint} if fingerprint is not None else {}),
        **({"writing": writing} if writing is not None else {}),
        "lease_until": seconds_from_now(LEASE_SECONDS),
    }
    try:
        update(
            tables.channel_import_key(channel_id),
            set_and_remove({name: value or None for name, value in changed.items()}),
            "#owner = :owner",
            {**changed, "owner": owner},
        )
    except ConditionNotMet:
        raise ImportTaken(channel_id) from None


def put_below_import(videos: Iterable[Video], others: Iterable[Entity] = ()) -> None:
    """Writes videos with their mentions, mentions first, so that a stored video always has all of them."""
    some = list(videos)
    mentions: list[StockMention] = [mention for video in some for mention in video.calls]
    batch_put(main_table(), [entity.to_item() for entity in (*mentions, *others)])
    batch_put(main_table(), [video.to_item() for video in some])


def imported_video_ids(channel_id: str) -> set[str]:
    """Returns the videos written by an earlier attempt."""
    items = query(
        TableName=main_table(),
        KeyConditionExpression="PK = :pk AND begins_with(SK, :prefix)",
        ExpressionAttributeValues=encode({":pk": tables.channel_pk(channel_id), ":prefix": tables.VIDEO_PREFIX}),
        ConsistentRead=True,
        ProjectionExpression="SK",
    )
    return {item["SK"]["S"].removeprefix(tables.VIDEO_PREFIX) for item in items}


def clear_below_import(channel_id: str, owner: str) -> None:
    """Removes what was written, and leaves the item that stands for the channel; ImportTaken as soon as another writer
    has taken the place, whose writes must stay."""
    marker = channel_import(channel_id)
    remove_mentions(marker.writing if marker else ())
    remove_below(
        channel_id,
        kept=encode(tables.channel_import_key(channel_id)),
        heartbeat=lambda: renew_import(channel_id, owner),
    )


def give_up_import(channel_id: str, owner: str) -> None:
    """Removes a partial import completely; raises ImportTaken if another writer has taken over."""
    renew_import(channel_id, owner, fingerprint=CLEARING)
    clear_below_import(channel_id, owner)
    try:
        dynamodb().delete_item(
            TableName=main_table(),
            Key=encode(tables.channel_import_key(channel_id)),
            ConditionExpression="#owner = :owner",
            ExpressionAttributeNames={"#owner": "owner"},
            ExpressionAttributeValues=encode({":owner": owner}),
        )
    except dynamodb().exceptions.ConditionalCheckFailedException:
        raise ImportTaken(channel_id) from None


def finish_import(channel: Channel, owner: str, message: str, also: Iterable[Action] = ()) -> None:
    """Makes the channel visible in the place of its import, with the actions in `also`. Raises ChannelAlreadyExists if
    its YouTube channel was added meanwhile, ImportTaken if another writer has taken the place."""
    done = {
        "Delete": {
            "TableName": main_table(),
            "Key": encode(tables.channel_import_key(channel.id)),
            "ConditionExpression": "#owner = :owner",
            "ExpressionAttributeNames": {"#owner": "owner"},
            "ExpressionAttributeValues": encode({":owner": owner}),
        }
    }
    line = ProcessingLog(channel.id, LogLevel.INFO, message, now(), sequence=0)
    try:
        create_channel(channel, also=[done, put_action(line), *also])
    except ChannelAlreadyExists:
        renew_import(channel.id, owner)
        raise
