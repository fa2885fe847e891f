"""GET /api/channels/{channel_id}/review: mentions to look at, the most doubtful first or a random sample."""

from functions.record.api.review_schemas import (
    Below,
    InOrder,
    OfSample,
    QueuedMention,
    ReviewQueue,
    SampleProgress,
    mention_with_video,
)
from functions.record.api.schemas import DEFAULT_LIMIT, ChannelId, Limit, NextToken
from functions.record.models.scores import ReviewOrder
from functions.record.reviews.queue import review_queue
from functions.record.scores.preferences import review_below
from functions.runtime.http.caller import caller_of
from functions.runtime.http.page_tokens import page_token, start_key
from functions.runtime.http.resolver import create_app, create_handler

app = create_app(__name__)


@app.endpoint()
def list_review_queue(
    channel_id: ChannelId,
    order: InOrder = ReviewOrder.DOUBT,
    of_sample: OfSample = False,
    below: Below = None,
    limit: Limit = None,
    next_token: NextToken = None,
) -> ReviewQueue:
    """A page may hold fewer items than `limit`, even none, where many were reviewed just before."""
    order = ReviewOrder.SAMPLE if of_sample else order
    scope = f"review/{channel_id}/{order}"
    caller = caller_of(app.current_event.raw_event)
    page = review_queue(
        channel_id,
        order,
        start_key(next_token, scope),
        limit or DEFAULT_LIMIT,
        lambda: review_below(caller) if below is None else below,
    )
    items = [
        QueuedMention(
            mention=mention_with_video(each.mention, each.video),
            name=each.name,
            reason=each.reason,
            excess_percent=None,
        )
        for each in page.items
    ]
    return ReviewQueue(
        items=items,
        nextToken=page_token(page.next_key, scope),
        remaining=page.remaining,
        sample=SampleProgress.model_validate(page.sample) if page.sample else None,
    )


handler = create_handler(app)
