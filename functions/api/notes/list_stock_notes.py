"""GET /api/stocks/{ticker}/notes: what people noted on a stock in any channel, newest first."""

from functions.api.note_schemas import NotesOfTickerPage, NoteWithChannel
from functions.api.resolver import create_app, create_handler
from functions.api.schemas import DEFAULT_LIMIT, Limit, NextToken, Ticker
from functions.core.tokens import page_token, start_key
from functions.logic.notes import notes_of_ticker

app = create_app(__name__)


@app.endpoint()
def list_stock_notes(ticker: Ticker, limit: Limit = None, next_token: NextToken = None) -> NotesOfTickerPage:
    """A page may hold fewer items than `limit`, even none, where a channel is being deleted."""
    scope = f"notes/{ticker}"
    page = notes_of_ticker(ticker, start_key(next_token, scope), limit or DEFAULT_LIMIT)
    items = [NoteWithChannel.of(found) for found in page.items]
    return NotesOfTickerPage(items=items, nextToken=page_token(page.next_key, scope))


handler = create_handler(app)
