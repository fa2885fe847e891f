"""GET /api/channels/{channel_id}/logs: what happened, oldest first."""

from functions.record.api.schemas import (
    DEFAULT_LIMIT,
    ChannelId,
    Limit,
    Logs,
    LogsPage,
    NextToken,
    Since,
    Strong,
    timestamp_or_none,
)
from functions.record.channels import channels
from functions.runtime.http.page_tokens import page_token, start_key
from functions.runtime.http.resolver import create_app, create_handler

app = create_app(__name__)


@app.endpoint()
def list_logs(
    channel_id: ChannelId,
    since: Since = None,
    strong: Strong = False,
    limit: Limit = None,
    next_token: NextToken = None,
) -> Logs | LogsPage:
    first = timestamp_or_none(since)
    if limit is None and next_token is None:
        return Logs.model_validate({"logs": channels.list_logs(channel_id, first, consistent=strong)})
    scope = f"logs/{channel_id}"
    start = start_key(next_token, scope)
    # A token already points beyond `since`, and DynamoDB rejects a start key outside the key condition.
    page = channels.logs_after(channel_id, start, limit or DEFAULT_LIMIT, None if start else first, consistent=strong)
    return LogsPage.model_validate({"items": page.items, "nextToken": page_token(page.next_key, scope)})


handler = create_handler(app)
