"""Processes the messages of a queue, and returns those to be retried."""

from collections.abc import Callable, Mapping
from contextvars import copy_context
from dataclasses import dataclass
from typing import Any

from aws_lambda_powertools.utilities.batch import BatchProcessor, EventType, process_partial_response

from functions.runtime.dispatch import Job, RunTask, job_from_message
from functions.runtime.observability import TASKS_DONE, TASKS_FAILED, count_work, describe, logger
from functions.runtime.pipeline.step import IDENTITY
from functions.steps import JOB_ATTEMPTS, is_transient


@dataclass(frozen=True, slots=True)
class Work:
    do: Callable[[Any], object]
    kind: str | None
    """The name under which it is counted, same as tasks of plans; None if the job counts its own work."""


WorkTable = Mapping[type[Job], Work]
"""Maps each kind of job to the work that a queue's worker does for it."""


def do_messages(event: Mapping[str, Any], work: WorkTable) -> dict[str, Any]:
    """Works on a batch of messages; returns the ids of those that failed, in the form that SQS expects."""
    # Returned and not raised when all fail: a raised error would count as one of the function.
    processor = BatchProcessor(EventType.SQS, raise_on_entire_batch_failure=False)
    # Log keys must belong to one message only.
    return dict(
        process_partial_response(dict(event), lambda record: copy_context().run(_do, record.raw_event, work), processor)
    )


def _do(record: Mapping[str, Any], work: WorkTable) -> None:
    job: Job | None = None
    try:
        job = job_from_message(record["body"])
        _identify(job)
        work[type(job)].do(job)
    except Exception as problem:
        _log(problem, record)
        if job and _is_last_try(record):
            _count(TASKS_FAILED, job, work)
        raise
    _count(TASKS_DONE, job, work)


def _identify(job: Job) -> None:
    """Adds the job's ids to every line logged for it."""
    keys = {name: getattr(job, name) for name in IDENTITY if hasattr(job, name)}
    task = {"task": job.name} if isinstance(job, RunTask) else {}
    logger.thread_safe_append_keys(**keys, **task)


def _count(metric: str, job: Job, work: WorkTable) -> None:
    if type(job) in work and (kind := work[type(job)].kind):
        count_work(metric, kind)


def _log(problem: Exception, record: Mapping[str, Any]) -> None:
    """Failed jobs are retried by the queue, and moved to its dead-letter queue after the last attempt."""
    fields = {"message_id": record["messageId"], **describe(problem)}
    if not is_transient(problem):
        logger.exception("A job failed", extra=fields)
    elif not _is_last_try(record):
        logger.warning("A job failed, and is tried again", extra=fields)
    else:
        logger.error("A job failed at its last try", extra=fields)


def _is_last_try(record: Mapping[str, Any]) -> bool:
    return int(record["attributes"]["ApproximateReceiveCount"]) >= JOB_ATTEMPTS
