"""GET /api/channels/{channel_id}/stocks/{ticker}/notes: the notes on a stock of a channel, newest first."""

from functions.people.api.note_schemas import NotesPage
from functions.people.notes import notes_of_stock
from functions.record.api.schemas import DEFAULT_LIMIT, ChannelId, Limit, NextToken, Ticker
from functions.runtime.http.page_tokens import page_token, start_key
from functions.runtime.http.resolver import create_app, create_handler

app = create_app(__name__)


@app.endpoint()
def list_notes(channel_id: ChannelId, ticker: Ticker, limit: Limit = None, next_token: NextToken = None) -> NotesPage:
    scope = f"notes/{channel_id}/{ticker}"
    page = notes_of_stock(channel_id, ticker, start_key(next_token, scope), limit or DEFAULT_LIMIT)
    return NotesPage.model_validate({"items": page.items, "nextToken": page_token(page.next_key, scope)})


handler = create_handler(app)
