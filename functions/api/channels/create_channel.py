"""POST /api/channels: adds a channel and begins to process it."""

from aws_lambda_powertools.event_handler import Response

from functions.api.caller import caller_of
from functions.api.idempotency import once_per_key
from functions.api.resolver import create_app, create_handler
from functions.api.schemas import Channel, NewChannel
from functions.core.activity import StartedBy, Starter
from functions.logic import channels

app = create_app(__name__)


@app.endpoint(status_code=201, middlewares=[once_per_key])
def create_channel(request: NewChannel) -> Response[Channel]:
    starter = Starter(StartedBy.PERSON, caller_of(app.current_event.raw_event))
    channel = channels.create_channel(request.url, request.time_range_months, starter=starter)
    return Response(
        201,
        content_type="application/json",
        headers={"Location": f"/api/channels/{channel.id}"},
        body=Channel.model_validate(channel),
    )


handler = create_handler(app)
