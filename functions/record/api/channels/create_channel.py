"""POST /api/channels: adds a channel and begins to process it."""

from aws_lambda_powertools.event_handler import Response

from functions.record.api.schemas import Channel, NewChannel
from functions.record.channels import channels
from functions.record.models.runs import Starter
from functions.runtime.http.idempotency import once_per_key
from functions.runtime.http.resolver import create_app, create_handler

app = create_app(__name__)


@app.endpoint(status_code=201, middlewares=[once_per_key])
def create_channel(request: NewChannel) -> Response[Channel]:
    channel = channels.create_channel(request.url, request.time_range_months, starter=Starter.of(app.caller))
    return Response(
        201,
        content_type="application/json",
        headers={"Location": f"/api/channels/{channel.id}"},
        body=Channel.model_validate(channel),
    )


handler = create_handler(app)
