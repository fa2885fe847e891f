"""Stock mentions by video, channel or ticker. Whole channels are usually read from the copies in their videos."""

from typing import Any

from functions.record.models.records import StockMention
from functions.runtime.dynamodb import tables
from functions.runtime.dynamodb.attributes import Item, encode
from functions.runtime.dynamodb.connection import main_table
from functions.runtime.dynamodb.requests import Page, query, query_page


def mentions_of_video(video_id: str, *, ticker: str | None = None, consistent: bool = False) -> list[StockMention]:
    request = {
        "TableName": main_table(),
        "KeyConditionExpression": "PK = :pk AND begins_with(SK, :prefix)",
        "ExpressionAttributeValues": encode({":pk": tables.video_pk(video_id), ":prefix": tables.MENTION_PREFIX}),
        "ConsistentRead": consistent,
    }
    return _mentions(**_only(request, ticker))


def mentions_of_channel(channel_id: str, *, ticker: str | None = None) -> list[StockMention]:
    """Returns all mentions of a channel in one query, however many videos it has."""
    request = {
        "TableName": main_table(),
        "IndexName": tables.BY_YOUTUBE_CHANNEL_OR_CHANNEL.name,
        "KeyConditionExpression": "GSI2PK = :pk",
        "ExpressionAttributeValues": encode({":pk": tables.channel_pk(channel_id)}),
    }
    return _mentions(**_only(request, ticker))


def mentions_of_ticker(ticker: str) -> list[StockMention]:
    """In any channel, oldest video first."""
    return _mentions(**_of_ticker(ticker))


def is_mentioned(ticker: str) -> bool:
    """True if any channel mentions the ticker."""
    found = query(**_of_ticker(ticker), Limit=1, ProjectionExpression="PK")
    return next(found, None) is not None


def channels_that_mention(ticker: str, days: tuple[str, str] | None = None) -> set[str]:
    """Returns the ids of the channels, or of those that did on days from the first to the last."""
    request = _of_ticker(ticker)
    if days:
        request["KeyConditionExpression"] += " AND GSI1SK BETWEEN :first AND :last"
        request["ExpressionAttributeValues"] |= encode({":first": days[0], ":last": days[1]})
    items = query(**request, ProjectionExpression="channel_id")
    return {item["channel_id"]["S"] for item in items}


def _of_ticker(ticker: str) -> dict[str, Any]:
    return {
        "TableName": main_table(),
        "IndexName": tables.BY_TICKER_OR_LISTING.name,
        "KeyConditionExpression": "GSI1PK = :pk",
        "ExpressionAttributeValues": encode({":pk": tables.ticker_pk(ticker)}),
    }


def newest_mentions_of_ticker(ticker: str, limit: int, start: Item | None = None) -> Page[StockMention]:
    """In any channel, newest video first."""
    page = query_page(limit, start, **_of_ticker(ticker), ScanIndexForward=False)
    return Page([StockMention.from_item(item) for item in page.items], page.next_key)


def _only(request: dict[str, Any], ticker: str | None) -> dict[str, Any]:
    if ticker is None:
        return request
    values = {**request["ExpressionAttributeValues"], **encode({":ticker": ticker})}
    return {**request, "ExpressionAttributeValues": values, "FilterExpression": "ticker = :ticker"}


def _mentions(**request: Any) -> list[StockMention]:
    return [StockMention.from_item(item) for item in query(**request)]
