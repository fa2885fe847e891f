"""The first step of a run: waits for a place, then finds the channel and its videos."""

from typing import Any

from functions.logic.processing import list_videos
from functions.pipeline.step import Event, step


@step
def handler(event: Event, context: object) -> dict[str, Any]:
    channel_id, run_id = event["channel_id"], event["run_id"]
    return {"channel_id": channel_id, "run_id": run_id, "video_ids": list_videos(channel_id, run_id)}
