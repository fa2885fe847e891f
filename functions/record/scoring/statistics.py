"""Intervals and tests: Wilson's interval, regression with Newey-West errors, Benjamini-Hochberg."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from operator import mul
from statistics import fmean, stdev

Z_95 = 1.959964
"""95 % of a normal distribution lie within this many standard deviations."""
Z_POWER_80 = 0.841621
EXCESS_TO_SHOW = 0.02
SMALLEST_ERROR = 1e-12
"""A standard error below this is rounding: the fit is exact and cannot be tested."""


@dataclass(frozen=True, slots=True)
class Regression:
    """y = alpha + beta x, by least squares."""

    alpha: float
    beta: float
    alpha_error: float

    @property
    def alpha_t(self) -> float | None:
        return self.alpha / self.alpha_error if self.alpha_error > SMALLEST_ERROR else None

    @property
    def p_value(self) -> float | None:
        """Two-sided, for the hypothesis that alpha is zero."""
        return None if self.alpha_t is None else math.erfc(abs(self.alpha_t) / math.sqrt(2))


def wilson_interval(share: float, trials: float) -> tuple[float, float]:
    """Returns a 95 % interval around a share. The number of trials need not be whole."""
    z2 = Z_95**2
    centre = (share + z2 / (2 * trials)) / (1 + z2 / trials)
    margin = Z_95 * math.sqrt(share * (1 - share) / trials + z2 / (4 * trials**2)) / (1 + z2 / trials)
    return centre - margin, centre + margin


def calls_needed(excesses: Sequence[float]) -> int | None:
    """Returns how many independent calls would show an excess of 2 % at the 5 % level with a power of 80 %."""
    if len(excesses) < 2:
        return None
    return math.ceil(((Z_95 + Z_POWER_80) * stdev(excesses) / EXCESS_TO_SHOW) ** 2)


def regress(y: Sequence[float], x: Sequence[float]) -> Regression | None:
    """Uses Newey-West errors. None if x does not vary."""
    if not x:
        return None
    mean_x, mean_y = fmean(x), fmean(y)
    from_mean = [value - mean_x for value in x]
    spread = _dot(from_mean, from_mean)
    if spread == 0:
        return None
    beta = _dot(from_mean, y) / spread
    alpha = mean_y - beta * mean_x
    # Each day's contribution to alpha's deviation: its residual times its weight in the intercept.
    parts = [
        (value - alpha - beta * market) * (1 / len(y) - mean_x * deviation / spread)
        for value, market, deviation in zip(y, x, from_mean, strict=True)
    ]
    return Regression(alpha, beta, math.sqrt(max(0.0, _newey_west(parts))))


def benjamini_hochberg(p_values: Sequence[float]) -> list[float]:
    """Returns the q-values: the share of false discoveries if everything at least this significant counts as one."""
    q_values = [1.0] * len(p_values)
    smallest = 1.0
    ascending = sorted(range(len(p_values)), key=p_values.__getitem__)
    for rank, index in reversed(list(enumerate(ascending, start=1))):
        smallest = min(smallest, p_values[index] * len(p_values) / rank)
        q_values[index] = smallest
    return q_values


def _newey_west(parts: Sequence[float]) -> float:
    """Returns the variance of the sum of autocorrelated parts, with Bartlett's weights."""
    lags = math.floor(4 * (len(parts) / 100) ** (2 / 9))
    covariances = (_dot(parts[lag:], parts[: len(parts) - lag]) for lag in range(1, lags + 1))
    return _dot(parts, parts) + 2 * math.fsum(
        covariance * (1 - lag / (lags + 1)) for lag, covariance in enumerate(covariances, start=1)
    )


def _dot(one: Sequence[float], other: Sequence[float]) -> float:
    return math.fsum(map(mul, one, other))
