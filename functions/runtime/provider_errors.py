"""The errors that clients of external services raise."""

from functions.runtime.errors import StockTrackRecordError


class ProviderError(StockTrackRecordError):
    """A provider failed. The message is shown to users and never contains a key."""


class NotFound(ProviderError):
    """There is no such channel, transcript or price. A retry will not help."""


class Delisted(NotFound):
    """The share has left the exchanges."""


class NoTrading(NotFound):
    """The ticker is known, and has no close in the period."""


class Refused(ProviderError):
    """A wrong key, an exhausted quota, a blocked address: someone has to act before a retry can help."""


class Blocked(Refused):
    """The service refuses all requests with our key, or from our address."""


class QuotaUsedUp(Refused):
    """No more requests for now; the service's plan says when it renews."""


class MissingSetting(Refused):
    def __init__(self, name: str, purpose: str) -> None:
        super().__init__(f"{name} is not set. It is needed to {purpose}.")
        self.name = name


class Unavailable(ProviderError):
    """A transient error: a timeout, throttling, a server error, a response that cannot be parsed."""

    def __init__(self, message: str, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class Throttled(Unavailable):
    """The service asks to slow down."""


class Nonsense(Unavailable):
    """A response that cannot be read, or that cannot be right."""
