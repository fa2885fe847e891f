"""The transcripts of the demo's videos."""

import re
import time
from collections.abc import Callable
from dataclasses import dataclass

from functions.reading.transcripts import Transcript
from functions.record.sources.demo.channels import channels
from functions.record.sources.protocols import DEMO_SOURCE
from functions.runtime.provider_errors import NotFound

WORDS_PER_MINUTE = 150
"""The assumed speaking rate of the demo's videos."""
SENTENCE = re.compile(r"\S.*?(?:[.!?](?=\s)|$)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class DemoTranscripts:
    pause: float = 0.0
    """Seconds that reading takes, so progress is visible."""
    sleep: Callable[[float], None] = time.sleep

    def read(self, youtube_video_id: str) -> Transcript:
        self.sleep(self.pause)
        for channel in channels():
            if youtube_video_id in channel.transcripts:
                return _spoken(channel.transcripts[youtube_video_id])
        raise NotFound(f"The demo has no transcript of video {youtube_video_id}.")


def _spoken(text: str) -> Transcript:
    """Returns a transcript with each sentence at the second a speaker would reach it."""
    offsets, seconds = [], []
    words = 0
    for sentence in SENTENCE.finditer(text):
        offsets.append(sentence.start())
        seconds.append(words * 60 // WORDS_PER_MINUTE)
        words += len(sentence[0].split())
    return Transcript(text, DEMO_SOURCE, "en", tuple(offsets), tuple(seconds))
