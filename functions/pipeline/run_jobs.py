"""Runs the jobs of the queue, and returns those that have to be retried."""

from collections.abc import Mapping
from typing import Any

from functions.core.observability import describe, logger
from functions.dispatch import Job, ReadTranscript, ScoreChannel, job_from_message
from functions.logic.failures import reason_for_people
from functions.logic.handed_in import give_up_reading, read_handed_in
from functions.logic.price_keeping import do_job
from functions.logic.score_keeping import keep_score
from functions.pipeline.step import Event, step
from functions.steps import JOB_ATTEMPTS, is_transient


@step
def handler(event: Event, context: object) -> dict[str, Any]:
    return {"batchItemFailures": [failure for failure in map(_failure, event["Records"]) if failure]}


def _failure(record: Mapping[str, Any]) -> dict[str, str] | None:
    try:
        _do(job_from_message(record["body"]))
    except Exception as problem:
        _log(problem, record)
        return {"itemIdentifier": record["messageId"]}
    return None


def _do(job: Job) -> None:
    match job:
        case ScoreChannel():
            keep_score(job.channel_id)
        case ReadTranscript():
            _read(job)
        case _:
            do_job(job)


def _read(job: ReadTranscript) -> None:
    """A transcript that cannot be read is told of in its channel's log, so that the clock does not try it for ever."""
    try:
        read_handed_in(job.channel_id, job.video_id)
    except Exception as problem:
        if is_transient(problem):
            raise
        logger.exception("A transcript could not be read", channel_id=job.channel_id, video_id=job.video_id)
        give_up_reading(job.channel_id, job.video_id, reason_for_people(problem))


def _log(problem: Exception, record: Mapping[str, Any]) -> None:
    """The queue tries a job again, and keeps it in its dead-letter queue after the last try."""
    fields = {"message_id": record["messageId"], **describe(problem)}
    if not is_transient(problem):
        logger.exception("A job failed", extra=fields)
    elif int(record["attributes"]["ApproximateReceiveCount"]) < JOB_ATTEMPTS:
        logger.warning("A job failed, and is tried again", extra=fields)
    else:
        logger.error("A job failed at its last try", extra=fields)
