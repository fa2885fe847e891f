"""GET /api/channels/{channel_id}: one channel."""

from functions.api.resolver import create_app, create_handler
from functions.api.schemas import Channel, ChannelId, Strong
from functions.logic import channels

app = create_app(__name__)


@app.endpoint()
def get_channel(channel_id: ChannelId, strong: Strong = False) -> Channel:
    return Channel.model_validate(channels.get_channel(channel_id, consistent=strong))


handler = create_handler(app)
