"""Weighs the evidence: the probability that a transcript calls a stock a buy, a hold or a sell, or only mentions it.

Each trait of a piece of evidence multiplies the odds of its sentiment by a factor. The weights are the logarithms of
these factors (`weights.csv`).
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache

from functions.reading.listings import DATA, rows_of
from functions.reading.rules.wording import CALLS
from functions.reading.terms import Sentiment

WEIGHTS = DATA / "weights.csv"
LIMIT = 12.0
"""Maximum log odds: beyond this the result is practically certain."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """One phrase about one stock."""

    sentiment: Sentiment
    """`mentioned` if it speaks against a call."""
    traits: tuple[str, ...]
    first: int
    """The word it starts at."""
    measured: tuple[tuple[str, float], ...] = ()
    """Traits with a numeric value."""


def odds(evidence: Evidence, weights: Mapping[str, float]) -> float:
    """Returns the odds of its sentiment against a plain mention."""
    total = sum(weights.get(trait, 0.0) for trait in evidence.traits)
    total += sum(weights.get(trait, 0.0) * amount for trait, amount in evidence.measured)
    return math.exp(max(-LIMIT, min(LIMIT, total)))


def probabilities(found: Iterable[Evidence], weights: Mapping[str, float]) -> dict[Sentiment, float]:
    shares = dict.fromkeys(Sentiment, 0.0)
    shares[Sentiment.MENTIONED] = 1.0
    for evidence in found:
        shares[evidence.sentiment] += odds(evidence, weights)
    total = sum(shares.values())
    return {sentiment: share / total for sentiment, share in shares.items()}


def likeliest(likely: Mapping[Sentiment, float]) -> Sentiment:
    """Returns the most likely call, ignoring plain mentions."""
    return max(CALLS, key=lambda sentiment: likely[sentiment])


@cache
def learned_weights() -> dict[str, float]:
    return {trait: float(weight) for trait, weight in rows_of(WEIGHTS)}
