"""The pace at which each service may be asked: one for all processes, kept in the table."""

from functions.core.series import PriceProblem
from functions.providers.protocols import Blocked, ProviderError, QuotaUsedUp, Throttled
from functions.store.pace import NoTurn, hold, wait_for_turn

LONGEST_WAIT = 20.0
"""In seconds: shorter than any function that sends requests may run."""
BLOCKED_SECONDS = 60.0
QUOTA_SECONDS = 900.0


class SharedPace:
    def __init__(self, service: str, per_second: float) -> None:
        self._service = service
        self._per_second = per_second

    def wait(self) -> None:
        try:
            wait_for_turn(self._service, self._per_second, LONGEST_WAIT)
        except NoTurn as refused:
            raise self._error(refused) from None

    def slow_down(self, problem: ProviderError) -> None:
        """After a refusal that is not about one ticker, nobody asks for a while."""
        if isinstance(problem, Throttled | Blocked):
            hold(self._service, getattr(problem, "retry_after", None) or BLOCKED_SECONDS, PriceProblem.BLOCKED)
        elif isinstance(problem, QuotaUsedUp):
            hold(self._service, QUOTA_SECONDS, PriceProblem.QUOTA_USED_UP)

    def _error(self, refused: NoTurn) -> ProviderError:
        wait = f"It may be asked again in {refused.seconds:.0f} seconds."
        if refused.reason == PriceProblem.QUOTA_USED_UP:
            return QuotaUsedUp(f"The quota of {self._service} is used up. {wait}")
        if refused.reason == PriceProblem.BLOCKED:
            return Throttled(f"{self._service} refused our requests. {wait}", refused.seconds)
        return Throttled(f"Too many requests wait for {self._service}. {wait}", refused.seconds)
