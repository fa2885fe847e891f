"""Translates an error of a price source into the problem that is stored with a series."""

from functions.record.models.series import PriceProblem
from functions.runtime import provider_errors as errors

PROBLEMS: dict[type[errors.ProviderError], PriceProblem] = {
    errors.ProviderError: PriceProblem.UNAVAILABLE,
    errors.NotFound: PriceProblem.NOT_AT_SOURCE,
    errors.UnknownTicker: PriceProblem.UNKNOWN_TICKER,
    errors.Delisted: PriceProblem.DEPARTED,
    errors.NoTrading: PriceProblem.NO_TRADING,
    errors.Blocked: PriceProblem.BLOCKED,
    errors.QuotaUsedUp: PriceProblem.QUOTA_USED_UP,
    errors.Throttled: PriceProblem.BLOCKED,
    errors.Nonsense: PriceProblem.NONSENSE,
}


def problem_of(error: errors.ProviderError) -> PriceProblem:
    """Returns the problem of the error's most specific class that has one."""
    return next(PROBLEMS[kind] for kind in type(error).__mro__ if kind in PROBLEMS)
