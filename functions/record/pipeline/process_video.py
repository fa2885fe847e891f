"""The step for each video: finds its calls, prices them and stores them."""

from functions.record.runs.processing import process_video
from functions.runtime.pipeline.step import Event, step


@step
def handler(event: Event, context: object) -> None:
    process_video(event["channel_id"], event["run_id"], event["video_id"])
