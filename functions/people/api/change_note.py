"""PUT /api/channels/{channel_id}/stocks/{ticker}/notes/{note_id}: changes one of the caller's notes."""

from functions.people import notes
from functions.people.api.note_schemas import Note, NoteChange, NoteId
from functions.record.api.schemas import ChannelId, Ticker
from functions.runtime.http.caller import caller_of
from functions.runtime.http.resolver import create_app, create_handler

app = create_app(__name__)


@app.endpoint(present=Note.model_validate)
def change_note(channel_id: ChannelId, ticker: Ticker, note_id: NoteId, request: NoteChange) -> Note:
    author = caller_of(app.current_event.raw_event)
    return Note.model_validate(notes.change_note(channel_id, ticker, note_id, request.text, request.version, author))


handler = create_handler(app)
