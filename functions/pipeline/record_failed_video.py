"""The step for a video that could not be processed: says so and counts it."""

from typing import Any

from functions.logic.failures import record_failed_video
from functions.pipeline.reasons import reason


def handler(event: dict[str, Any], context: object) -> None:
    record_failed_video(event["channel_id"], event["run_id"], event["video_id"], reason(event))
