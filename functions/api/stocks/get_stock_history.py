"""GET /api/stocks/{ticker}/history: daily closes of a stock, oldest first, for charts."""

from functions.api.resolver import create_app, create_handler
from functions.api.schemas import Close, EndDay, PriceHistory, StartDay, Ticker, check_period
from functions.logic.prices import history_of

app = create_app(__name__)


@app.endpoint()
def get_stock_history(ticker: Ticker, start: StartDay, end: EndDay) -> PriceHistory:
    check_period(start, end)
    closes = [Close(date=close.day.isoformat(), close=close.price) for close in history_of(ticker, start, end)]
    return PriceHistory(ticker=ticker, prices=closes)


handler = create_handler(app)
