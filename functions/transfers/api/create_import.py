"""POST /api/imports: starts the import of a file in the exports bucket or folder."""

from aws_lambda_powertools.event_handler import Response

from functions.runtime.http.idempotency import once_per_key, request_of
from functions.runtime.http.resolver import create_app, create_handler
from functions.transfers.api.import_schemas import Import, ImportRequest
from functions.transfers.imports import requests as import_requests

app = create_app(__name__)


@app.endpoint(status_code=202, middlewares=[once_per_key])
def create_import(request: ImportRequest) -> Response[Import]:
    caller = app.caller
    begun = import_requests.begin_import(caller, request.key, request=request_of(app, caller.id))
    return Response(
        202,
        content_type="application/json",
        headers={"Location": f"/api/imports/{begun.id}"},
        body=Import.model_validate(begun),
    )


handler = create_handler(app)
