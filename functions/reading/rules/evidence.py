"""The evidence about a stock: the context of each phrase, and how phrases and wording combine."""

from dataclasses import dataclass, field, replace

from functions.reading.rules.context import Mention
from functions.reading.rules.phrases import OWNING
from functions.reading.rules.reading import Reading
from functions.reading.rules.stance import DOUBTS
from functions.reading.rules.targets import Target
from functions.reading.rules.weighing import Evidence
from functions.reading.rules.wording import Stretch, Worth, likeness
from functions.reading.terms import SIDES, Sentiment

NEARBY, NOT_FAR, FAR = 12, 40, 100
IN_A_ROW = 3
"""Consecutive mentions of one stock after which it stays the topic, even if the last one was long before."""
OFTEN = 4
LEAST_CERTAIN_NAME = 0.9
OWN_DEEDS = frozenset({"speaker i", "speaker we", "speaker dropped", "speaker own"})
UNCLEAR_TRADES = frozenset({"bargain", "disliking", "far", "not far", "very far", "warning"})
"""Traits that make a trade ambiguous."""
WORDING, WORDING_ALONE = "wording", "wording alone"
"""Traits measured by the similarity to the wording of calls: for a phrase, and for the words around a name alone."""
USUAL_LIKENESS = -1.5
"""The similarity of typical talk about a stock: only a deviation from it counts for or against a phrase."""


@dataclass(slots=True)
class Findings:
    """What a transcript says about one stock."""

    mention: Mention
    mentions: int = 0
    evidence: list[Evidence] = field(default_factory=list)
    """The evidence from phrases."""
    stretches: list[Stretch] = field(default_factory=list)
    """Everything said about it, for the wording model."""


def circumstances(
    target: Target, found: Findings, reading: Reading, manner: tuple[str, ...], named_in_a_row: int
) -> list[str]:
    """Returns the traits that describe how a phrase was linked to a stock.

    `manner` describes the style of the transcript, and `named_in_a_row` counts the stock's consecutive mentions.
    """
    traits = [f"link {target.link}"]
    if target.link.startswith("topic"):
        traits.append(_how_far(reading.clause.first - target.mention.last, kept_up=named_in_a_row >= IN_A_ROW))
    traits += (*_how_often(found), *manner)
    if target.mention.certainty < LEAST_CERTAIN_NAME:
        traits.append("uncertain name")
    return traits


def _how_far(distance: int, *, kept_up: bool) -> str:
    if distance <= NEARBY:
        return "nearby"
    if distance <= NOT_FAR or kept_up:
        return "not far"
    return "far" if distance <= FAR else "very far"


def _how_often(found: Findings) -> tuple[str, ...]:
    return ("often spoken of",) if found.mentions >= OFTEN else ()


def in_sum(found: list[Evidence]) -> list[Evidence]:
    """Combines the evidence: a clear trade overrides owning the stock, and the last statement may weigh more."""
    acted = any(_acts(e) for e in found)
    if any(map(_clearly_trades, found)):
        found = [e for e in found if OWNING.isdisjoint(e.traits)]
    summed = [
        Evidence(e.sentiment, (*e.traits, "owned and acted on"), e.first)
        if acted and not OWNING.isdisjoint(e.traits)
        else e
        for e in found
    ]
    return [*summed[:-1], *(Evidence(e.sentiment, (*e.traits, "said last"), e.first) for e in summed[-1:])]


def _acts(evidence: Evidence) -> bool:
    """True if somebody certainly buys or sells."""
    return evidence.sentiment in SIDES and DOUBTS.isdisjoint(evidence.traits) and "liking" not in evidence.traits


def _clearly_trades(evidence: Evidence) -> bool:
    """True if the speaker clearly states their own trade, which overrides owning the stock.

    A stock bought at some time in the past may simply be held now.
    """
    bought_once = evidence.sentiment is Sentiment.BUY and "tense past" in evidence.traits
    plain = not OWN_DEEDS.isdisjoint(evidence.traits) and UNCLEAR_TRADES.isdisjoint(evidence.traits)
    return _acts(evidence) and plain and not bought_once


def all_evidence(found: Findings, worth: dict[str, Worth]) -> list[Evidence]:
    """Returns the evidence from phrases, and from the wording of everything said about the stock."""
    alike = likeness(found.stretches, worth)
    trades = any(map(_clearly_trades, found.evidence))
    by_phrases = [
        replace(e, measured=((WORDING, alike[e.sentiment].log_odds - USUAL_LIKENESS),)) if e.sentiment in alike else e
        for e in found.evidence
    ]
    by_wording = [
        Evidence(
            sentiment,
            (f"worded as a {sentiment}", _what_phrases_say(sentiment, found, like.first), *_how_often(found)),
            like.first,
            ((WORDING_ALONE, like.log_odds),),
        )
        for sentiment, like in alike.items()
        if sentiment is not Sentiment.HOLD or not trades
    ]
    return by_phrases + by_wording


def _what_phrases_say(sentiment: Sentiment, found: Findings, at: int) -> str:
    """Compares the phrases with a wording that suggests `sentiment` most in the clause that starts at word `at`."""
    if not found.evidence:
        return "no phrases"
    same = [e for e in found.evidence if e.sentiment is sentiment]
    if not same:
        return "phrases differ"
    if any(DOUBTS.isdisjoint(e.traits) for e in same):
        return "phrases agree"
    return "phrases in doubt" if any(at <= e.first < at + NOT_FAR for e in same) else "phrases in doubt elsewhere"
