"""The fictional channels, read once from the file beside this module."""

import json
from dataclasses import dataclass
from datetime import date, datetime
from functools import cache
from pathlib import Path
from typing import Any

from functions.record.sources.protocols import ChannelInfo, VideoInfo

DATA = Path(__file__).with_name("channels.json")


@dataclass(frozen=True, slots=True)
class DemoChannel:
    handle: str
    info: ChannelInfo
    videos: tuple[VideoInfo, ...]
    """Newest first."""
    transcripts: dict[str, str]
    """By video id; videos without a transcript are absent."""

    @property
    def url(self) -> str:
        return f"https://www.youtube.com/@{self.handle}"


@cache
def channels() -> tuple[DemoChannel, ...]:
    return tuple(_channel(entry) for entry in json.loads(DATA.read_bytes()))


def _channel(entry: dict[str, Any]) -> DemoChannel:
    videos = [_video(video) for video in entry["videos"]]
    return DemoChannel(
        handle=entry["handle"],
        info=ChannelInfo(entry["youtube_channel_id"], entry["title"], entry["thumbnail_url"]),
        videos=tuple(sorted(videos, key=lambda video: video.published_at, reverse=True)),
        transcripts={
            video["youtube_video_id"]: video["transcript"]
            for video in entry["videos"]
            if video["transcript"] is not None
        },
    )


def _video(entry: dict[str, Any]) -> VideoInfo:
    day, published = date.fromisoformat(entry["published_at"]), datetime.fromisoformat(entry["published_time"])
    return VideoInfo(entry["youtube_video_id"], entry["title"], day, published)
