"""GET /api/channels/{channel_id}/feed.atom: the newest calls, verdicts and matured calls of a channel, as Atom."""

from functools import partial

from aws_lambda_powertools.event_handler import Response

from functions.alerts.api.atom import feed_response
from functions.alerts.atom_feeds import feed_of_channel
from functions.record.api.schemas import ChannelId
from functions.runtime.http.resolver import create_app, create_handler

app = create_app(__name__)


@app.endpoint()
def get_channel_feed(channel_id: ChannelId) -> Response[str]:
    return feed_response(app.current_event.raw_event, partial(feed_of_channel, channel_id))


handler = create_handler(app)
