"""Detects phrases that are questions; `answers.py` handles their answers."""

from functions.reading.rules.reading import Occurrence
from functions.reading.rules.speakers import LINKS
from functions.reading.rules.tenses import PAST_TENSE
from functions.reading.rules.vocabulary import pattern, phrases

QUESTION_START = pattern(
    r"^(?:(?:so|and|but|okay|now|or|then) )*(?:is|are|should|would|does|do|can|will|am)"
    r" (?:§|it|this|that|now|i|you|we|they) "
)
INVERTED = pattern(
    r"(?<!\w)(?<!i )(?<!we )(?<!they )(?<!you )(?:should|would|do|did|can|could|am|are|is|will|have|was|were)"
    r" (?:i|you|we|it|this|that|§|they|he|she|these|those)"
    r"(?: (?:stock|one|still|also|even|a|the|be|now|here|good|great|time|to|go|really|not|right|want|going))*\s*$"
)
ASKED = phrases("asked")
UNDECIDED = pattern(
    r"(?<!\w)(?:see|find out|figure out|determine|decide|deciding|know) (?:where|when|what|which|how much)$"
    r"|(?<!\w)which (?:ones? )?of (?:these|those|them|the)(?: \S+){0,3}$"
)
"""`It helps me decide where | I would buy it`, `let's see which of these two | I think is the best buy`"""
TELLS_WHY = pattern(r"(?<!\w)why (?:am|are|did|have|do) (?:i|we) (?!not )(?:\S+ ){0,2}$")
"""`So why am I | buying it?`: giving reasons for a trade implies having made it."""
NEEDS_TO = pattern(r"(?:have|got|need|ought|want) to(?!\w)")
"""`Why do I | need to own it?` asks for reasons, and gives none."""
OPTION = pattern(r"^(?:(?:or|is|it|a|an|this) )*(?:buy|hold|sell)$")
OTHER_OPTION = pattern(r"(?:or )?(?:an? )?(?:(?:{strong}) )?(?:buy|hold|sell)(?=$| or )")


def is_asked(at: Occurrence) -> bool:
    return _is_question(at) or _is_one_option(at)


def _is_question(at: Occurrence) -> bool:
    if at.words.startswith("why ") or (TELLS_WHY.search(at.before) and not NEEDS_TO.match(at.words)):
        return False
    if at.reading.clause.ends_with == "?" or ASKED.search(at.before):
        return True
    if at.before.startswith("if ") and any(ASKED.search(clause.text) for clause in at.earlier[:1]):
        return True
    if LINKS.issuperset(at.before.split()) and any(QUESTION_START.search(f"{c.text} ") for c in at.earlier):
        return True  # are we buying it, | or selling it
    if any(UNDECIDED.search(clause.text) for clause in at.unmarked):
        return True
    if PAST_TENSE.search(at.words):
        return False
    return bool(INVERTED.search(at.before) or QUESTION_START.search(at.before))


def _is_one_option(at: Occurrence) -> bool:
    """`Is it a buy, | hold, | or sell?`"""
    return (
        at.following is not None
        and bool(OPTION.search(at.reading.text))
        and bool(OTHER_OPTION.match(at.following.text))
    )
