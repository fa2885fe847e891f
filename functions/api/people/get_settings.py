"""GET /api/settings: the caller's settings, with the defaults for what they have not chosen."""

from functions.api.caller import caller_of
from functions.api.people_schemas import Settings
from functions.api.resolver import create_app, create_handler
from functions.logic import personal_settings

app = create_app(__name__)


@app.endpoint()
def get_settings() -> Settings:
    return Settings.model_validate(personal_settings.get_settings(caller_of(app.current_event.raw_event)))


handler = create_handler(app)
