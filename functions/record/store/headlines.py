"""Queries of the headlines published before a call."""

from collections.abc import Iterator

from functions.record.models.tones import COPIED_SENTIMENT, NewsSentiment
from functions.runtime.dynamodb import tables
from functions.runtime.dynamodb.attributes import encode
from functions.runtime.dynamodb.connection import news_table
from functions.runtime.dynamodb.requests import query

AFTER_ALL = "~"
"""Sorts after every timestamp."""


def tones_of_tag(tag: str, since: str = "", until: str = AFTER_ALL) -> Iterator[tuple[str, NewsSentiment | None]]:
    """Yields when each story of a tag was published, oldest first, and its sentiment: None until it is analysed."""
    items = query(
        TableName=news_table(),
        IndexName=tables.BY_TAG.name,
        KeyConditionExpression="tag = :tag AND #timestamp BETWEEN :since AND :until",
        # The separator before the tag sorts before every character of a timestamp.
        ExpressionAttributeValues=encode({":tag": tag, ":since": since or " ", ":until": until}),
        ExpressionAttributeNames={"#timestamp": "timestamp"},
        ProjectionExpression=f"#timestamp, {COPIED_SENTIMENT}",
    )
    for item in items:
        tone = item.get(COPIED_SENTIMENT)
        yield item["timestamp"]["S"].removesuffix(f"#{tag}"), NewsSentiment(tone["S"]) if tone else None
