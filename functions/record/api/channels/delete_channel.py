"""DELETE /api/channels/{channel_id}: removes a channel with its videos, mentions and logs."""

from aws_lambda_powertools.event_handler import Response

from functions.record.api.schemas import ChannelId
from functions.record.channels import channels
from functions.runtime.http.resolver import create_app, create_handler

app = create_app(__name__)


@app.endpoint(status_code=204)
def delete_channel(channel_id: ChannelId) -> Response[None]:
    channels.delete_channel(channel_id, app.caller)
    return Response(204)


handler = create_handler(app)
