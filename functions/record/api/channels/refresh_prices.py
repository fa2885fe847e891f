"""POST /api/channels/{channel_id}/refresh-prices: today's prices of a channel's stocks."""

from functions.record.api.schemas import ChannelId, Prices
from functions.record.prices import refresh as price_keeping
from functions.runtime.http.idempotency import once_per_key
from functions.runtime.http.resolver import create_app, create_handler

app = create_app(__name__)


@app.endpoint(middlewares=[once_per_key])
def refresh_prices(channel_id: ChannelId) -> Prices:
    return Prices.model_validate(price_keeping.refresh_prices(channel_id))


handler = create_handler(app)
