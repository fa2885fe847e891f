"""GET /api/channels/{channel_id}/stocks/{ticker}/notes: what people noted on a stock of a channel, newest first."""

from functions.api.note_schemas import NotesPage
from functions.api.resolver import create_app, create_handler
from functions.api.schemas import DEFAULT_LIMIT, ChannelId, Limit, NextToken, Ticker
from functions.core.tokens import page_token, start_key
from functions.logic.notes import notes_of_stock

app = create_app(__name__)


@app.endpoint()
def list_notes(channel_id: ChannelId, ticker: Ticker, limit: Limit = None, next_token: NextToken = None) -> NotesPage:
    scope = f"notes/{channel_id}/{ticker}"
    page = notes_of_stock(channel_id, ticker, start_key(next_token, scope), limit or DEFAULT_LIMIT)
    return NotesPage.model_validate({"items": page.items, "nextToken": page_token(page.next_key, scope)})


handler = create_handler(app)
