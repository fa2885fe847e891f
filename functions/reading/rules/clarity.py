"""How clear a call is: how likely it is right in talk by which no rule was made.

Weights of phrases are learned from talk by which the rules were made, and promise too much elsewhere. What tells a
trade from mere talk there is that it is said more than once, as of these days, in the words of a trade, and of a stock
that is often named. `scripts/learn_clarity.py` learns how much of that counts. A short clip has no room for it.
"""

import math
from collections.abc import Sequence
from functools import cache

from functions.reading.listings import DATA, rows_of
from functions.reading.rules.evidence import OFTEN, SIDES, WORDING_ALONE
from functions.reading.rules.stance import DOUBTS
from functions.reading.rules.weighing import Evidence, learned_weights, odds
from functions.reading.terms import Sentiment

CLARITY = DATA / "clarity.csv"
LEAST_LIKELY = 0.2
"""A call that is less likely by its phrases is never clear."""
NO_WORDING = -3.0
"""The logarithm of the odds where nothing is said in words that can be compared."""
SUREST = 0.999
ALWAYS = "always"
TRADE, HOLD = "trade", "hold"


def clarity(sentiment: Sentiment, likely: float, evidence: Sequence[Evidence], mentions: int) -> float:
    """How likely a call is right that is `likely` by its phrases, of a stock named so often in a long transcript."""
    if likely < LEAST_LIKELY:
        return likely
    worth = learned_clarity()[kind_of(sentiment)]
    said = terms(sentiment, likely, evidence, mentions)
    return 1.0 / (1.0 + math.exp(-sum(worth[term] * amount for term, amount in said.items())))


def kind_of(sentiment: Sentiment) -> str:
    return TRADE if sentiment in SIDES else HOLD


def terms(sentiment: Sentiment, likely: float, evidence: Sequence[Evidence], mentions: int) -> dict[str, float]:
    """What speaks for a call and against it, and how much there is of it."""
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
    """What each term is worth, for trades and for holds."""
    worth: dict[str, dict[str, float]] = {}
    for kind, term, weight in rows_of(CLARITY):
        worth.setdefault(kind, {})[term] = float(weight)
    return worth
