"""GET /api/stocks/{ticker}/price: the newest price of a stock, or why there is none."""

from functions.record.api.schemas import StockPrice, Ticker
from functions.record.prices.current import may_use_source, price_of
from functions.runtime.http.resolver import create_app, create_handler

app = create_app(__name__)


@app.endpoint()
def get_stock_price(ticker: Ticker) -> StockPrice:
    from_source = may_use_source(app.current_event.headers)
    return StockPrice.model_validate(price_of(ticker, from_source=from_source))


handler = create_handler(app)
