"""POST /api/channels/{channel_id}/process: begins a new run."""

from functions.record.api.schemas import Channel, ChannelId, ProcessRequest
from functions.record.channels import channels
from functions.record.models.runs import Starter
from functions.runtime.http.idempotency import once_per_key
from functions.runtime.http.resolver import create_app, create_handler

app = create_app(__name__)


@app.endpoint(middlewares=[once_per_key])
def process_channel(channel_id: ChannelId, request: ProcessRequest | None = None) -> Channel:
    rereading = request is not None and request.reread
    channel = channels.process_channel(channel_id, rereading=rereading, starter=Starter.of(app.caller))
    return Channel.model_validate(channel)


handler = create_handler(app)
