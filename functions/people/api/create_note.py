"""POST /api/channels/{channel_id}/stocks/{ticker}/notes: adds a note on a stock of a channel."""

from aws_lambda_powertools.event_handler import Response

from functions.people import notes
from functions.people.api.note_schemas import NewNote, Note, note_path
from functions.record.api.schemas import ChannelId, Ticker
from functions.runtime.http.idempotency import once_per_key, request_of
from functions.runtime.http.resolver import create_app, create_handler

app = create_app(__name__)


@app.endpoint(status_code=201, middlewares=[once_per_key])
def create_note(channel_id: ChannelId, ticker: Ticker, request: NewNote) -> Response[Note]:
    author = app.caller
    note = notes.add_note(channel_id, ticker, request.text, author, request=request_of(app, author.id))
    return Response(
        201,
        content_type="application/json",
        headers={"Location": note_path(note)},
        body=Note.model_validate(note),
    )


handler = create_handler(app)
