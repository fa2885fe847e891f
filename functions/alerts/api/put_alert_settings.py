"""PUT /api/alerts/settings: changes the caller's alert settings."""

from functions.alerts.api.schemas import AlertSettings, AlertSettingsRequest, settings_response
from functions.alerts.subscriptions import Wish, put_settings
from functions.runtime.http.caller import caller_of, subject_of, verified_email_of
from functions.runtime.http.resolver import create_app, create_handler

app = create_app(__name__)


@app.endpoint(present=settings_response)
def put_alert_settings(request: AlertSettingsRequest) -> AlertSettings:
    event = app.current_event.raw_event
    wish = Wish(
        version=request.version,
        kinds=tuple(dict.fromkeys(request.kinds)),
        channels=request.channels,
        digest=request.digest,
        webhook_url=request.webhook_url,
        email=request.email,
        rotate_key=request.rotate_key,
        own_email=verified_email_of(event),
        only_own_email=subject_of(event) is not None,
    )
    return settings_response(put_settings(caller_of(event), wish))


handler = create_handler(app)
