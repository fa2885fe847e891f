"""GET /api/channels/{channel_id}/timeline: the videos that speak of stocks, newest first, with what they say."""

from functions.record.api.schemas import (
    DEFAULT_LIMIT,
    Before,
    ChannelId,
    Limit,
    NextToken,
    OfSentiment,
    OfTicker,
    Timeline,
    TimelinePage,
)
from functions.record.stocks.track_record import TimelineFilter, timeline_after, timeline_of_channel
from functions.runtime.http.page_tokens import page_token, start_key
from functions.runtime.http.resolver import create_app, create_handler

app = create_app(__name__)


@app.endpoint()
def get_timeline(
    channel_id: ChannelId,
    limit: Limit = None,
    next_token: NextToken = None,
    before: Before = None,
    ticker: OfTicker = None,
    sentiment: OfSentiment = None,
) -> Timeline | TimelinePage:
    """In pages when any parameter is given. A filtered page may hold fewer items than `limit`, even none."""
    only = TimelineFilter(ticker, sentiment)
    if limit is None and next_token is None and before is None and only.is_empty:
        return Timeline.model_validate({"timeline": timeline_of_channel(channel_id)})
    scope = f"timeline/{channel_id}"
    start = start_key(next_token, scope)
    # A token already points before the day, and DynamoDB rejects a start key outside the key condition.
    first_day = before.isoformat() if before and not start else None
    page = timeline_after(channel_id, start, limit or DEFAULT_LIMIT, first_day, only)
    return TimelinePage.model_validate({"items": page.items, "nextToken": page_token(page.next_key, scope)})


handler = create_handler(app)
