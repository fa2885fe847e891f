"""Stored scores of channels, so they are not computed for each request."""

from collections.abc import Iterable

from functions.record.models.records import Channel
from functions.record.models.scores import (
    CallsItem,
    ReviewQueueItem,
    ReviewSampleItem,
    ScorecardItem,
    StandingItem,
    StocksListItem,
)
from functions.record.store.channel_conditions import STATUSES_UNDER_WAY, THERE, UNDER_WAY
from functions.runtime.dynamodb import tables
from functions.runtime.dynamodb.attributes import encode
from functions.runtime.dynamodb.connection import main_table
from functions.runtime.dynamodb.entity import Entity
from functions.runtime.dynamodb.requests import (
    ConditionNotMet,
    TransactionRefused,
    get,
    query,
    transact,
    update,
    update_action,
)


def scorecard_of_channel(channel_id: str) -> ScorecardItem | None:
    item = get(main_table(), tables.scorecard_key(channel_id))
    return ScorecardItem.from_item(item) if item else None


def stocks_list_of_channel(channel_id: str) -> StocksListItem | None:
    item = get(main_table(), tables.stocks_list_key(channel_id))
    return StocksListItem.from_item(item) if item else None


def kept_calls_of_channel(channel_id: str, *, consistent: bool = False) -> CallsItem | None:
    item = get(main_table(), tables.kept_calls_key(channel_id), consistent=consistent)
    return CallsItem.from_item(item) if item else None


def review_queue_of_channel(channel_id: str) -> ReviewQueueItem | None:
    item = get(main_table(), tables.review_queue_key(channel_id))
    return ReviewQueueItem.from_item(item) if item else None


def review_sample_of_channel(channel_id: str, *, consistent: bool = False) -> ReviewSampleItem | None:
    item = get(main_table(), tables.review_sample_key(channel_id), consistent=consistent)
    return ReviewSampleItem.from_item(item) if item else None


def standing_of_channel(channel_id: str) -> StandingItem | None:
    """A consistent read."""
    item = get(main_table(), tables.standing_key(channel_id), consistent=True)
    return StandingItem.from_item(item) if item else None


def all_standings() -> list[StandingItem]:
    """Returns the standing of every channel that has been scored."""
    items = query(
        TableName=main_table(),
        IndexName=tables.BY_TICKER_OR_LISTING.name,
        KeyConditionExpression="GSI1PK = :pk",
        ExpressionAttributeValues=encode({":pk": tables.ALL_SCORECARDS}),
    )
    return [StandingItem.from_item(item) for item in items]


def mark_changed(channel_id: str) -> bool:
    """Increases the channel's revision, so its stored score is stale. Returns True if the score was up to date."""
    try:
        item = update(tables.channel_key(channel_id), "ADD #revision :one", THERE, {"one": 1})
    except ConditionNotMet:
        return False
    channel = Channel.from_item(item)
    return channel.is_scored_at(channel.revision - 1) and not channel.is_under_way


def save_score(channel: Channel, scored: str, items: Iterable[Entity]) -> bool:
    """Stores the results computed from a channel at its revision; returns False if it has changed, started a run or
    been scored since."""
    unscored = "scored = :before" if channel.scored else "attribute_not_exists(scored)"
    same = "revision = :revision" if channel.revision else "(attribute_not_exists(revision) OR revision = :revision)"
    mark = update_action(
        tables.channel_key(channel.id),
        "SET scored = :scored",
        f"{THERE} AND {same} AND {unscored} AND NOT {UNDER_WAY}",
        {
            "scored": scored,
            "before": channel.scored,
            "revision": channel.revision,
            **STATUSES_UNDER_WAY,
        },
    )
    puts = [{"Put": {"TableName": main_table(), "Item": item.to_item()}} for item in items]
    try:
        transact([{"Update": mark}, *puts])
    except TransactionRefused:
        return False
    return True
