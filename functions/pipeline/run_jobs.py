"""Runs the jobs of the queue, and returns those that have to be retried."""

from collections.abc import Mapping
from typing import Any

from functions.core.observability import TASKS_DONE, TASKS_FAILED, count_work, describe, logger
from functions.dispatch import Job, job_from_message
from functions.pipeline.jobs import WORK, do_job
from functions.pipeline.step import Event, step
from functions.steps import JOB_ATTEMPTS, is_transient


@step
def handler(event: Event, context: object) -> dict[str, Any]:
    return {"batchItemFailures": [failure for failure in map(_failure, event["Records"]) if failure]}


def _failure(record: Mapping[str, Any]) -> dict[str, str] | None:
    job: Job | None = None
    try:
        job = job_from_message(record["body"])
        do_job(job)
    except Exception as problem:
        _log(problem, record)
        if job and _is_last_try(record):
            _count(TASKS_FAILED, job)
        return {"itemIdentifier": record["messageId"]}
    _count(TASKS_DONE, job)
    return None


def _count(metric: str, job: Job) -> None:
    if kind := WORK[type(job)].kind:
        count_work(metric, kind)


def _log(problem: Exception, record: Mapping[str, Any]) -> None:
    """The queue tries a job again, and keeps it in its dead-letter queue after the last try."""
    fields = {"message_id": record["messageId"], **describe(problem)}
    if not is_transient(problem):
        logger.exception("A job failed", extra=fields)
    elif not _is_last_try(record):
        logger.warning("A job failed, and is tried again", extra=fields)
    else:
        logger.error("A job failed at its last try", extra=fields)


def _is_last_try(record: Mapping[str, Any]) -> bool:
    return int(record["attributes"]["ApproximateReceiveCount"]) >= JOB_ATTEMPTS
