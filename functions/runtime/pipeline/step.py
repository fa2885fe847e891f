"""Shared by all steps: log lines with the run's ids, and transient errors marked for a retry."""

from collections.abc import Callable, Mapping
from contextvars import copy_context
from functools import wraps
from typing import Any, TypeVar

from functions.runtime.errors import StockTrackRecordError, TransientError
from functions.runtime.observability import describe, logger, metrics
from functions.runtime.reasons import reason_for_people
from functions.steps import is_transient

Event = Mapping[str, Any]
Result = TypeVar("Result")
IDENTITY = ("channel_id", "run_id", "video_id", "plan_id", "export_id", "import_id")


def step(handler: Callable[[Event, object], Result]) -> Callable[[Event, object], Result]:
    """Decorates the handler of a step, for Lambda and the local runner."""
    name = handler.__module__.rpartition(".")[2]

    @wraps(handler)
    def logged(event: Event, context: object) -> Result:
        # Log keys must not leak between calls: the local runner calls steps on many threads.
        return copy_context().run(_call, name, handler, event, context)

    return logged


def _call(name: str, handler: Callable[[Event, object], Result], event: Event, context: object) -> Result:
    keys = {key: event[key] for key in IDENTITY if key in event}
    logger.thread_safe_append_keys(step=name, function_request_id=getattr(context, "aws_request_id", None), **keys)
    try:
        result = handler(event, context)
    except Exception as problem:
        _log(problem)
        if is_transient(problem):
            raise TransientError(reason_for_people(problem), getattr(problem, "retry_after", None)) from problem
        raise
    finally:
        if metrics.metric_set:
            metrics.flush_metrics()
            metrics.clear_metrics()
    logger.info("Step finished")
    return result


def _log(problem: Exception) -> None:
    """Logs a traceback only for unexpected errors.

    A failure matters only after the last retry, so the step that records it logs the error.
    """
    if is_transient(problem):
        logger.warning("Step failed, and may be tried again", extra=describe(problem))
    elif isinstance(problem, StockTrackRecordError):
        logger.info("Step ended early", extra=describe(problem))
    else:
        logger.exception("Step failed")
