"""The errors that clients of external services raise."""

from functions.runtime.errors import StockTrackRecordError


class ProviderError(StockTrackRecordError):
    """A provider failed. The message is shown to users and never contains a key."""


class NotFound(ProviderError):
    """There is no such channel, transcript or price. A retry will not help."""


class UnknownTicker(NotFound):
    """No list of US shares has the ticker, so no source was asked: it could have another company's price."""


class Delisted(NotFound):
    """The share is no longer listed on an exchange."""


class NoTrading(NotFound):
    """The ticker exists but has no close in the period."""


class Refused(ProviderError):
    """A wrong key, an exhausted quota, a blocked address: a retry cannot help until someone acts."""


class Blocked(Refused):
    """The service refuses all requests with our key, or from our address."""


class QuotaUsedUp(Refused):
    """The quota is used up; the service's plan determines when it renews."""


class MissingSetting(Refused):
    def __init__(self, name: str, purpose: str) -> None:
        super().__init__(f"{name} is not set. It is needed to {purpose}.")
        self.name = name


class Declined(ProviderError):
    """A model refuses to read this text. It would refuse again."""


class Unavailable(ProviderError):
    """A transient error: a timeout, throttling, a server error, a response that cannot be parsed."""

    def __init__(self, message: str, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class Throttled(Unavailable):
    """The service asks us to slow down."""


class Nonsense(Unavailable):
    """A response that cannot be parsed, or that cannot be correct."""
