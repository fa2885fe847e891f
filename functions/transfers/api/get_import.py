"""GET /api/imports/{import_id}: one of the caller's imports, with its progress and outcome."""

from functions.runtime.http.caller import caller_of
from functions.runtime.http.resolver import create_app, create_handler
from functions.transfers.api.import_schemas import Import, ImportId
from functions.transfers.imports import requests as import_requests

app = create_app(__name__)


@app.endpoint()
def get_import(import_id: ImportId) -> Import:
    return Import.model_validate(import_requests.get_import(caller_of(app.current_event.raw_event), import_id))


handler = create_handler(app)
