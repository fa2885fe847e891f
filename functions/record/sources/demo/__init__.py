"""The demo's providers: three fictional channels and real prices, without keys or network."""

from functions.record.sources.demo.prices import DemoPrices
from functions.record.sources.demo.transcripts import DemoTranscripts
from functions.record.sources.demo.videos import DemoVideos

__all__ = ["DemoPrices", "DemoTranscripts", "DemoVideos"]
