"""GET /api/exports/{export_id}: one of the caller's exports, with its progress and, once complete, its file."""

from functions.runtime.http.caller import caller_of
from functions.runtime.http.resolver import create_app, create_handler
from functions.transfers.api.export_schemas import ExportId, ExportInFull
from functions.transfers.exports import requests as exports

app = create_app(__name__)


@app.endpoint()
def get_export(export_id: ExportId) -> ExportInFull:
    return ExportInFull.of(exports.get_export(caller_of(app.current_event.raw_event), export_id))


handler = create_handler(app)
