"""GET /api/channels/{channel_id}/stocks: every stock of a channel, and the figures of its track record."""

from aws_lambda_powertools.event_handler import Response

from functions.record.api.csv import AsFormat, WithMark, csv_response, wants_csv
from functions.record.api.schemas import ChannelId, ChannelStocks
from functions.record.stocks.csv import stocks_as_csv
from functions.record.stocks.track_record import stocks_of_channel
from functions.runtime.http.resolver import create_app, create_handler

app = create_app(__name__)


@app.endpoint()
def list_stocks(
    channel_id: ChannelId, as_format: AsFormat = None, with_mark: WithMark = False
) -> Response[ChannelStocks | str]:
    if wants_csv(app.current_event.raw_event, as_format):
        return csv_response(stocks_as_csv(channel_id), with_mark=with_mark)
    stocks = ChannelStocks.model_validate(stocks_of_channel(channel_id))
    return Response(200, content_type="application/json", body=stocks)


handler = create_handler(app)
