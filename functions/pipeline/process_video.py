"""The step for each video: reads it, prices what it says and writes it down."""

from typing import Any

from functions.logic.processing import process_video


def handler(event: dict[str, Any], context: object) -> None:
    process_video(event["channel_id"], event["run_id"], event["video_id"])
