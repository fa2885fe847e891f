"""DELETE /api/exports/{export_id}: deletes one of the caller's exports and its file."""

from aws_lambda_powertools.event_handler import Response

from functions.runtime.http.caller import caller_of
from functions.runtime.http.resolver import create_app, create_handler
from functions.transfers.api.export_schemas import ExportId
from functions.transfers.exports import requests as exports

app = create_app(__name__)


@app.endpoint(status_code=204)
def delete_export(export_id: ExportId) -> Response[None]:
    exports.delete_export(caller_of(app.current_event.raw_event), export_id)
    return Response(204)


handler = create_handler(app)
