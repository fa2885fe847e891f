"""GET /health/live: reports that the API is up, whatever the state of its table."""

from functions.record.api.schemas import Health
from functions.runtime.http.resolver import create_app, create_handler

app = create_app(__name__)


@app.endpoint()
def health_live() -> Health:
    return Health(status="ok")


handler = create_handler(app)
