"""GET /health: says that the API is up."""

from functions.api.resolver import create_app, create_handler
from functions.api.schemas import Health

app = create_app(__name__)


@app.endpoint()
def health() -> Health:
    return Health(status="ok")


handler = create_handler(app)
