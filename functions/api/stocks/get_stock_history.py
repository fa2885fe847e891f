"""GET /api/stocks/{ticker}/history: daily closes of a stock, oldest first, for charts."""

from functions.api.resolver import create_app, create_handler
from functions.api.schemas import Close, EndDay, PriceHistory, StartDay, Ticker, check_period
from functions.logic.prices import history_of, may_use_source

app = create_app(__name__)


@app.endpoint()
def get_stock_history(ticker: Ticker, start: StartDay, end: EndDay) -> PriceHistory:
    check_period(start, end)
    from_source = may_use_source(app.current_event.headers)
    closes = history_of(ticker, start, end, from_source=from_source)
    return PriceHistory(
        ticker=ticker, prices=[Close(date=close.day.isoformat(), close=close.price) for close in closes]
    )


handler = create_handler(app)
