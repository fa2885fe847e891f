"""POST /api/channels/{channel_id}/backfill-prices: looks for the prices that mentions still lack."""

from functions.record.api.schemas import Backfill, ChannelId, NoVideos
from functions.record.prices import refresh as price_keeping
from functions.runtime.http.idempotency import once_per_key
from functions.runtime.http.resolver import create_app, create_handler

app = create_app(__name__)


@app.endpoint(middlewares=[once_per_key])
def backfill_prices(channel_id: ChannelId) -> Backfill | NoVideos:
    backfill = price_keeping.request_backfill(channel_id)
    schema = NoVideos if backfill.missing is None else Backfill
    return schema.model_validate(backfill)


handler = create_handler(app)
