"""GET /docs: the documentation of the API."""

from aws_lambda_powertools.event_handler import Response

from functions.runtime.http.documentation_page import CONTENT_POLICY, documentation_page
from functions.runtime.http.resolver import create_app, create_handler

app = create_app(__name__)


@app.endpoint(include_in_schema=False)
def get_documentation_page() -> Response[str]:
    headers = {"Content-Security-Policy": CONTENT_POLICY, "X-Content-Type-Options": "nosniff"}
    return Response(200, content_type="text/html; charset=utf-8", body=documentation_page(), headers=headers)


handler = create_handler(app)
