"""GET /api/runs/{run_id}: one run."""

from functions.api.resolver import create_app, create_handler
from functions.api.run_schemas import Run, RunId
from functions.logic import run_history

app = create_app(__name__)


@app.endpoint()
def get_run(run_id: RunId) -> Run:
    return Run.of(run_history.run_by_id(run_id))


handler = create_handler(app)
