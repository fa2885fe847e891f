"""POST /api/channels/{channel_id}/cancel: ends the run under way."""

from functions.record.api.schemas import Channel, ChannelId
from functions.record.channels import channels
from functions.runtime.http.idempotency import once_per_key
from functions.runtime.http.resolver import create_app, create_handler

app = create_app(__name__)


@app.endpoint(middlewares=[once_per_key])
def cancel_channel(channel_id: ChannelId) -> Channel:
    return Channel.model_validate(channels.cancel_channel(channel_id, app.caller))


handler = create_handler(app)
