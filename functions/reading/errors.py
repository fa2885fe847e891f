"""Domain errors of uploaded transcripts."""

from functions.runtime.errors import StockTrackRecordError


class NotText(StockTrackRecordError):
    """The uploaded file isn't text. The message is shown to users."""


class EmptyTranscript(StockTrackRecordError):
    """The uploaded transcript has no words. The message is shown to users."""
