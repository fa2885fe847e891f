"""The providers of the demo: three fictional channels and real prices, with no key and no network."""

from functions.providers.demo.prices import DemoPrices
from functions.providers.demo.transcripts import DemoTranscripts
from functions.providers.demo.videos import DemoVideos

__all__ = ["DemoPrices", "DemoTranscripts", "DemoVideos"]
