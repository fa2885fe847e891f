"""Analyses the news of a queue of their own, so that they do not wait behind prices."""

from typing import Any

from functions.pipeline.run_jobs import run_jobs
from functions.pipeline.step import Event, step


@step
def handler(event: Event, context: object) -> dict[str, Any]:
    return run_jobs(event)
