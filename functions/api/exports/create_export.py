"""POST /api/exports: begins an export of some channels, or of all."""

from hashlib import sha256

from aws_lambda_powertools.event_handler import Response

from functions.api.caller import caller_of
from functions.api.export_schemas import Export, ExportRequest
from functions.api.idempotency import once_per_key
from functions.api.resolver import create_app, create_handler
from functions.logic import exports

app = create_app(__name__)


@app.endpoint(status_code=202, middlewares=[once_per_key])
def create_export(request: ExportRequest) -> Response[Export]:
    user_id = caller_of(app.current_event.raw_event)
    begun = exports.begin_export(user_id, request.channel_ids or (), request.format, request=_request_of())
    return Response(
        202,
        content_type="application/json",
        headers={"Location": f"/api/exports/{begun.id}"},
        body=Export.model_validate(begun),
    )


def _request_of() -> str | None:
    """Kept in the export: the response is recorded later, and its writer may die before."""
    event = app.current_event
    key = event.headers.get("idempotency-key")
    return sha256(repr((key, event.body)).encode()).hexdigest() if key else None


handler = create_handler(app)
