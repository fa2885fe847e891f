"""GET /api/stocks/{ticker}/calls: what every channel called a stock, newest first, with what became of it."""

from functions.record.api.schemas import DEFAULT_LIMIT, Channel, Limit, NextToken, Ticker
from functions.record.api.score_schemas import AtHorizon, StockCall, StockCallsPage
from functions.record.scores.calls import calls_of_stock, fields_of
from functions.record.scoring.types import DEFAULT_HORIZON
from functions.runtime.http.page_tokens import page_token, start_key
from functions.runtime.http.resolver import create_app, create_handler

app = create_app(__name__)


@app.endpoint()
def list_stock_calls(
    ticker: Ticker, horizon: AtHorizon = DEFAULT_HORIZON, limit: Limit = None, next_token: NextToken = None
) -> StockCallsPage:
    """A page may hold fewer items than `limit`, even none, before the end."""
    scope = f"stock-calls/{ticker}"
    page = calls_of_stock(ticker, horizon, start_key(next_token, scope), limit or DEFAULT_LIMIT)
    items = [StockCall(**fields_of(call), channel=Channel.model_validate(channel)) for call, channel in page.items]
    return StockCallsPage(
        ticker=ticker,
        horizon=horizon,
        items=items,
        nextToken=page_token(page.next_key, scope),
        reason=page.reason,
    )


handler = create_handler(app)
