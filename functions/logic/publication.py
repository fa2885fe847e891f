"""When a video was published. YouTube moves that date when a livestream or premiere begins."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime

from functions.core.clock import timestamp
from functions.core.models import Video
from functions.providers.market_days import NEW_YORK
from functions.providers.protocols import VideoInfo
from functions.store import runs


def day_and_time(info: VideoInfo) -> tuple[str, str | None]:
    """As a video stores them."""
    return info.published_at.isoformat(), timestamp(info.published_time) if info.published_time else None


def redated(video: Video, listed: Mapping[str, VideoInfo]) -> Video | None:
    """The video with the date it is listed under now; None where that is the stored one.

    Prices of another date are not kept: the run prices the calls anew.
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
    """Stores the new date of a video and its mentions, with a log line unless it only became more exact."""
    message = f"“{after.title}”: its date changed from {_in_words(before)} to {_in_words(after)}."
    runs.redate_video(run_id, before, after, None if _is_more_exact(before, after) else message)


def _is_more_exact(before: Video, after: Video) -> bool:
    return before.published_at == after.published_at and before.published_time is None


def _in_words(video: Video) -> str:
    if video.published_time is None:
        return video.published_at
    return f"{datetime.fromisoformat(video.published_time).astimezone(NEW_YORK):%Y-%m-%d %H:%M} (New York)"
