"""DELETE /api/channels/{channel_id}/stocks/{ticker}/notes/{note_id}: deletes a note of the caller's own."""

from aws_lambda_powertools.event_handler import Response

from functions.api.caller import caller_of
from functions.api.note_schemas import NoteId
from functions.api.resolver import create_app, create_handler
from functions.api.schemas import ChannelId, Ticker
from functions.logic import notes

app = create_app(__name__)


@app.endpoint(status_code=204)
def delete_note(channel_id: ChannelId, ticker: Ticker, note_id: NoteId) -> Response[None]:
    notes.delete_note(channel_id, ticker, note_id, caller_of(app.current_event.raw_event))
    return Response(204)


handler = create_handler(app)
