"""PUT /api/channels/{channel_id}/stocks/{ticker}/notes/{note_id}: changes a note of the caller's own."""

from functions.api.caller import caller_of
from functions.api.note_schemas import Note, NoteChange, NoteId
from functions.api.resolver import create_app, create_handler
from functions.api.schemas import ChannelId, Ticker
from functions.logic import notes

app = create_app(__name__)


@app.endpoint(present=Note.model_validate)
def change_note(channel_id: ChannelId, ticker: Ticker, note_id: NoteId, request: NoteChange) -> Note:
    author = caller_of(app.current_event.raw_event)
    return Note.model_validate(notes.change_note(channel_id, ticker, note_id, request.text, request.version, author))


handler = create_handler(app)
