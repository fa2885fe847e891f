"""The change log of a channel: changes to its record after it was first written."""

from dataclasses import replace

from functions.record.channels.channels import living_channel_and
from functions.record.models.records import Change, ChangeKind, Video
from functions.record.store.changes import newest_changes
from functions.runtime import ids
from functions.runtime.clock import now
from functions.runtime.dynamodb.attributes import Item
from functions.runtime.dynamodb.requests import Page


def changes_of_channel(channel_id: str, start: Item | None, limit: int) -> Page[Change]:
    """Newest first."""
    _, page = living_channel_and(channel_id, lambda: newest_changes(channel_id, limit, start))
    return page


def new_change(
    kind: ChangeKind,
    video: Video,
    message: str,
    *,
    changed_by: str | None = None,
    changed_by_name: str | None = None,
    ticker: str | None = None,
) -> Change:
    """Returns an entry about a video, or about one of its calls."""
    change = new_channel_change(kind, video.channel_id, message, ticker=ticker)
    return replace(change, changed_by=changed_by, changed_by_name=changed_by_name, video_id=video.id)


def new_channel_change(kind: ChangeKind, channel_id: str, message: str, *, ticker: str | None) -> Change:
    """Returns an entry about the channel, or about all its calls on a stock."""
    return Change(
        id=ids.new_change_id(), channel_id=channel_id, kind=kind, message=message, created_at=now(), ticker=ticker
    )


def quoted_title(video: Video) -> str:
    return f"“{video.title}”"
