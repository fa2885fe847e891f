"""GET /api/stocks/{ticker}/history: daily closes of a stock, oldest first, for charts."""

from functions.record.api.schemas import Close, EndDay, PriceHistory, StartDay, Ticker, check_period
from functions.record.prices.current import closes_of, may_use_source
from functions.runtime.http.resolver import create_app, create_handler

app = create_app(__name__)


@app.endpoint()
def get_stock_history(ticker: Ticker, start: StartDay, end: EndDay) -> PriceHistory:
    check_period(start, end)
    from_source = may_use_source(app.current_event.headers)
    series = closes_of(ticker, start, end, from_source=from_source)
    rows = zip(series.days, series.closes, strict=True)
    return PriceHistory(ticker=ticker, prices=[Close(date=day.isoformat(), close=close) for day, close in rows])


handler = create_handler(app)
