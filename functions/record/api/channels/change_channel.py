"""PATCH /api/channels/{channel_id}: changes how often a channel is checked, and over how many months it is followed."""

from functions.record.api.run_schemas import ChannelSettings
from functions.record.api.schemas import Channel, ChannelId
from functions.record.channels import channels
from functions.runtime.http.resolver import create_app, create_handler

app = create_app(__name__)


@app.endpoint()
def change_channel(channel_id: ChannelId, request: ChannelSettings) -> Channel:
    changed = channels.change_channel(channel_id, request.check_every, request.time_range_months, app.caller)
    return Channel.model_validate(changed)


handler = create_handler(app)
