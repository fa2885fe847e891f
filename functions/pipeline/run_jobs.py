"""Runs the jobs of the queue, and returns those that have to be retried."""

from collections.abc import Mapping
from contextvars import copy_context
from typing import Any

from functions.core.observability import TASKS_DONE, TASKS_FAILED, count_work, describe, logger
from functions.core.plans import task_name
from functions.dispatch import Job, RunTask, job_from_message
from functions.pipeline.jobs import WORK, do_job
from functions.pipeline.step import IDENTITY, Event, step
from functions.steps import JOB_ATTEMPTS, is_transient


@step
def handler(event: Event, context: object) -> dict[str, Any]:
    return run_jobs(event)


def run_jobs(event: Event) -> dict[str, Any]:
    # Log keys must belong to one message only.
    failures = [copy_context().run(_failure, record) for record in event["Records"]]
    return {"batchItemFailures": [failure for failure in failures if failure]}


def _failure(record: Mapping[str, Any]) -> dict[str, str] | None:
    job: Job | None = None
    try:
        job = job_from_message(record["body"])
        _identify(job)
        do_job(job)
    except Exception as problem:
        _log(problem, record)
        if job and _is_last_try(record):
            _count(TASKS_FAILED, job)
        return {"itemIdentifier": record["messageId"]}
    _count(TASKS_DONE, job)
    return None


def _identify(job: Job) -> None:
    """Every line that is logged for a job names what it is about."""
    keys = {name: getattr(job, name) for name in IDENTITY if hasattr(job, name)}
    task = {"task": task_name(job.plan_id, job.key)} if isinstance(job, RunTask) else {}
    logger.thread_safe_append_keys(**keys, **task)


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
