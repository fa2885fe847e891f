"""GET /api/channels/{channel_id}/timeline: the videos that speak of stocks, newest first, with what they say."""

from functions.api.resolver import create_app, create_handler
from functions.api.schemas import DEFAULT_LIMIT, ChannelId, Limit, NextToken, Timeline, TimelinePage
from functions.core.tokens import page_token, start_key
from functions.logic.track_record import timeline_after, timeline_of_channel

app = create_app(__name__)


@app.endpoint()
def get_timeline(channel_id: ChannelId, limit: Limit = None, next_token: NextToken = None) -> Timeline | TimelinePage:
    if limit is None and next_token is None:
        return Timeline.model_validate({"timeline": timeline_of_channel(channel_id)})
    scope = f"timeline/{channel_id}"
    page = timeline_after(channel_id, start_key(next_token, scope), limit or DEFAULT_LIMIT)
    return TimelinePage.model_validate({"items": page.items, "nextToken": page_token(page.next_key, scope)})


handler = create_handler(app)
