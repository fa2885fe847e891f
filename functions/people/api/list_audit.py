"""GET /api/audit: who changed what, newest first."""

from functions.people import users
from functions.people.api.schemas import AuditEntry, AuditPage
from functions.record.api.schemas import DEFAULT_LIMIT, Limit, NextToken
from functions.runtime.http.page_tokens import page_token, start_key
from functions.runtime.http.resolver import create_app, create_handler

SCOPE = "audit"

app = create_app(__name__)


@app.endpoint()
def list_audit(limit: Limit = None, next_token: NextToken = None) -> AuditPage:
    page = users.audit_entries(start_key(next_token, SCOPE), limit or DEFAULT_LIMIT)
    items = [AuditEntry.model_validate(entry) for entry in page.items]
    return AuditPage(items=items, nextToken=page_token(page.next_key, SCOPE))


handler = create_handler(app)
