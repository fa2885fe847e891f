"""GET /api/runs: the runs of all channels, newest first."""

from functions.record.api.run_schemas import OfAnalyst, OfStatus, Run, RunsPage
from functions.record.api.schemas import DEFAULT_LIMIT, Limit, NextToken
from functions.record.runs import history as run_history
from functions.runtime.http.page_tokens import page_token, start_key
from functions.runtime.http.resolver import create_app, create_handler

app = create_app(__name__)


@app.endpoint()
def list_runs(
    status: OfStatus = None, analyst: OfAnalyst = None, limit: Limit = None, next_token: NextToken = None
) -> RunsPage:
    scope = f"runs/{status or ''}/{analyst or ''}"
    page = run_history.all_runs(start_key(next_token, scope), limit or DEFAULT_LIMIT, status, analyst)
    return RunsPage(items=[Run.of(run, app.shown) for run in page.items], nextToken=page_token(page.next_key, scope))


handler = create_handler(app)
