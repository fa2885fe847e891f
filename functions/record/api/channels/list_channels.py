"""GET /api/channels: the channels, newest first, by numbered page or from token to token."""

from typing import Annotated

from aws_lambda_powertools.event_handler.openapi.params import Query

from functions.record.api.schemas import DEFAULT_LIMIT, Channels, ChannelsPage, Limit, NextToken
from functions.record.channels import channels
from functions.runtime.http.page_tokens import page_token, start_key
from functions.runtime.http.resolver import create_app, create_handler

SCOPE = "channels"

app = create_app(__name__)


@app.endpoint()
def list_channels(
    page: Annotated[int, Query(ge=1)] = 1,
    per_page: Annotated[int, Query(ge=1, le=100)] = 20,
    limit: Limit = None,
    next_token: NextToken = None,
) -> Channels | ChannelsPage:
    if limit is None and next_token is None:
        return Channels.model_validate(channels.list_channels(page, per_page))
    found = channels.channels_after(start_key(next_token, SCOPE), limit or DEFAULT_LIMIT)
    return ChannelsPage.model_validate({"items": found.items, "nextToken": page_token(found.next_key, SCOPE)})


handler = create_handler(app)
