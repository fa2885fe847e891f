"""The last step of a run: newest prices and the final status."""

from typing import Any

from functions.logic.processing import finish_run


def handler(event: dict[str, Any], context: object) -> None:
    finish_run(event["channel_id"], event["run_id"])
