"""POST /api/alerts/settings/test: sends the caller a test message now."""

from functions.alerts.api.schemas import TestAlert
from functions.alerts.subscriptions import try_settings
from functions.runtime.clock import now
from functions.runtime.http.caller import caller_of
from functions.runtime.http.idempotency import once_per_key
from functions.runtime.http.resolver import create_app, create_handler

app = create_app(__name__)


@app.endpoint(middlewares=[once_per_key])
def send_test_alert() -> TestAlert:
    return TestAlert.model_validate(try_settings(caller_of(app.current_event.raw_event), now()))


handler = create_handler(app)
