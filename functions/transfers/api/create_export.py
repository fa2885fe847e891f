"""POST /api/exports: starts an export of some or all channels."""

from aws_lambda_powertools.event_handler import Response

from functions.runtime.http.caller import caller_of
from functions.runtime.http.idempotency import once_per_key, request_of
from functions.runtime.http.resolver import create_app, create_handler
from functions.transfers.api.export_schemas import Export, ExportRequest
from functions.transfers.exports import requests as exports

app = create_app(__name__)


@app.endpoint(status_code=202, middlewares=[once_per_key])
def create_export(request: ExportRequest) -> Response[Export]:
    user_id = caller_of(app.current_event.raw_event)
    named = request_of(app, user_id)
    begun = exports.begin_export(user_id, request.channel_ids or (), request.format, request=named)
    return Response(
        202,
        content_type="application/json",
        headers={"Location": f"/api/exports/{begun.id}"},
        body=Export.model_validate(begun),
    )


handler = create_handler(app)
