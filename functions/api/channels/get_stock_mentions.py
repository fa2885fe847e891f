"""GET /api/channels/{channel_id}/stocks/{ticker}: what a channel said of one stock, newest video first."""

from functions.api.resolver import create_app, create_handler
from functions.api.schemas import ChannelId, Mention, StockMentions, Ticker, Video
from functions.logic.track_record import mentions_of_stock

app = create_app(__name__)


@app.endpoint()
def get_stock_mentions(channel_id: ChannelId, ticker: Ticker) -> StockMentions:
    mentions = [
        Mention.model_validate(mention).model_copy(
            update={"video": Video.model_validate(video), "price_problem": problem}
        )
        for mention, video, problem in mentions_of_stock(channel_id, ticker)
    ]
    return StockMentions(ticker=ticker, channel_id=channel_id, mentions=mentions)


handler = create_handler(app)
