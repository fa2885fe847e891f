"""GET /openapi.json: the OpenAPI document of all routes."""

from typing import Any

from aws_lambda_powertools.event_handler import Response

from functions.runtime.http.documentation import openapi_document
from functions.runtime.http.resolver import create_app, create_handler

app = create_app(__name__)


@app.endpoint(include_in_schema=False)
def get_openapi_document() -> Response[dict[str, Any]]:
    return Response(200, content_type="application/json", body=openapi_document())


handler = create_handler(app)
