"""Detects negated phrases: not selling is a hold, not buying is only a mention."""

from functions.reading.rules.reading import Occurrence
from functions.reading.rules.tenses import WOULD
from functions.reading.rules.vocabulary import pattern, phrases

REACH_OF_NEGATION = 42
"""Maximum characters between a negation and the phrase it governs."""
NEAREST_VERB = 5
"""Words directly before a verb that are certainly its subject and auxiliaries."""

NEGATION = phrases("negation")
ALTERNATIVE = pattern(r" or (?:(?!i |we |you |it |§)\S+ ){0,4}$")
"""`not enough to make me buy | or at least buy more`: both are denied."""
CARRIED_NEGATION = pattern(
    r"(?<!\w)(?:not (?:a|an|the|one|something|what|where|how|somewhere)(?: \S+){0,3}"
    r"|(?:the )?last thing|nothing(?: here| there)?|no (?:way|chance|scenario)(?: that| in hell| on earth)?)$"
)
"""`… is not a stock | I'd buy`."""
LAST_TO_BUY = pattern(r"(?<!\w)the (?:very )?last (?:\S+ )?(?:stock|name|company|one|place|business)(?: that)?$")
"""`§ is the last stock | I would buy`"""
DISBELIEF = pattern(r"(?<!\w)(?:do|did|does|would) not (?:\S+ )?(?:think|believe|feel|feel like|mean)(?: that)?$")
"""`I don't think | we should buy it`, `which does not mean | you should sell`"""
DISBELIEVED = pattern(
    r"(?<!\w)(?:do|did|does|would) not (?:\S+ )?(?:think|believe)(?: that)?"
    r" (?:(?!but |and |because )\S+ ){0,4}§ (?:\S+ ){0,3}$"
    r"|(?<!\w)(?:does|did) not (?:\S+ )?mean (?:(?!but |and |because |so )\S+ ){0,16}$"
)
"""`I don't think that § is | a buy`, `which does not mean that § is | a buy`"""


def is_negated(at: Occurrence) -> bool:
    if not at.phrase.negatable:
        return False
    if DISBELIEVED.search(at.before) or NEGATION.search(_governing(at.before)):
        return True
    if at.earlier and LAST_TO_BUY.search(at.earlier[0].text) and WOULD.search(at.before):
        return True
    if at.earlier and at.earlier[0].text.endswith(" not"):
        return True  # you can't - literally - buy it
    near = len(at.before.split()) <= NEAREST_VERB
    return any(
        (near and DISBELIEF.search(clause.text)) or CARRIED_NEGATION.search(clause.text) for clause in at.unmarked
    )


def _governing(before: str) -> str:
    """Returns the words that may negate a phrase: only those after the last stock, unless `or` joins them."""
    alternative = ALTERNATIVE.search(before)
    governed = before[: alternative.start()] if alternative else before
    governing = before[max(0, len(governed) - REACH_OF_NEGATION) :]
    after_stock = governing.rpartition("§ ")[2]
    return governing if after_stock.startswith(("or ", "nor ")) else after_stock
