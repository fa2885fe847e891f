"""GET /api/setup: the providers in use, their missing settings, and the accuracy of calls."""

from functions.reading.analyst_figures import figures_of
from functions.record.api.schemas import Setup
from functions.runtime.http.resolver import create_app, create_handler
from functions.runtime.settings import settings
from functions.service.setup import missing_settings

app = create_app(__name__)


@app.endpoint()
def get_setup() -> Setup:
    providers = settings().providers
    figures = figures_of(providers.analyst)
    return Setup(
        videos=providers.videos,
        transcripts=providers.transcripts,
        analyst=providers.analyst,
        prices=providers.prices,
        missing_settings=[missing.name for missing in missing_settings()],
        calls_read_right=figures.calls_right if figures else None,
    )


handler = create_handler(app)
