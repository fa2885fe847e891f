"""GET /api/channels/{channel_id}/stocks: every stock of a channel, and the figures of its track record."""

from functions.api.resolver import create_app, create_handler
from functions.api.schemas import ChannelId, ChannelStocks
from functions.logic.track_record import stocks_of_channel

app = create_app(__name__)


@app.endpoint()
def list_stocks(channel_id: ChannelId) -> ChannelStocks:
    return ChannelStocks.model_validate(stocks_of_channel(channel_id))


handler = create_handler(app)
