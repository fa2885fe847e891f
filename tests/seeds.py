"""Channels that are stored and filled already."""

from collections.abc import Iterable

from functions.record.models.records import Channel, ChannelStatus, LogLevel, Video
from functions.record.store import runs
from functions.runtime import ids
from functions.runtime.dynamodb.connection import main_table
from functions.runtime.dynamodb.requests import batch_put
from tests.builders import a_channel, a_video, commit, finished, in_a_run


def a_finished_channel(videos: Iterable[tuple[str, tuple[str, ...]]] = (("2024-03-01", ("AAPL",)),)) -> Channel:
    """A stored channel whose run is over, with a video for each day and the tickers it speaks of."""
    channel = a_channel()
    run_id, _ = in_a_run(channel)
    listed = [
        (a_video(channel.id, f"video{number:06d}", published_at=day), tickers)
        for number, (day, tickers) in enumerate(videos)
    ]
    runs.add_videos(channel.id, run_id, [video for video, _ in listed])
    runs.set_video_counts(channel.id, run_id, len(listed), 0, f"Found {len(listed)} videos")
    for video, tickers in listed:
        commit(run_id, video, *tickers)
    runs.finish_run(channel.id, run_id, ChannelStatus.COMPLETED, LogLevel.INFO, "Finished")
    return channel


def fill(
    channel: Channel, videos: int, tickers: Iterable[str], snippet: str = "I am buying.", first: int = 0
) -> list[Video]:
    """Puts videos of rising days, each with a mention of every ticker, below a stored channel, past all conditions."""
    run_id = ids.new_run_id()
    named = tuple(tickers)
    filled = [
        finished(
            a_video(
                channel.id, f"video{number:06d}", published_at=f"2024-{number // 28 % 12 + 1:02d}-{number % 28 + 1:02d}"
            ),
            run_id,
            named,
            context_snippet=snippet,
        )
        for number in range(first, first + videos)
    ]
    batch_put(main_table(), [entity.to_item() for video in filled for entity in (video, *video.calls)])
    return filled


def newest_first(videos: Iterable[Video]) -> list[str]:
    return [video.id for video in sorted(videos, key=lambda video: (video.published_at, video.id), reverse=True)]
