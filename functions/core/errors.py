"""What can go wrong, as types. They become HTTP responses in one place, the resolver factory."""


class StockTrackRecordError(Exception):
    """Anything this program raises on purpose."""

    location: str | None = None
    """The API path of the resource an error is about, for its `Location` header."""


class InvalidSetting(StockTrackRecordError):
    """An environment variable holds a value that cannot be used."""


class InvalidValue(StockTrackRecordError):
    """A model was given a value outside its allowed ones; nothing was written."""


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


class ChannelNotProcessing(StockTrackRecordError):
    def __init__(self, channel_id: str) -> None:
        super().__init__(f"channel {channel_id} has no run under way")


class RunEnded(StockTrackRecordError):
    """The run this write belongs to was cancelled, replaced or its channel deleted; nothing was written."""

    def __init__(self, channel_id: str, run_id: str) -> None:
        super().__init__(f"run {run_id} of channel {channel_id} is over")


class RunMustWait(StockTrackRecordError):
    """As many runs as may be are under way; the run stays pending and asks again."""


class TransientError(StockTrackRecordError):
    """A step failed in a way that may pass. The message is for the channel's log, should no retry help."""

    def __init__(self, message: str, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class BatchIncomplete(StockTrackRecordError):
    """DynamoDB kept handing part of a batch back."""

    def __init__(self, left: list[str], tries: int) -> None:
        super().__init__(f"{len(left)} items were still unprocessed after {tries} tries: {', '.join(left)}")
        self.left = left


class PricesUnavailable(StockTrackRecordError):
    """The source of prices cannot be asked at the moment."""


class InvalidPageToken(StockTrackRecordError):
    """A `nextToken` that is damaged, forged or of another list."""


class IdempotencyKeyReused(StockTrackRecordError):
    """The same Idempotency-Key came with another request."""


class IdempotencyKeyInUse(StockTrackRecordError):
    """The first request with this Idempotency-Key is still running."""
