"""GET /api/setup: which providers are in use, and which of their settings are missing."""

from functions.api.resolver import create_app, create_handler
from functions.api.schemas import Setup
from functions.core.settings import settings
from functions.providers.selection import missing_settings

app = create_app(__name__)


@app.endpoint()
def get_setup() -> Setup:
    providers = settings().providers
    return Setup(
        videos=providers.videos,
        transcripts=providers.transcripts,
        analyst=providers.analyst,
        prices=providers.prices,
        missing_settings=[missing.name for missing in missing_settings()],
    )


handler = create_handler(app)
