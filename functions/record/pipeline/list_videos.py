"""The first step of a run: takes a slot, or reports that the run must wait, and lists the videos to process.

A check that finds nothing new ends here.
"""

from typing import Any

from functions.record.errors import RunMustWait
from functions.record.runs.next_runs import start_next_runs
from functions.record.runs.processing import list_videos
from functions.runtime.dispatch import dispatcher
from functions.runtime.observability import logger
from functions.runtime.pipeline.step import Event, step


@step
def handler(event: Event, context: object) -> dict[str, Any]:
    channel_id, run_id = event["channel_id"], event["run_id"]
    try:
        video_ids = list_videos(channel_id, run_id)
    except RunMustWait as reason:
        # Not raised, or every waiting run would trigger the alarm on errors.
        logger.info("The run waits", reason=str(reason))
        return {
            "channel_id": channel_id,
            "run_id": run_id,
            "must_wait": True,
            "wait_seconds": reason.wait_seconds,
            "nothing_to_do": False,
        }
    if video_ids is None:
        start_next_runs(dispatcher().start_run, channel_id, run_id)
    return {
        "channel_id": channel_id,
        "run_id": run_id,
        "must_wait": False,
        "nothing_to_do": video_ids is None,
        "video_ids": video_ids or [],
    }
