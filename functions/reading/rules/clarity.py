"""The clarity of a call: the probability that it is correct, calibrated on transcripts the rules were not written for.

Phrase weights are learned from the transcripts that the rules were developed on, and are overconfident elsewhere. On
unseen speech, a trade is more credible if it is stated more than once, is recent, uses the wording of a trade and
concerns a stock that is often named; `clarity.csv` has the weight of each. Short clips are exempt: they have no room
for repetition.
"""

import math
from collections.abc import Sequence
from functools import cache

from functions.reading.listings import DATA, rows_of
from functions.reading.rules.evidence import OFTEN, WORDING_ALONE
from functions.reading.rules.stance import DOUBTS
from functions.reading.rules.weighing import Evidence, learned_weights, odds
from functions.reading.terms import SIDES, Sentiment

CLARITY = DATA / "clarity.csv"
LEAST_LIKELY = 0.2
"""Calls with a lower phrase probability are never clear."""
NO_WORDING = -3.0
"""Log odds if there is no wording to compare."""
SUREST = 0.999
ALWAYS = "always"
TRADE, HOLD = "trade", "hold"


def clarity(sentiment: Sentiment, likely: float, evidence: Sequence[Evidence], mentions: int) -> float:
    """Calibrates `likely`, the phrase probability of a call, for a stock mentioned this often in a long transcript."""
    if likely < LEAST_LIKELY:
        return likely
    weights = learned_clarity()[kind_of(sentiment)]
    found = terms(sentiment, likely, evidence, mentions)
    return 1.0 / (1.0 + math.exp(-sum(weights[term] * amount for term, amount in found.items())))


def kind_of(sentiment: Sentiment) -> str:
    return TRADE if sentiment in SIDES else HOLD


def terms(sentiment: Sentiment, likely: float, evidence: Sequence[Evidence], mentions: int) -> dict[str, float]:
    """Returns the features for and against a call, with their values."""
    sure = min(likely, SUREST)
    found = {ALWAYS: 1.0, "odds": math.log(sure / (1.0 - sure))}
    if kind_of(sentiment) == HOLD:
        return found
    weights = learned_weights()
    wording = [math.log(odds(e, weights)) for e in evidence if e.sentiment is sentiment and _is_wording(e)]
    trades = [e for e in evidence if e.sentiment in SIDES and not _is_wording(e) and DOUBTS.isdisjoint(e.traits)]
    phrases = [e for e in trades if e.sentiment is sentiment]
    strongest = max(phrases, key=lambda e: odds(e, weights), default=None)
    return found | {
        "wording": max(wording, default=NO_WORDING),
        "two phrases": float(len(phrases) > 1),
        "of these days": float(any("recent" in e.traits for e in phrases)),
        "named often": float(mentions >= OFTEN),
        "verdict": float(strongest is not None and "object subject" in strongest.traits),  # § is a buy
        "other side": float(len(trades) > len(phrases)),
    }


def _is_wording(evidence: Evidence) -> bool:
    return any(name == WORDING_ALONE for name, _ in evidence.measured)


@cache
def learned_clarity() -> dict[str, dict[str, float]]:
    """The weight of each term, for trades and for holds."""
    weights: dict[str, dict[str, float]] = {}
    for kind, term, weight in rows_of(CLARITY):
        weights.setdefault(kind, {})[term] = float(weight)
    return weights
