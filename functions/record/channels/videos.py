"""The videos of a channel: which have been read, which are missing, and why."""

from functions.record.channels.channels import living_channel_and
from functions.record.models.records import TranscriptStatus, Video
from functions.record.store.videos import VideoOutline, outlines_of_videos, videos_by_id
from functions.runtime.dynamodb.attributes import Item, encode
from functions.runtime.dynamodb.requests import Page

MISSING = (TranscriptStatus.UNAVAILABLE, TranscriptStatus.FAILED)


def videos_after(channel_id: str, start: Item | None, limit: int, status: str | None) -> Page[Video]:
    """Newest first. However many videos there are, only those of the page are read in full."""
    _, outlines = living_channel_and(channel_id, lambda: outlines_of_videos(channel_id))
    last = start["position"]["S"] if start else None
    wanted = [each for each in outlines if _has(each, status) and (last is None or each.timeline_position < last)]
    wanted.sort(key=lambda outline: outline.timeline_position, reverse=True)
    shown = wanted[:limit]
    videos = videos_by_id((channel_id, outline.id) for outline in shown)
    is_last = len(wanted) <= limit
    next_key = None if is_last else encode({"position": shown[-1].timeline_position})
    # A missing video was just deleted with its channel.
    return Page([videos[outline.id] for outline in shown if outline.id in videos], next_key)


def _has(outline: VideoOutline, status: str | None) -> bool:
    match status:
        case None:
            return True
        case "missing":
            return outline.transcript_status in MISSING
        case "removed":
            return outline.removed_at is not None
        case _:
            return outline.transcript_status == status
