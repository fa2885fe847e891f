"""GET /api/channels/{channel_id}/stocks/{ticker}: what a channel said of one stock, newest video first."""

from functions.record.api.schemas import ChannelId, Mention, StockMentions, Ticker, Video
from functions.record.stocks.track_record import mentions_of_stock
from functions.runtime.http.resolver import create_app, create_handler

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
