"""The domain errors. Only the resolver factory turns them into HTTP responses."""


class StockTrackRecordError(Exception):
    """Base class of the errors that this program raises deliberately."""

    location: str | None = None
    """The API path of the resource concerned, for the `Location` header."""


class InvalidSetting(StockTrackRecordError):
    """An environment variable has an invalid value."""


class InvalidValue(StockTrackRecordError):
    """A model was given a value that is not allowed; nothing was written."""


class FileTooLarge(StockTrackRecordError):
    """An uploaded file exceeds the size limit."""


class CsvTooLarge(StockTrackRecordError):
    """A list is too large for a CSV response."""


class UnsupportedFile(StockTrackRecordError):
    """An uploaded file has a content type that the route does not accept."""


class ChangedMeanwhile(StockTrackRecordError):
    """Another version was saved since the caller read it; nothing was written. The message is shown to users."""

    def __init__(self, message: str, present: object) -> None:
        super().__init__(message)
        self.present = present
        """The stored version, in the format the route returns on success."""


class NotAccepted(StockTrackRecordError):
    """A field of a request has an invalid value. The message is shown to users; nothing was written."""

    def __init__(self, field: str, message: str, given: str | None = None) -> None:
        super().__init__(message)
        self.field = field
        self.given = given


class NotTheOwner(StockTrackRecordError):
    """Only the person who made something, or an admin, may do this. The message is shown to users."""


class LimitReached(StockTrackRecordError):
    """The person has reached one of their limits; nothing was written. The message is shown to users."""


class NoRoomLeft(StockTrackRecordError):
    """The disk is full. The message is shown to users."""


class TransientError(StockTrackRecordError):
    """A step failed, and a retry may help. The message goes to the channel's log if no retry succeeds."""

    def __init__(self, message: str, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class BatchIncomplete(StockTrackRecordError):
    """DynamoDB repeatedly returned part of a batch as unprocessed, or S3 failed to delete part of one."""

    def __init__(self, left: list[str], tries: int) -> None:
        super().__init__(f"{len(left)} items were still unprocessed after {tries} tries: {', '.join(left)}")
        self.left = left


class InvalidPageToken(StockTrackRecordError):
    """A `nextToken` that is damaged, forged, or belongs to another list."""


class IdempotencyKeyReused(StockTrackRecordError):
    """The same Idempotency-Key was sent with a different request."""


class IdempotencyKeyInUse(StockTrackRecordError):
    """The first request with this Idempotency-Key is still running."""
