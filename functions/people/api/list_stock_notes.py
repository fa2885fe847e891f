"""GET /api/stocks/{ticker}/notes: the notes on a stock across all channels, newest first."""

from functions.people.api.note_schemas import NotesOfTickerPage, NoteWithChannel
from functions.people.notes import notes_of_ticker
from functions.record.api.schemas import DEFAULT_LIMIT, Limit, NextToken, Ticker
from functions.runtime.http.page_tokens import page_token, start_key
from functions.runtime.http.resolver import create_app, create_handler

app = create_app(__name__)


@app.endpoint()
def list_stock_notes(ticker: Ticker, limit: Limit = None, next_token: NextToken = None) -> NotesOfTickerPage:
    """A page may hold fewer items than `limit`, even none, while a channel is being deleted."""
    scope = f"notes/{ticker}"
    page = notes_of_ticker(ticker, start_key(next_token, scope), limit or DEFAULT_LIMIT)
    items = [NoteWithChannel.of(found) for found in page.items]
    return NotesOfTickerPage(items=items, nextToken=page_token(page.next_key, scope))


handler = create_handler(app)
