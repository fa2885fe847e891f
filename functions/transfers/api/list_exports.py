"""GET /api/exports: the caller's exports, newest first."""

from functions.record.api.schemas import DEFAULT_LIMIT, Limit, NextToken
from functions.runtime.http.caller import caller_of
from functions.runtime.http.page_tokens import page_token, start_key
from functions.runtime.http.resolver import create_app, create_handler
from functions.transfers.api.export_schemas import Export, ExportsPage
from functions.transfers.exports import requests as exports

app = create_app(__name__)


@app.endpoint()
def list_exports(limit: Limit = None, next_token: NextToken = None) -> ExportsPage:
    user_id = caller_of(app.current_event.raw_event)
    # Page tokens must not work in another person's list.
    scope = f"exports of {user_id}"
    page = exports.list_exports(user_id, start_key(next_token, scope), limit or DEFAULT_LIMIT)
    return ExportsPage(
        items=[Export.model_validate(export) for export in page.items], nextToken=page_token(page.next_key, scope)
    )


handler = create_handler(app)
