"""The domain errors. Only the resolver factory turns them into HTTP responses."""


class StockTrackRecordError(Exception):
    """Base class of the errors that this program raises deliberately."""

    location: str | None = None
    """The API path of the resource concerned, for the `Location` header."""


class InvalidSetting(StockTrackRecordError):
    """An environment variable holds a value that cannot be used."""


class InvalidValue(StockTrackRecordError):
    """A model was given a value that is not allowed; nothing was written."""


class FileTooLarge(StockTrackRecordError):
    """A file was handed in that is larger than is accepted."""


class CsvTooLarge(StockTrackRecordError):
    """A list does not fit into a response as CSV."""


class UnsupportedFile(StockTrackRecordError):
    """A file was handed in under a content type that the route does not take."""


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


class NoRoomLeft(StockTrackRecordError):
    """The disk is full. The message is shown to users."""


class TransientError(StockTrackRecordError):
    """A step failed, and a retry may help. The message is for the channel's log, in case none does."""

    def __init__(self, message: str, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class BatchIncomplete(StockTrackRecordError):
    """DynamoDB repeatedly returned part of a batch as unprocessed, or S3 did not delete all of one."""

    def __init__(self, left: list[str], tries: int) -> None:
        super().__init__(f"{len(left)} items were still unprocessed after {tries} tries: {', '.join(left)}")
        self.left = left


class InvalidPageToken(StockTrackRecordError):
    """A `nextToken` that is damaged, forged, or belongs to another list."""


class IdempotencyKeyReused(StockTrackRecordError):
    """The same Idempotency-Key came with another request."""


class IdempotencyKeyInUse(StockTrackRecordError):
    """The first request with this Idempotency-Key is still running."""
