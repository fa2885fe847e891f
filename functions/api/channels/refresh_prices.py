"""POST /api/channels/{channel_id}/refresh-prices: today's prices of a channel's stocks."""

from functions.api.idempotency import once_per_key
from functions.api.resolver import create_app, create_handler
from functions.api.schemas import ChannelId, Prices
from functions.logic import price_keeping

app = create_app(__name__)


@app.endpoint(middlewares=[once_per_key])
def refresh_prices(channel_id: ChannelId) -> Prices:
    return Prices.model_validate(price_keeping.refresh_prices(channel_id))


handler = create_handler(app)
