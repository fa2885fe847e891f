"""GET /health: reports that the API is up and can read its table."""

from typing import Any

from aws_lambda_powertools.event_handler import Response

from functions.record.api.schemas import Health
from functions.runtime.dynamodb.health import TableUnreadable, read_table
from functions.runtime.http.resolver import create_app, create_handler, error_response
from functions.runtime.observability import describe, logger

app = create_app(__name__)


@app.endpoint()
def health() -> Health:
    read_table()
    return Health(status="ok")


def unreadable(problem: TableUnreadable) -> Response[Any]:
    logger.error("The table cannot be read", extra=describe(problem))
    return error_response(503, str(problem))


app.exception_handler(TableUnreadable)(unreadable)
handler = create_handler(app)
