"""The rate limit for each service, shared by all processes and stored in the table."""

from functions.record.models.series import PriceProblem
from functions.record.sources.protocols import MAX_WAIT_SECONDS
from functions.runtime.dynamodb.rate_limits import NoTurn, hold, hold_longer, wait_for_turn
from functions.runtime.provider_errors import Blocked, ProviderError, QuotaUsedUp, Refused, Throttled, Unavailable

BLOCKED_SECONDS = 60.0
QUOTA_SECONDS = 900.0


CAPTIONS = "YouTube's captions"
CAPTIONS_PER_SECOND = 1.0
CAPTIONS_MAX_WAIT = 130.0
"""The step that reads a video has 240 seconds for everything."""
CAPTIONS_MIN_HOLD = 30.0
CAPTIONS_MAX_HOLD = 1800.0


class SharedRateLimit:
    def __init__(self, service: str, per_second: float) -> None:
        self._service = service
        self._per_second = per_second

    def wait(self) -> None:
        try:
            wait_for_turn(self._service, self._per_second, MAX_WAIT_SECONDS)
        except NoTurn as refused:
            raise self._error(refused) from None

    def slow_down(self, problem: ProviderError) -> None:
        """Pauses all requests for a while after a refusal that is not about one ticker."""
        if isinstance(problem, Throttled | Blocked):
            hold(self._service, getattr(problem, "retry_after", None) or BLOCKED_SECONDS, PriceProblem.BLOCKED)
        elif isinstance(problem, QuotaUsedUp):
            hold(self._service, QUOTA_SECONDS, PriceProblem.QUOTA_USED_UP)

    def _error(self, refused: NoTurn) -> ProviderError:
        wait = f"Requests to it resume in {refused.seconds:.0f} seconds."
        if refused.reason == PriceProblem.QUOTA_USED_UP:
            return QuotaUsedUp(f"The quota of {self._service} is used up. {wait}")
        if refused.reason == PriceProblem.BLOCKED:
            return Throttled(f"{self._service} refused our requests. {wait}", refused.seconds)
        return Throttled(f"Too many requests wait for {self._service}. {wait}", refused.seconds)


class CaptionsRateLimit:
    """YouTube withholds captions for up to an hour, and does not say for how long.

    Backs off from 30 seconds on. The first three pauses are waited for; after that, YouTube is blocking this address.
    """

    def wait(self) -> None:
        try:
            wait_for_turn(CAPTIONS, CAPTIONS_PER_SECOND, CAPTIONS_MAX_WAIT)
        except NoTurn as refused:
            if refused.reason:
                raise Refused(refused.reason) from None
            raise Unavailable("Too many videos wait for their captions.", refused.seconds) from None

    def slow_down(self, problem: ProviderError) -> None:
        """Sets `retry_after` on the first of a burst of refusals."""
        if isinstance(problem, Throttled):
            seconds = hold_longer(CAPTIONS, CAPTIONS_MIN_HOLD, CAPTIONS_MAX_HOLD, str(problem))
            problem.retry_after = seconds or None
