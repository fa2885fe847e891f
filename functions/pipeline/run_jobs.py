"""Runs the jobs of the queue, and returns those that have to be retried."""

from typing import Any

from functions.pipeline.jobs import WORK
from functions.pipeline.messages import do_messages
from functions.pipeline.step import Event, step


@step
def handler(event: Event, context: object) -> dict[str, Any]:
    return do_messages(event["Records"], WORK)
