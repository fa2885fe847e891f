"""Records failed videos and runs, and words the reason for the channel's log."""

from dataclasses import replace

from functions.record.errors import RunEnded
from functions.record.models.records import AnalysisStatus, ChannelStatus, LogLevel, TranscriptStatus, Video
from functions.record.store import runs
from functions.record.store.videos import video_by_id
from functions.runtime.errors import StockTrackRecordError


class RunFailed(StockTrackRecordError):
    """The run cannot continue, and retrying would not help. The message is for the channel's log."""


class UnusableResponse(StockTrackRecordError):
    """A provider returned a value its Protocol does not allow. The message is for the channel's log."""


def record_failed_video(channel_id: str, run_id: str, video_id: str, reason: str) -> None:
    """Marks a video failed for this run; the next run retries it. An earlier reading stays as it is."""
    video = video_by_id(channel_id, video_id, consistent=True)
    if video is None:
        raise RunEnded(channel_id, run_id)
    was_read = video.analysis_status == AnalysisStatus.COMPLETED
    failed = replace(video, run_id=run_id) if was_read else _failed(video, run_id, reason)
    runs.commit_video(
        run_id,
        failed,
        LogLevel.ERROR,
        f"“{video.title}”: failed. {reason}",
        outcome=AnalysisStatus.FAILED,
        problem=reason,
    )


def _failed(video: Video, run_id: str, reason: str) -> Video:
    return replace(
        video,
        run_id=run_id,
        transcript_status=TranscriptStatus.FAILED,
        analysis_status=AnalysisStatus.FAILED,
        problem=reason,
    )


def fail_run(channel_id: str, run_id: str, reason: str) -> None:
    runs.finish_run(channel_id, run_id, ChannelStatus.FAILED, LogLevel.ERROR, f"Failed. {reason}", error=reason)
