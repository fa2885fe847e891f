"""Tracks when videos were published and removed. YouTube moves the date when a livestream or premiere begins."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime

from functions.record.channels.changes import new_change
from functions.record.models.records import ChangeKind, Video
from functions.record.sources.protocols import VideoInfo
from functions.record.store import runs
from functions.runtime.clock import now, timestamp
from functions.runtime.new_york import NEW_YORK
from functions.runtime.text import some_of


def day_and_time(info: VideoInfo) -> tuple[str, str | None]:
    """Returns both as a video stores them."""
    return info.published_at.isoformat(), timestamp(info.published_time) if info.published_time else None


def redated(video: Video, listed: Mapping[str, VideoInfo]) -> Video | None:
    """Returns the video with the date it is now listed under; None if that is the stored one.

    Prices of another date are dropped: the run prices the calls again.
    """
    info = listed.get(video.id)
    if info is None:
        return None
    day, time = day_and_time(info)
    if (video.published_at, video.published_time) == (day, time) or (video.published_at == day and time is None):
        return None
    dated = replace(video, published_at=day, published_time=time)
    calls = (
        replace(
            call,
            published_at=day,
            published_time=time,
            price_at_mention=call.price_at_mention if _is_more_exact(video, dated) else None,
        )
        for call in video.calls
    )
    return replace(dated, calls=tuple(calls))


def store_date(run_id: str, before: Video, after: Video) -> None:
    """Stores the new date of a video and its mentions, with a log line unless it only became more precise."""
    message = f"“{after.title}”: its date changed from {_in_words(before)} to {_in_words(after)}."
    is_news = not _is_more_exact(before, after)
    change = new_change(ChangeKind.REDATED, after, message) if is_news and after.calls else None
    runs.redate_video(run_id, before, after, message if is_news else None, change)


def is_gone_or_back(video: Video, listed: Mapping[str, VideoInfo], since: date) -> bool:
    """True if a video was removed from YouTube, or a removed one is available again.

    An empty listing is no evidence about single videos. On the first day of a listing, some may be missing.
    """
    if video.id in listed:
        return video.removed_at is not None
    return bool(listed) and video.removed_at is None and video.published_at > since.isoformat()


def mark_gone_and_back(channel_id: str, run_id: str, videos: Sequence[Video]) -> None:
    """Records it in each video, the change log and the run's log. Their calls stay in the record."""
    for gone in (True, False):
        some = [video for video in videos if (video.removed_at is None) is gone]
        what = "gone from YouTube; what was said stays in the record" if gone else "on YouTube again"
        changes = [(video, new_change(ChangeKind.REMOVED, video, f"“{video.title}” is {what}.")) for video in some]
        runs.mark_removed(channel_id, run_id, changes, removed_at=now() if gone else None, message=_line(some, what))


def _line(videos: Sequence[Video], what: str) -> str:
    titles = some_of([f"“{video.title}”" for video in videos])
    return f"{titles} {'is' if len(videos) == 1 else 'are'} {what}."


def _is_more_exact(before: Video, after: Video) -> bool:
    return before.published_at == after.published_at and before.published_time is None


def _in_words(video: Video) -> str:
    if video.published_time is None:
        return video.published_at
    return f"{datetime.fromisoformat(video.published_time).astimezone(NEW_YORK):%Y-%m-%d %H:%M} (New York)"
