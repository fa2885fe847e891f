"""GET /api/channels/{channel_id}/calls: a channel's buys and sells, newest first, with what became of each."""

from aws_lambda_powertools.event_handler import Response

from functions.reading.terms import Sentiment
from functions.record.api.csv import AsFormat, WithMark, csv_response, wants_csv
from functions.record.api.schemas import DEFAULT_LIMIT, ChannelId, Limit, NextToken, OfTicker
from functions.record.api.score_schemas import AtHorizon, CallsPage, OfKind, OfStatus
from functions.record.scores.calls import CallFilter, calls_of_channel
from functions.record.scores.csv import calls_as_csv
from functions.record.scoring.types import DEFAULT_HORIZON
from functions.runtime.http.page_tokens import page_token, start_key
from functions.runtime.http.resolver import create_app, create_handler

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
    as_format: AsFormat = None,
    with_mark: WithMark = False,
) -> Response[CallsPage | str]:
    """A filtered page may hold fewer items than `limit`, even none. A CSV file has no pages: it holds all calls."""
    only = CallFilter(Sentiment(kind) if kind else None, status, ticker)
    if wants_csv(app.current_event.raw_event, as_format):
        return csv_response(calls_as_csv(channel_id, horizon, only), with_mark=with_mark)
    scope = f"calls/{channel_id}"
    page = calls_of_channel(channel_id, horizon, start_key(next_token, scope), limit or DEFAULT_LIMIT, only)
    body = CallsPage(horizon=horizon, items=page.items, nextToken=page_token(page.next_key, scope), reason=page.reason)
    return Response(200, content_type="application/json", body=body)


handler = create_handler(app)
