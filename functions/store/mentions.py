"""Stock mentions: of a video, of a channel, of a ticker, and those still without a price."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from functions.core import tables
from functions.core.attributes import encode
from functions.core.ids import mention_id
from functions.core.models import StockMention, Video
from functions.store.connection import dynamodb, main_table
from functions.store.requests import batch_get, count, query

WITHOUT_CONTEXT = {
    "ProjectionExpression": "id, video_id, channel_id, ticker, sentiment, published_at, created_at, price_at_mention"
}


def mentions_of_video(video_id: str, *, ticker: str | None = None, consistent: bool = False) -> list[StockMention]:
    return _mentions(**_of_video(video_id, ticker), ConsistentRead=consistent)


def mentions_of_channel(channel_id: str, *, ticker: str | None = None, with_context: bool = True) -> list[StockMention]:
    """All of a channel in one question, however many videos it has. Leaving the quotes out halves the transfer."""
    return _mentions(**_of_channel(channel_id, ticker), **({} if with_context else WITHOUT_CONTEXT))


def mentions_of_ticker(ticker: str) -> list[StockMention]:
    """In any channel, oldest video first."""
    return _mentions(
        TableName=main_table(),
        IndexName=tables.BY_TICKER_OR_LISTING.name,
        KeyConditionExpression="GSI1PK = :pk",
        ExpressionAttributeValues=encode({":pk": tables.ticker_pk(ticker)}),
    )


def mentions_of_videos(videos: Iterable[Video]) -> list[StockMention]:
    """By key, since a video knows its tickers and mention ids are derived from them."""
    keys = [tables.mention_key(video.id, mention_id(video.id, ticker)) for video in videos for ticker in video.tickers]
    return [StockMention.from_item(item) for item in batch_get(main_table(), keys)]


def unpriced_mentions(channel_id: str) -> list[StockMention]:
    return _mentions(**_unpriced(channel_id), **WITHOUT_CONTEXT)


def count_unpriced_mentions(channel_id: str) -> int:
    return count(**_unpriced(channel_id))


def set_mention_price(mention: StockMention, price: float) -> bool:
    """Whether the mention was still there to be priced."""
    priced = replace(mention, price_at_mention=price)
    try:
        dynamodb().update_item(
            TableName=main_table(),
            Key=encode(tables.mention_key(mention.video_id, mention.id)),
            UpdateExpression="SET price_at_mention = :price",
            ConditionExpression="attribute_exists(PK)",
            ExpressionAttributeValues=encode({":price": priced.price_at_mention}),
        )
    except dynamodb().exceptions.ConditionalCheckFailedException:
        return False
    return True


def _of_video(video_id: str, ticker: str | None) -> dict[str, Any]:
    request = {
        "TableName": main_table(),
        "KeyConditionExpression": "PK = :pk AND begins_with(SK, :prefix)",
        "ExpressionAttributeValues": encode({":pk": tables.video_pk(video_id), ":prefix": tables.MENTION_PREFIX}),
    }
    return _only(request, ticker)


def _of_channel(channel_id: str, ticker: str | None = None) -> dict[str, Any]:
    request = {
        "TableName": main_table(),
        "IndexName": tables.BY_YOUTUBE_CHANNEL_OR_CHANNEL.name,
        "KeyConditionExpression": "GSI2PK = :pk",
        "ExpressionAttributeValues": encode({":pk": tables.channel_pk(channel_id)}),
    }
    return _only(request, ticker)


def _unpriced(channel_id: str) -> dict[str, Any]:
    return {**_of_channel(channel_id), "FilterExpression": "attribute_not_exists(price_at_mention)"}


def _only(request: dict[str, Any], ticker: str | None) -> dict[str, Any]:
    if ticker is None:
        return request
    values = {**request["ExpressionAttributeValues"], **encode({":ticker": ticker})}
    return {**request, "ExpressionAttributeValues": values, "FilterExpression": "ticker = :ticker"}


def _mentions(**request: Any) -> list[StockMention]:
    return [StockMention.from_item(item) for item in query(**request)]
