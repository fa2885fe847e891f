"""GET /health: reports that the API is up."""

from functions.record.api.schemas import Health
from functions.runtime.http.resolver import create_app, create_handler

app = create_app(__name__)


@app.endpoint()
def health() -> Health:
    return Health(status="ok")


handler = create_handler(app)
