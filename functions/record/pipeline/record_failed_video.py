"""The step for a video that could not be processed: marks it failed and counts it."""

from functions.record.pipeline.reasons import log_failure, reason
from functions.record.runs.failures import record_failed_video
from functions.runtime.pipeline.step import Event, step


@step
def handler(event: Event, context: object) -> None:
    record_failed_video(event["channel_id"], event["run_id"], event["video_id"], reason(event))
    log_failure("The video", event)
