"""People's reviews of how mentions were read."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from functions.record.errors import ChannelNotFound
from functions.record.models.records import Change, Channel, Review, StockMention, Video
from functions.record.store.channel_conditions import THERE
from functions.record.store.readings import as_it_was, put_action
from functions.runtime.dynamodb import tables
from functions.runtime.dynamodb.attributes import Item, encode
from functions.runtime.dynamodb.connection import main_table
from functions.runtime.dynamodb.requests import Action, TransactionRefused, batch_get, query, transact, update_action
from functions.runtime.ids import mention_id


@dataclass(frozen=True, slots=True)
class Reviewed:
    """A mention with its channel, video and review, as one request reads them."""

    channel: Channel
    video: Video | None
    review: Review | None
    calls: str | None
    """The video's calls as stored, possibly in an older layout."""


def reviews_of_channel(channel_id: str) -> Iterator[Review]:
    """By video and ticker, including withdrawn reviews. A consistent read, a page at a time."""
    items = query(
        TableName=main_table(),
        KeyConditionExpression="PK = :pk AND begins_with(SK, :prefix)",
        ExpressionAttributeValues=encode({":pk": tables.channel_pk(channel_id), ":prefix": tables.REVIEW_PREFIX}),
        ConsistentRead=True,
    )
    return map(Review.from_item, items)


def reviews_of_video(channel_id: str, video_id: str, *, consistent: bool = False) -> list[Review]:
    """Includes withdrawn reviews."""
    items = query(
        TableName=main_table(),
        KeyConditionExpression="PK = :pk AND begins_with(SK, :prefix)",
        ExpressionAttributeValues=encode({":pk": tables.channel_pk(channel_id), ":prefix": tables.review_sk(video_id)}),
        ConsistentRead=consistent,
    )
    return [Review.from_item(item) for item in items]


def reviewed_call(channel_id: str, video_id: str, ticker: str) -> Reviewed:
    """Returns the channel, the video and the review of one of its calls; ChannelNotFound if the channel is gone."""
    keys = {
        Channel: tables.channel_key(channel_id),
        Video: tables.video_key(channel_id, video_id),
        Review: tables.review_key(channel_id, video_id, ticker),
    }
    items = {item["SK"]["S"]: item for item in batch_get(main_table(), keys.values(), ConsistentRead=True)}
    channel, video, review = (items.get(key["SK"]) for key in keys.values())
    if channel is None or "deleting" in channel:
        raise ChannelNotFound(channel_id)
    return Reviewed(
        Channel.from_item(channel),
        Video.from_item(video) if video else None,
        Review.from_item(review) if review else None,
        video["calls"]["S"] if video and "calls" in video else None,
    )


def reviews_of_calls(channel_id: str, calls: Iterable[tuple[str, str]]) -> dict[str, Review]:
    """Returns the reviews of mentions, given by video and ticker, by the mention's id. A consistent read."""
    keys = [tables.review_key(channel_id, *each) for each in calls]
    return _by_mention(batch_get(main_table(), keys, ConsistentRead=True))


def videos_and_reviews(channel_id: str, calls: Iterable[tuple[str, str]]) -> tuple[dict[str, Video], dict[str, Review]]:
    """Returns the videos of mentions, given by video and ticker, by video id, and their reviews by the mention's id."""
    wanted = list(calls)
    keys = [
        *(tables.video_key(channel_id, video_id) for video_id in {video_id for video_id, _ in wanted}),
        *(tables.review_key(channel_id, *each) for each in wanted),
    ]
    of_kind: dict[str, list[Item]] = {Video.__name__: [], Review.__name__: []}
    for item in batch_get(main_table(), keys):
        of_kind[item["entity"]["S"]].append(item)
    videos = map(Video.from_item, of_kind[Video.__name__])
    return {video.id: video for video in videos}, _by_mention(of_kind[Review.__name__])


def _by_mention(items: Iterable[Item]) -> dict[str, Review]:
    return {mention_id(review.video_id, review.ticker): review for review in map(Review.from_item, items)}


def save_review(read: Reviewed, mention: StockMention, review: Review, change: Change, audit: Action) -> bool:
    """Writes the mention, its video's copy, the review and its entries in the change log and the audit together, and
    marks the channel's stored score as stale in the same transaction. Returns False if the video or the review has
    changed since it was read."""
    assert read.video
    calls = tuple(mention if call.ticker == mention.ticker else call for call in read.video.calls)
    of_video = update_action(
        tables.video_key(read.video.channel_id, read.video.id),
        "SET calls = :after ADD edits :one",
        f"calls = :before AND {as_it_was(read.video)}",
        {
            "before": read.calls,
            "after": replace(read.video, calls=calls).call_attributes()["calls"],
            "edits": read.video.edits,
            "one": 1,
        },
    )
    of_channel = update_action(tables.channel_key(review.channel_id), "ADD #revision :one", THERE, {"one": 1})
    try:
        transact(
            [
                {"Update": of_channel},
                {"Update": of_video},
                put_action(mention),
                put_action(review, **_as_it_was(read.review)),
                put_action(change),
                audit,
            ]
        )
    except TransactionRefused as refused:
        if refused.failed[0]:
            raise ChannelNotFound(review.channel_id) from None
        return False
    return True


def _as_it_was(review: Review | None) -> dict[str, object]:
    if review is None:
        return {"ConditionExpression": "attribute_not_exists(PK)"}
    return {
        "ConditionExpression": "#version = :version",
        "ExpressionAttributeNames": {"#version": "version"},
        "ExpressionAttributeValues": encode({":version": review.version}),
    }
