"""DELETE /api/channels/{channel_id}/stocks/{ticker}/notes/{note_id}: deletes one of the caller's notes."""

from aws_lambda_powertools.event_handler import Response

from functions.people import notes
from functions.people.api.note_schemas import NoteId
from functions.record.api.schemas import ChannelId, Ticker
from functions.runtime.http.caller import caller_of
from functions.runtime.http.resolver import create_app, create_handler

app = create_app(__name__)


@app.endpoint(status_code=204)
def delete_note(channel_id: ChannelId, ticker: Ticker, note_id: NoteId) -> Response[None]:
    notes.delete_note(channel_id, ticker, note_id, caller_of(app.current_event.raw_event))
    return Response(204)


handler = create_handler(app)
