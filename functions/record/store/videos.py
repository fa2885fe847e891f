"""Videos of a channel, with their calls."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from functions.record.errors import VideoChanged
from functions.record.models.records import Video
from functions.runtime.dynamodb import tables
from functions.runtime.dynamodb.attributes import Item, Value, decode, encode
from functions.runtime.dynamodb.connection import main_table
from functions.runtime.dynamodb.requests import ConditionNotMet, Page, batch_get, get, query, query_page, update

COUNTED_AT_ONCE = 50


@dataclass(frozen=True, slots=True)
class VideoOutline:
    id: str
    published_at: str
    transcript_status: str
    published_time: str | None = None
    removed_at: str | None = None

    @property
    def timeline_position(self) -> str:
        return tables.timeline_sk(self.published_at, self.published_time, self.id)


def count_attempt(video: Video) -> None:
    """Counts a reading as interrupted until it ends. Raises VideoChanged if another began since the video was read."""
    seen = "interrupted = :seen" if video.interrupted else "attribute_not_exists(interrupted)"
    values: dict[str, Value] = {"seen": video.interrupted, "count": (video.interrupted or 0) + 1}
    key = tables.video_key(video.channel_id, video.id)
    try:
        update(key, "SET interrupted = :count", f"attribute_exists(PK) AND {seen}", values)
    except ConditionNotMet:
        raise VideoChanged(video.id) from None


def end_attempt(video: Video, *, declined: bool) -> None:
    """Notes that a reading failed without ending its worker."""
    expression = "REMOVE interrupted SET declined = :yes" if declined else "REMOVE interrupted"
    with suppress(ConditionNotMet):
        update(tables.video_key(video.channel_id, video.id), expression, "attribute_exists(PK)", {"yes": True})


def allow_reading(video: Video) -> None:
    """Lets a video that was given up be read again."""
    with suppress(ConditionNotMet):
        key = tables.video_key(video.channel_id, video.id)
        update(key, "REMOVE interrupted, declined", "attribute_exists(PK)", {})


def videos_of_channel(channel_id: str, *, consistent: bool = False) -> list[Video]:
    items = query(**_of_channel(channel_id), ConsistentRead=consistent)
    return [Video.from_item(item) for item in items]


def videos_about(channel_id: str, ticker: str) -> list[Video]:
    """Returns the videos that mention a stock."""
    items = query(**_of_channel(channel_id, "contains(tickers, :ticker)", {":ticker": ticker}))
    return [Video.from_item(item) for item in items]


def tickers_of_channel(channel_id: str) -> set[str]:
    items = query(**_of_channel(channel_id, "attribute_exists(tickers)"), ProjectionExpression="tickers")
    return {ticker["S"] for item in items for ticker in item["tickers"]["L"]}


def count_unpriced_calls(channel_id: str) -> int:
    items = query(**_of_channel(channel_id, "attribute_exists(unpriced)"), ProjectionExpression="unpriced")
    return sum(int(item["unpriced"]["N"]) for item in items)


def each_video_of_channel(channel_id: str, at_once: int = COUNTED_AT_ONCE) -> Iterator[Video]:
    """A consistent read, a page at a time, which suits counting any number of videos."""
    return map(Video.from_item, query(**_of_channel(channel_id), ConsistentRead=True, Limit=at_once))


def outlines_of_videos(channel_id: str) -> list[VideoOutline]:
    """Returns all videos without their calls, which would be most of the bytes."""
    names = "id, published_at, published_time, transcript_status, removed_at"
    items = query(**_of_channel(channel_id), ProjectionExpression=names)
    return [VideoOutline(**decode(item)) for item in items]  # type: ignore[arg-type]


def newest_videos_with_calls(
    channel_id: str, limit: int, start: Item | None = None, *, before: str | None = None
) -> Page[Video]:
    """Only those published before a day, if one is given."""
    values = {":pk": tables.channel_pk(channel_id), **({":before": before} if before else {})}
    page = query_page(
        limit,
        start,
        TableName=main_table(),
        IndexName=tables.BY_TICKER_OR_LISTING.name,
        KeyConditionExpression="GSI1PK = :pk" + (" AND GSI1SK < :before" if before else ""),
        ExpressionAttributeValues=encode(values),
        ScanIndexForward=False,
    )
    return Page([Video.from_item(item) for item in page.items], page.next_key)


def video_by_id(channel_id: str, video_id: str, *, consistent: bool = False) -> Video | None:
    item = get(main_table(), tables.video_key(channel_id, video_id), consistent=consistent)
    return Video.from_item(item) if item else None


def videos_by_id(ids: Iterable[tuple[str, str]], *, consistent: bool = False) -> dict[str, Video]:
    """Returns the videos with these channel and video ids, by video id."""
    items = batch_get(main_table(), [tables.video_key(*each) for each in ids], ConsistentRead=consistent)
    return {video.id: video for video in map(Video.from_item, items)}


def video_by_youtube_id(youtube_video_id: str) -> Video | None:
    """The index projects only keys, so the video itself is then fetched by its key."""
    found = query(
        TableName=main_table(),
        IndexName=tables.BY_YOUTUBE_VIDEO_OR_STATE.name,
        KeyConditionExpression="GSI3PK = :pk",
        ExpressionAttributeValues=encode({":pk": tables.youtube_video_pk(youtube_video_id)}),
    )
    keys = next(found, None)
    item = get(main_table(), {"PK": keys["PK"]["S"], "SK": keys["SK"]["S"]}) if keys else None
    return Video.from_item(item) if item else None


def _of_channel(channel_id: str, only: str | None = None, values: Mapping[str, str] | None = None) -> dict[str, Any]:
    of_channel = {":pk": tables.channel_pk(channel_id), ":prefix": tables.VIDEO_PREFIX}
    return {
        "TableName": main_table(),
        "KeyConditionExpression": "PK = :pk AND begins_with(SK, :prefix)",
        "ExpressionAttributeValues": encode({**of_channel, **(values or {})}),
        **({"FilterExpression": only} if only else {}),
    }
