"""People's reviews of how mentions were read."""

from functions.core import tables
from functions.core.attributes import encode
from functions.core.models import Review
from functions.store.connection import main_table
from functions.store.requests import query


def reviews_of_video(channel_id: str, video_id: str, *, consistent: bool = False) -> list[Review]:
    """Those withdrawn too."""
    items = query(
        TableName=main_table(),
        KeyConditionExpression="PK = :pk AND begins_with(SK, :prefix)",
        ExpressionAttributeValues=encode({":pk": tables.channel_pk(channel_id), ":prefix": tables.review_sk(video_id)}),
        ConsistentRead=consistent,
    )
    return [Review.from_item(item) for item in items]
