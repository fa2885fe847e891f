"""GET /api/channels/{channel_id}/changes: what changed in a record after the fact, newest first."""

from functions.record.api.review_schemas import Change, ChangesPage
from functions.record.api.schemas import DEFAULT_LIMIT, ChannelId, Limit, NextToken
from functions.record.channels.changes import changes_of_channel
from functions.runtime.http.page_tokens import page_token, start_key
from functions.runtime.http.resolver import create_app, create_handler

app = create_app(__name__)


@app.endpoint()
def list_changes(channel_id: ChannelId, limit: Limit = None, next_token: NextToken = None) -> ChangesPage:
    scope = f"changes/{channel_id}"
    page = changes_of_channel(channel_id, start_key(next_token, scope), limit or DEFAULT_LIMIT)
    items = [Change.of(each, app.shown) for each in page.items]
    return ChangesPage(items=items, nextToken=page_token(page.next_key, scope))


handler = create_handler(app)
