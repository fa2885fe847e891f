"""The domain errors of channels, runs, calls, reviews and prices."""

from functions.runtime.errors import ChangedMeanwhile, StockTrackRecordError


class ChannelNotFound(StockTrackRecordError):
    def __init__(self, channel_id: str) -> None:
        super().__init__(f"there is no channel {channel_id}")


class ChannelAlreadyExists(StockTrackRecordError):
    def __init__(self, youtube_channel_id: str, existing_id: str | None = None) -> None:
        super().__init__(f"{youtube_channel_id} is already channel {existing_id or 'of another id'}")
        self.existing_id = existing_id
        self.location = f"/api/channels/{existing_id}" if existing_id else None


class ChannelAlreadyProcessing(StockTrackRecordError):
    def __init__(self, channel_id: str) -> None:
        super().__init__(f"channel {channel_id} has a run under way")


class CheckNotDue(StockTrackRecordError):
    """Another scheduler run started the check first, or the channel's settings changed; nothing was written."""

    def __init__(self, channel_id: str) -> None:
        super().__init__(f"channel {channel_id} is not due for this check")


class RunNotFound(StockTrackRecordError):
    def __init__(self, run_id: str) -> None:
        super().__init__(f"there is no run {run_id}")


class ChannelUnderWay(StockTrackRecordError):
    """A run is processing the channel, so transcripts can't be uploaded."""

    def __init__(self, channel_id: str) -> None:
        super().__init__(f"channel {channel_id} is being processed")


class ChannelNotProcessing(StockTrackRecordError):
    def __init__(self, channel_id: str) -> None:
        super().__init__(f"channel {channel_id} has no run under way")


class RunEnded(StockTrackRecordError):
    """The run this write belongs to was cancelled, replaced or its channel deleted; nothing was written."""

    def __init__(self, channel_id: str, run_id: str) -> None:
        super().__init__(f"run {run_id} of channel {channel_id} is over")


class VideoNotFound(StockTrackRecordError):
    def __init__(self, video_id: str) -> None:
        super().__init__(f"there is no video {video_id}")


class GivenUp(StockTrackRecordError):
    """Reading the video has failed for good, until somebody asks for another try. The message is for the log."""


class VideoChanged(StockTrackRecordError):
    """The video was changed after it was read; nothing was written."""

    def __init__(self, video_id: str) -> None:
        super().__init__(f"video {video_id} was changed meanwhile")


class CallNotFound(StockTrackRecordError):
    def __init__(self, video_id: str, ticker: str) -> None:
        super().__init__(f"video {video_id} has no mention of {ticker}")


class ReviewedMeanwhile(ChangedMeanwhile):
    """The call was reviewed after the reviewer loaded it; nothing was written."""

    def __init__(self, present: object) -> None:
        super().__init__("This call has been reviewed meanwhile; look at it again", present)


class NotWhatWasRead(StockTrackRecordError):
    """A review confirms something else than the analyst read; nothing was written."""

    def __init__(self, part: str, given: object, read: object) -> None:
        super().__init__(f"The analyst read {_shown(read)}: confirm that, or correct it to {_shown(given)}")
        self.part = part
        self.given = given


class NotWhatThePolicySays(StockTrackRecordError):
    """A review corrects to a sentiment that the policy doesn't make of the corrected statement; nothing was written."""

    part = "sentiment"

    def __init__(self, given: str, explanation: str) -> None:
        super().__init__(
            f"By the policy this statement isn't {given} ({explanation.rstrip('.')}): leave the sentiment out, "
            "or correct the statement"
        )
        self.given = given


class StockNotFound(StockTrackRecordError):
    def __init__(self, ticker: str) -> None:
        super().__init__(f"{ticker} cannot be the ticker of a stock")


class RunMustWait(StockTrackRecordError):
    """The maximum number of runs is in progress, or the tokens of the day are spent; this run stays and retries."""

    def __init__(self, reason: str, wait_seconds: int) -> None:
        super().__init__(reason)
        self.wait_seconds = wait_seconds


class SeriesChanged(StockTrackRecordError):
    """Another writer changed the series after it was read; nothing was written."""

    def __init__(self, ticker: str) -> None:
        super().__init__(f"the series of {ticker} was changed meanwhile")


class PricesUnavailable(StockTrackRecordError):
    """The price source is temporarily unavailable."""


class NoteNotFound(StockTrackRecordError):
    def __init__(self, note_id: str) -> None:
        super().__init__(f"there is no note {note_id}")


class NotTheAuthor(StockTrackRecordError):
    """The note was written by someone else; nothing was changed."""

    def __init__(self, note_id: str) -> None:
        super().__init__(f"note {note_id} is somebody else's")


def _shown(part: object) -> str:
    """Formats a part of a statement as it is given in a request."""
    return str(part).lower() if part is not None else "nothing"
