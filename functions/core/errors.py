"""The domain errors. Only the resolver factory turns them into HTTP responses."""


class StockTrackRecordError(Exception):
    """Base class of the errors that this program raises deliberately."""

    location: str | None = None
    """The API path of the resource concerned, for the `Location` header."""


class InvalidSetting(StockTrackRecordError):
    """An environment variable holds a value that cannot be used."""


class InvalidValue(StockTrackRecordError):
    """A model was given a value that is not allowed; nothing was written."""


class NotText(StockTrackRecordError):
    """A transcript was handed in as something else than text. The message is shown to users."""


class EmptyTranscript(StockTrackRecordError):
    """A transcript was handed in without any words. The message is shown to users."""


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
    """The check was begun by another clock, or the channel's settings have changed; nothing was written."""

    def __init__(self, channel_id: str) -> None:
        super().__init__(f"channel {channel_id} is not due for this check")


class RunNotFound(StockTrackRecordError):
    def __init__(self, run_id: str) -> None:
        super().__init__(f"there is no run {run_id}")


class ChannelUnderWay(StockTrackRecordError):
    """A run is reading the channel, so nothing can be handed in."""

    def __init__(self, channel_id: str) -> None:
        super().__init__(f"channel {channel_id} is being processed")


class FileTooLarge(StockTrackRecordError):
    """A file was handed in that is larger than is accepted."""


class CsvTooLarge(StockTrackRecordError):
    """A list does not fit into a response as CSV."""


class UnsupportedFile(StockTrackRecordError):
    """A file was handed in under a content type that the route does not take."""


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


class VideoChanged(StockTrackRecordError):
    """Somebody changed the video after it was read; nothing was written."""

    def __init__(self, video_id: str) -> None:
        super().__init__(f"video {video_id} was changed meanwhile")


class CallNotFound(StockTrackRecordError):
    def __init__(self, video_id: str, ticker: str) -> None:
        super().__init__(f"video {video_id} has no mention of {ticker}")


class ChangedMeanwhile(StockTrackRecordError):
    """Somebody saved another version after the caller had looked; nothing was written. Its message is for users."""

    def __init__(self, message: str, present: object) -> None:
        super().__init__(message)
        self.present = present
        """What is stored, as the route that was called returns it when it succeeds."""


class NotAccepted(StockTrackRecordError):
    """A field of a request holds what cannot be used. The message is shown to users; nothing was written."""

    def __init__(self, field: str, message: str, given: str | None = None) -> None:
        super().__init__(message)
        self.field = field
        self.given = given


class ReviewedMeanwhile(ChangedMeanwhile):
    """The call was reviewed after the reviewer had looked at it; nothing was written."""

    def __init__(self, present: object) -> None:
        super().__init__("This call has been reviewed meanwhile; look at it again", present)


class NotWhatWasRead(StockTrackRecordError):
    """A review confirms another sentiment than the analyst read; nothing was written."""

    def __init__(self, given: str, read: str) -> None:
        super().__init__(f"The analyst read {read}: confirm that, or correct it to {given}")
        self.given = given


class StockNotFound(StockTrackRecordError):
    def __init__(self, ticker: str) -> None:
        super().__init__(f"{ticker} cannot be the ticker of a stock")


class NoteNotFound(StockTrackRecordError):
    def __init__(self, note_id: str) -> None:
        super().__init__(f"there is no note {note_id}")


class NotTheAuthor(StockTrackRecordError):
    """Somebody else wrote the note; nothing was written."""

    def __init__(self, note_id: str) -> None:
        super().__init__(f"note {note_id} is somebody else's")


class PlanNotFound(StockTrackRecordError):
    def __init__(self, plan_id: str) -> None:
        super().__init__(f"there is no plan {plan_id}")


class PlanEnded(StockTrackRecordError):
    def __init__(self, plan_id: str) -> None:
        super().__init__(f"plan {plan_id} has ended")


class InvalidPlan(StockTrackRecordError):
    """The tasks do not make a plan. The message is shown to users."""


class TaskLacksChannel(StockTrackRecordError):
    """A task names no channel, nor takes one from the task that adds it. The message is shown to users."""

    def __init__(self, position: int, message: str) -> None:
        super().__init__(message)
        self.position = position


class TaskTaken(StockTrackRecordError):
    """The claim of this worker ended, and another has taken the task over; nothing was written."""

    def __init__(self, plan_id: str, key: str) -> None:
        super().__init__(f"task {key} of plan {plan_id} is another worker's now")


class ExportNotFound(StockTrackRecordError):
    def __init__(self, export_id: str) -> None:
        super().__init__(f"there is no export {export_id}")


class TooManyExports(StockTrackRecordError):
    """The person has as many exports under way as one may have; nothing was written."""


class TooManyImports(StockTrackRecordError):
    """The person has as many imports under way as one may have; nothing was written."""


class TransferTaken(StockTrackRecordError):
    """The export or import was deleted, or another worker has taken it over; nothing was written."""

    def __init__(self, transfer_id: str, *, is_gone: bool) -> None:
        super().__init__(f"{transfer_id} is gone" if is_gone else f"another worker has {transfer_id} now")
        self.is_gone = is_gone


class NoRoomLeft(StockTrackRecordError):
    """The disk is full. The message is shown to users."""


class RunMustWait(StockTrackRecordError):
    """The maximum number of runs is under way; this run stays pending and tries again."""


class TransientError(StockTrackRecordError):
    """A step failed, and a retry may help. The message is for the channel's log, in case none does."""

    def __init__(self, message: str, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class NewsAlreadyKnown(StockTrackRecordError):
    def __init__(self, url: str) -> None:
        super().__init__(f"{url} is stored already")


class BatchIncomplete(StockTrackRecordError):
    """DynamoDB repeatedly returned part of a batch as unprocessed, or S3 did not delete all of one."""

    def __init__(self, left: list[str], tries: int) -> None:
        super().__init__(f"{len(left)} items were still unprocessed after {tries} tries: {', '.join(left)}")
        self.left = left


class SeriesChanged(StockTrackRecordError):
    """Another writer changed the series after it was read; nothing was written."""

    def __init__(self, ticker: str) -> None:
        super().__init__(f"the series of {ticker} was changed meanwhile")


class PricesUnavailable(StockTrackRecordError):
    """The price source is unavailable at the moment."""


class ImportNotFound(StockTrackRecordError):
    def __init__(self, import_id: str) -> None:
        super().__init__(f"there is no import {import_id}")


class ImportTaken(StockTrackRecordError):
    """Another writer imports the channel; nothing more was written."""

    def __init__(self, channel_id: str) -> None:
        super().__init__(f"channel {channel_id} is being imported by another process")


class InvalidPageToken(StockTrackRecordError):
    """A `nextToken` that is damaged, forged, or belongs to another list."""


class IdempotencyKeyReused(StockTrackRecordError):
    """The same Idempotency-Key came with another request."""


class IdempotencyKeyInUse(StockTrackRecordError):
    """The first request with this Idempotency-Key is still running."""
