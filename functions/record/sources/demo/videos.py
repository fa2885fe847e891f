"""Finds the demo channels and lists their videos."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date

from functions.record.sources.demo.channels import DemoChannel, channels
from functions.record.sources.protocols import ChannelInfo, VideoInfo
from functions.runtime.provider_errors import NotFound


@dataclass(frozen=True, slots=True)
class DemoVideos:
    pause: float = 0.0
    """Seconds that listing takes, so progress is visible."""
    sleep: Callable[[float], None] = time.sleep

    def resolve(self, identifier: str) -> ChannelInfo:
        kind, _, name = identifier.partition(":")
        return _find(kind, name).info

    def published_since(self, youtube_channel_id: str, since: date) -> Iterator[VideoInfo]:
        channel = _find("channel_id", youtube_channel_id)
        self.sleep(self.pause)
        return (video for video in channel.videos if video.published_at >= since)

    def newest(self, youtube_channel_id: str, since: date) -> tuple[ChannelInfo, Iterator[VideoInfo]]:
        info = _find("channel_id", youtube_channel_id).info
        return info, self.published_since(youtube_channel_id, since)


def _find(kind: str, name: str) -> DemoChannel:
    for channel in channels():
        if kind == "handle" and name.removeprefix("@").casefold() == channel.handle.casefold():
            return channel
        if kind == "channel_id" and name == channel.info.youtube_channel_id:
            return channel
    urls = ", ".join(channel.url for channel in channels())
    raise NotFound(
        f"{name!r} is not a channel of the demo. In demo mode there are only {urls}. "
        "For real channels set PROVIDERS=live and YOUTUBE_API_KEY."
    )
