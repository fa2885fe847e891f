"""The domain errors of transcripts that were uploaded."""

from functions.runtime.errors import StockTrackRecordError


class NotText(StockTrackRecordError):
    """A transcript was handed in as something else than text. The message is shown to users."""


class EmptyTranscript(StockTrackRecordError):
    """A transcript was handed in without any words. The message is shown to users."""
