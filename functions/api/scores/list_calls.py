"""GET /api/channels/{channel_id}/calls: a channel's buys and sells, newest first, with what became of each."""

from functions.api.resolver import create_app, create_handler
from functions.api.schemas import DEFAULT_LIMIT, ChannelId, Limit, NextToken, OfTicker
from functions.api.score_schemas import AtHorizon, CallsPage, OfKind, OfStatus
from functions.core.models import Sentiment
from functions.core.tokens import page_token, start_key
from functions.logic.scored_calls import CallFilter, calls_of_channel
from functions.logic.scoring.types import DEFAULT_HORIZON

app = create_app(__name__)


@app.endpoint()
def list_calls(
    channel_id: ChannelId,
    horizon: AtHorizon = DEFAULT_HORIZON,
    kind: OfKind = None,
    status: OfStatus = None,
    ticker: OfTicker = None,
    limit: Limit = None,
    next_token: NextToken = None,
) -> CallsPage:
    """A filtered page may hold fewer items than `limit`, even none."""
    scope = f"calls/{channel_id}"
    only = CallFilter(Sentiment(kind) if kind else None, status, ticker)
    page = calls_of_channel(channel_id, horizon, start_key(next_token, scope), limit or DEFAULT_LIMIT, only)
    return CallsPage(horizon=horizon, items=page.items, nextToken=page_token(page.next_key, scope), reason=page.reason)


handler = create_handler(app)
