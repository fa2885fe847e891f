"""The saved queries of the logs, as data: CloudWatch gets them as text, tests put them to lines they have captured.

A test takes a query from `QUERIES` and calls `query.finds(line)`, or `query.finds(line, value)` where an operator would
fill the value in. `line` is a log line as a dictionary: `json.loads` of what a function wrote.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from functions.routes import FALLBACK, ROUTES
from functions.steps import INGEST_NEWS, RUN_JOBS, STEPS
from infra.names import api_log

API_LOGS = tuple(dict.fromkeys(api_log(route.resource) for route in (*ROUTES, FALLBACK)))
STEP_LOGS = tuple(step.module for step in STEPS)


@dataclass(frozen=True, slots=True)
class SavedQuery:
    """Finds the lines of some logs in which a field has a value."""

    title: str
    logs: tuple[str, ...]
    field: str
    value: str
    filled_in: bool = False
    """True if the value is only a placeholder, which the operator replaces."""
    newest_first: bool = False

    @property
    def filter(self) -> str:
        return f"{self.field} = '{self.value}'"

    @property
    def sort(self) -> str:
        return f"@timestamp {'desc' if self.newest_first else 'asc'}"

    def finds(self, line: Mapping[str, Any], value: str | None = None) -> bool:
        assert (value is not None) == self.filled_in, f"{self.title} {'needs a' if self.filled_in else 'has its'} value"
        return line.get(self.field) == (self.value if value is None else value)


ERRORS = SavedQuery("Errors of the pipeline", STEP_LOGS, "level", "ERROR", newest_first=True)
API_ERRORS = SavedQuery("Errors of the API", API_LOGS, "level", "ERROR", newest_first=True)
ONE_REQUEST = SavedQuery("One request", API_LOGS, "correlation_id", "the request id", filled_in=True)
ONE_RUN = SavedQuery("One run", STEP_LOGS, "run_id", "the run id", filled_in=True)
ONE_CHANNEL = SavedQuery("One channel", STEP_LOGS, "channel_id", "the channel id", filled_in=True)
ONE_PLAN = SavedQuery("One plan", (api_log("plans"), *STEP_LOGS), "plan_id", "the plan id", filled_in=True)
ONE_TASK = SavedQuery("One task", STEP_LOGS, "task", "the plan id/the key of the task", filled_in=True)
ONE_ALERT = SavedQuery("One alert", STEP_LOGS, "alert_id", "the alert id", filled_in=True)
MISSED_PRICES = SavedQuery(
    "Series that were not fetched", (RUN_JOBS.module,), "message", "A series was not fetched", newest_first=True
)
MISSED_NEWS = SavedQuery(
    "Feeds that could not be read",
    (INGEST_NEWS.module, RUN_JOBS.module),
    "message",
    "A feed could not be read",
    newest_first=True,
)
QUERIES = (
    ERRORS,
    API_ERRORS,
    ONE_REQUEST,
    ONE_RUN,
    ONE_CHANNEL,
    ONE_PLAN,
    ONE_TASK,
    ONE_ALERT,
    MISSED_PRICES,
    MISSED_NEWS,
)
