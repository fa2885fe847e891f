"""The step for a run that cannot go on: says why."""

from typing import Any

from functions.logic.failures import fail_run
from functions.pipeline.reasons import reason


def handler(event: dict[str, Any], context: object) -> None:
    fail_run(event["channel_id"], event["run_id"], reason(event))
