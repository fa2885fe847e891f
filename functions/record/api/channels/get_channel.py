"""GET /api/channels/{channel_id}: one channel."""

from functions.record.api.schemas import Channel, ChannelId, Strong
from functions.record.channels import channels
from functions.runtime.http.resolver import create_app, create_handler

app = create_app(__name__)


@app.endpoint()
def get_channel(channel_id: ChannelId, strong: Strong = False) -> Channel:
    return Channel.model_validate(channels.get_channel(channel_id, consistent=strong))


handler = create_handler(app)
