"""Videos of a channel."""

from collections.abc import Iterable, Iterator
from typing import Any

from functions.core import tables
from functions.core.attributes import Item, encode
from functions.core.models import Video
from functions.store.connection import main_table
from functions.store.requests import Page, batch_get, get, query, query_page

COUNTED_AT_ONCE = 50


def videos_of_channel(channel_id: str, *, consistent: bool = False) -> list[Video]:
    items = query(**_of_channel(channel_id), ConsistentRead=consistent)
    return [Video.from_item(item) for item in items]


def each_video_of_channel(channel_id: str) -> Iterator[Video]:
    """The videos as they truly are, some at a time: for counting, however many there are."""
    return map(Video.from_item, query(**_of_channel(channel_id), ConsistentRead=True, Limit=COUNTED_AT_ONCE))


def newest_videos_with_calls(channel_id: str, limit: int, start: Item | None = None) -> Page[Video]:
    page = query_page(
        limit,
        start,
        TableName=main_table(),
        IndexName=tables.BY_TICKER_OR_LISTING.name,
        KeyConditionExpression="GSI1PK = :pk",
        ExpressionAttributeValues=encode({":pk": tables.channel_pk(channel_id)}),
        ScanIndexForward=False,
    )
    return Page([Video.from_item(item) for item in page.items], page.next_key)


def videos_by_id(channel_id: str, video_ids: Iterable[str]) -> dict[str, Video]:
    keys = [tables.video_key(channel_id, video_id) for video_id in video_ids]
    videos = (Video.from_item(item) for item in batch_get(main_table(), keys))
    return {video.id: video for video in videos}


def video_by_id(channel_id: str, video_id: str, *, consistent: bool = False) -> Video | None:
    item = get(main_table(), tables.video_key(channel_id, video_id), consistent=consistent)
    return Video.from_item(item) if item else None


def video_by_youtube_id(youtube_video_id: str) -> Video | None:
    """The index holds keys alone, so the video itself is then fetched by its key."""
    found = query(
        TableName=main_table(),
        IndexName=tables.BY_YOUTUBE_VIDEO.name,
        KeyConditionExpression="GSI3PK = :pk",
        ExpressionAttributeValues=encode({":pk": tables.youtube_video_pk(youtube_video_id)}),
    )
    keys = next(found, None)
    item = get(main_table(), {"PK": keys["PK"]["S"], "SK": keys["SK"]["S"]}) if keys else None
    return Video.from_item(item) if item else None


def _of_channel(channel_id: str) -> dict[str, Any]:
    return {
        "TableName": main_table(),
        "KeyConditionExpression": "PK = :pk AND begins_with(SK, :prefix)",
        "ExpressionAttributeValues": encode({":pk": tables.channel_pk(channel_id), ":prefix": tables.VIDEO_PREFIX}),
    }
