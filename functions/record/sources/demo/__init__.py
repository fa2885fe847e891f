"""The providers of the demo: three fictional channels and real prices, with no key and no network."""

from functions.record.sources.demo.prices import DemoPrices
from functions.record.sources.demo.transcripts import DemoTranscripts
from functions.record.sources.demo.videos import DemoVideos

__all__ = ["DemoPrices", "DemoTranscripts", "DemoVideos"]
