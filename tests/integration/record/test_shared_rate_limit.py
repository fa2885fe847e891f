"""A refusal by a service holds back every process, and each is told why."""

import pytest

from functions.record.models.series import PriceProblem
from functions.record.prices.problems import problem_of
from functions.record.sources.rate_limit import SharedRateLimit
from functions.runtime.provider_errors import Blocked, NotFound, ProviderError, QuotaUsedUp, Throttled, Unavailable

pytestmark = pytest.mark.usefixtures("tables")


@pytest.mark.parametrize(
    ("refusal", "error", "problem"),
    [
        (Throttled("Slow down.", 120.0), Throttled, PriceProblem.BLOCKED),
        (Throttled("Slow down."), Throttled, PriceProblem.BLOCKED),
        (Blocked("Go away."), Throttled, PriceProblem.BLOCKED),
        (QuotaUsedUp("No more."), QuotaUsedUp, PriceProblem.QUOTA_USED_UP),
    ],
)
def test_after_a_refusal_nobody_calls_for_a_while(
    refusal: ProviderError, error: type[ProviderError], problem: PriceProblem
) -> None:
    SharedRateLimit("Yahoo", 2).slow_down(refusal)

    with pytest.raises(error, match="Yahoo") as raised:
        SharedRateLimit("Yahoo", 2).wait()

    assert problem_of(raised.value) == problem
    SharedRateLimit("Finnhub", 2).wait()


def test_a_service_that_asks_for_an_hour_is_left_alone_for_an_hour_whatever_comes_after() -> None:
    left: list[float | None] = []
    for refusal in (Throttled("Wait.", 3600.0), Throttled("Wait."), Blocked("Go away."), QuotaUsedUp("No more.")):
        SharedRateLimit("Yahoo", 2).slow_down(refusal)
        with pytest.raises(Throttled, match=r"Requests to it resume in 3[56]") as raised:
            SharedRateLimit("Yahoo", 2).wait()
        left.append(raised.value.retry_after)

    assert all(seconds and 3500 < seconds <= 3600 for seconds in left)


@pytest.mark.parametrize("failure", [NotFound("No such ticker."), Unavailable("No response."), Throttled("Wait.", 1.0)])
def test_what_is_about_one_ticker_or_soon_over_holds_nobody_back(failure: ProviderError) -> None:
    SharedRateLimit("Yahoo", 1000).slow_down(failure)

    SharedRateLimit("Yahoo", 1000).wait()


def test_a_queue_that_is_too_long_is_an_error_that_says_when_to_come_back() -> None:
    SharedRateLimit("Yahoo", 0.01).wait()

    with pytest.raises(Throttled, match="Too many requests wait for Yahoo") as raised:
        SharedRateLimit("Yahoo", 0.01).wait()

    assert raised.value.retry_after and 90 < raised.value.retry_after <= 100
