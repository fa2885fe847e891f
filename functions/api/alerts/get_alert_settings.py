"""GET /api/alerts/settings: what the caller wants to be told of, and how."""

from functions.api.alert_schemas import AlertSettings, settings_response
from functions.api.caller import caller_of
from functions.api.resolver import create_app, create_handler
from functions.logic.subscriptions import get_settings

app = create_app(__name__)


@app.endpoint()
def get_alert_settings() -> AlertSettings:
    return settings_response(get_settings(caller_of(app.current_event.raw_event)))


handler = create_handler(app)
