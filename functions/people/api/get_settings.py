"""GET /api/settings: the caller's settings, with defaults for anything they have not set."""

from functions.people.api.schemas import Settings
from functions.record.scores import preferences as personal_settings
from functions.runtime.http.caller import caller_of
from functions.runtime.http.resolver import create_app, create_handler

app = create_app(__name__)


@app.endpoint()
def get_settings() -> Settings:
    return Settings.model_validate(personal_settings.get_settings(caller_of(app.current_event.raw_event)))


handler = create_handler(app)
