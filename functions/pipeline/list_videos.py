"""The first step of a run: finds the channel and its videos."""

from typing import Any

from functions.logic.processing import list_videos


def handler(event: dict[str, Any], context: object) -> dict[str, Any]:
    channel_id, run_id = event["channel_id"], event["run_id"]
    return {"channel_id": channel_id, "run_id": run_id, "video_ids": list_videos(channel_id, run_id)}
