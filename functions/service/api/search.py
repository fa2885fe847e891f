"""GET /api/search: the channels and stocks that match a text."""

from functions.record.api.schemas import Channel, FoundStock, SearchResults, SearchText
from functions.record.channels import search as searching
from functions.runtime.http.resolver import create_app, create_handler

app = create_app(__name__)


@app.endpoint()
def search(q: SearchText) -> SearchResults:
    found = searching.search(q)
    return SearchResults(
        channels=[Channel.model_validate(channel) for channel in found.channels],
        stocks=[FoundStock.model_validate(stock) for stock in found.stocks],
    )


handler = create_handler(app)
