"""GET /api/alerts/settings: the caller's alert settings."""

from functions.alerts.api.schemas import AlertSettings, settings_response
from functions.alerts.subscriptions import get_settings
from functions.runtime.http.caller import caller_of
from functions.runtime.http.resolver import create_app, create_handler

app = create_app(__name__)


@app.endpoint()
def get_alert_settings() -> AlertSettings:
    return settings_response(get_settings(caller_of(app.current_event.raw_event)))


handler = create_handler(app)
