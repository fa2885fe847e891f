"""PUT /api/settings: changes the caller's settings; null follows the default."""

from functions.people.api.schemas import Settings, SettingsRequest
from functions.record.scores import preferences as personal_settings
from functions.runtime.http.caller import caller_of
from functions.runtime.http.resolver import create_app, create_handler

app = create_app(__name__)


@app.endpoint(present=Settings.model_validate)
def put_settings(request: SettingsRequest) -> Settings:
    user_id = caller_of(app.current_event.raw_event)
    return Settings.model_validate(personal_settings.put_settings(user_id, request.version, request.choices()))


handler = create_handler(app)
