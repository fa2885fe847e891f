"""Does the price jobs of the queue, and hands back those that have to be tried again."""

from typing import Any

from functions.core.observability import logger
from functions.dispatch import job_from_message
from functions.logic.price_keeping import do_job


def handler(event: dict[str, Any], context: object) -> dict[str, Any]:
    return {"batchItemFailures": [record for record in map(_failure, event["Records"]) if record]}


def _failure(record: dict[str, Any]) -> dict[str, str] | None:
    try:
        do_job(job_from_message(record["body"]))
    except Exception:
        # The queue tries it again, and keeps it in its dead-letter queue after that.
        logger.exception("A job failed", message_id=record["messageId"])
        return {"itemIdentifier": record["messageId"]}
    return None
