"""POST /api/alerts/settings/test: sends the caller a test message now."""

from functions.api.alert_schemas import TestAlert
from functions.api.caller import caller_of
from functions.api.idempotency import once_per_key
from functions.api.resolver import create_app, create_handler
from functions.core.clock import now
from functions.logic.subscriptions import try_settings

app = create_app(__name__)


@app.endpoint(middlewares=[once_per_key])
def send_test_alert() -> TestAlert:
    return TestAlert.model_validate(try_settings(caller_of(app.current_event.raw_event), now()))


handler = create_handler(app)
