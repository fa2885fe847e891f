"""GET /api/alerts: what happened in all channels, newest first."""

from functions.alerts.api.schemas import AlertsPage, OfAlertKind
from functions.alerts.lists import page_of_alerts
from functions.record.api.schemas import DEFAULT_LIMIT, Limit, NextToken
from functions.runtime.http.page_tokens import page_token, start_key
from functions.runtime.http.resolver import create_app, create_handler

app = create_app(__name__)


@app.endpoint()
def list_alerts(kind: OfAlertKind = None, limit: Limit = None, next_token: NextToken = None) -> AlertsPage:
    """A page filtered by kind may hold fewer items than `limit`, even none, before the end."""
    scope = f"alerts/{kind}"
    page = page_of_alerts(start_key(next_token, scope), limit or DEFAULT_LIMIT, kind)
    return AlertsPage.model_validate({"items": page.items, "nextToken": page_token(page.next_key, scope)})


handler = create_handler(app)
