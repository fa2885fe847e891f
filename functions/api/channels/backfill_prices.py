"""POST /api/channels/{channel_id}/backfill-prices: looks for the prices that mentions still lack."""

from functions.api.idempotency import once_per_key
from functions.api.resolver import create_app, create_handler
from functions.api.schemas import Backfill, ChannelId, NoVideos
from functions.logic import price_keeping

app = create_app(__name__)


@app.endpoint(middlewares=[once_per_key])
def backfill_prices(channel_id: ChannelId) -> Backfill | NoVideos:
    backfill = price_keeping.request_backfill(channel_id)
    schema = NoVideos if backfill.missing is None else Backfill
    return schema.model_validate(backfill)


handler = create_handler(app)
