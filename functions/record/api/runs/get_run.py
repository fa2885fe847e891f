"""GET /api/runs/{run_id}: one run."""

from functions.record.api.run_schemas import Run, RunId
from functions.record.runs import history as run_history
from functions.runtime.http.resolver import create_app, create_handler

app = create_app(__name__)


@app.endpoint()
def get_run(run_id: RunId) -> Run:
    return Run.of(run_history.run_by_id(run_id), app.shown)


handler = create_handler(app)
