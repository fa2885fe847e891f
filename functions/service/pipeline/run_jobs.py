"""Runs the jobs of the queue, and returns those to be retried."""

from typing import Any

from functions.runtime.pipeline.messages import do_messages
from functions.runtime.pipeline.step import Event, step
from functions.service.jobs import WORK


@step
def handler(event: Event, context: object) -> dict[str, Any]:
    return do_messages(event, WORK)
