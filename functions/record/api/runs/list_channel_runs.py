"""GET /api/channels/{channel_id}/runs: the runs of a channel, newest first."""

from functions.record.api.run_schemas import Run, RunsPage
from functions.record.api.schemas import DEFAULT_LIMIT, ChannelId, Limit, NextToken
from functions.record.runs import history as run_history
from functions.runtime.http.page_tokens import page_token, start_key
from functions.runtime.http.resolver import create_app, create_handler

app = create_app(__name__)


@app.endpoint()
def list_channel_runs(channel_id: ChannelId, limit: Limit = None, next_token: NextToken = None) -> RunsPage:
    scope = f"runs of channel/{channel_id}"
    page = run_history.runs_of_channel(channel_id, start_key(next_token, scope), limit or DEFAULT_LIMIT)
    return RunsPage(items=[Run.of(run, app.shown) for run in page.items], nextToken=page_token(page.next_key, scope))


handler = create_handler(app)
