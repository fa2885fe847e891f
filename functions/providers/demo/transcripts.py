"""The transcripts of the demo's videos."""

import time
from collections.abc import Callable
from dataclasses import dataclass

from functions.providers.demo.channels import channels
from functions.providers.protocols import NotFound


@dataclass(frozen=True, slots=True)
class DemoTranscripts:
    pause: float = 0.0
    """Seconds that reading takes, so that progress can be watched."""
    sleep: Callable[[float], None] = time.sleep

    def read(self, youtube_video_id: str) -> str:
        self.sleep(self.pause)
        for channel in channels():
            if youtube_video_id in channel.transcripts:
                return channel.transcripts[youtube_video_id]
        raise NotFound(f"The demo has no transcript of video {youtube_video_id}.")
