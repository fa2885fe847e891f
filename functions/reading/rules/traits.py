"""Detects what speaks for and against a phrase: its tense, and whether it is negated, asked, hedged or conditional."""

from functions.reading.rules.reading import Occurrence, Reading, runs_on
from functions.reading.rules.speakers import FIRST_PERSON, MINE, OWN, PAST_TENSE, is_doing
from functions.reading.rules.vocabulary import pattern, phrases

REACH_OF_NEGATION = 42
"""Maximum characters between a negation and the phrase it governs."""
MAX_ADVERBIAL = 4
"""Maximum words of a clause that only dates the next one: `last January`."""

NEGATION = phrases("negation")
ASKED = phrases("asked")
INVERTED = phrases("inverted")
SPEECH = phrases("speech")
"""Somebody else's opinion is being reported."""
HEDGE = phrases("hedge")
RECENT = phrases("recent")
RECAP = phrases("recap")
"""A past tense next to one of these is a story."""
STORY_VERB = phrases("story verb")
WANT = phrases("wish")
WOULD = pattern(r"(?<!\w)(?:would|will)(?!\w)")
WOULD_DO = phrases("would")
FUTURE = phrases("future")
DID = phrases("did")
EVENT = phrases("event")
CONDITION = phrases("condition")
IN_CLAUSE_CONDITION = phrases("in clause condition")
MAYBE = phrases("maybe")


def tense(at: Occurrence) -> str:
    if WANT.search(at.before):
        return "wish"
    if WOULD_DO.search(at.before):
        return "would"
    if FUTURE.search(at.before):
        return "future"
    if PAST_TENSE.search(at.words) or DID.search(at.before):
        return "past"
    return "progressive" if is_doing(at.words) else "present"


def is_negated(at: Occurrence) -> bool:
    """True for `not buying`; not selling is a hold, not buying is only a mention."""
    if not at.phrase.negatable:
        return False
    governing = at.before[-REACH_OF_NEGATION:].rpartition("§ ")[2]
    return bool(NEGATION.search(governing)) or bool(at.earlier and at.earlier[0].text.endswith(" not"))


def is_asked(at: Occurrence) -> bool:
    if at.words.startswith("why "):
        return False
    if at.reading.clause.ends_with == "?" or ASKED.search(at.before):
        return True
    return not PAST_TENSE.search(at.words) and bool(INVERTED.search(at.before))


def is_reported(at: Occurrence) -> bool:
    """True if it is somebody else's opinion."""
    if SPEECH.search(at.before):
        return not MINE.search(at.words)
    if not at.phrase.about_subject or not OWN.isdisjoint(at.before.split()):
        return False
    return any(SPEECH.search(clause.text) for clause in at.earlier[:1])


def is_recent(at: Occurrence) -> bool:
    return bool(RECENT.search(at.reading.text))


def is_history(at: Occurrence) -> bool:
    """True if a past tense occurs next to words such as `last year`."""
    if not (PAST_TENSE.search(at.words) or STORY_VERB.search(at.before) or DID.search(at.before)):
        return False
    if RECAP.search(at.before) or RECAP.search(at.words + at.after):
        return True
    own_subject = not FIRST_PERSON.isdisjoint(at.before.split())
    return not is_recent(at) and any(
        RECAP.search(clause.text) and (len(clause.starts) <= MAX_ADVERBIAL or not own_subject)
        for clause in at.earlier[:1]
    )  # last January | I bought it


def is_conditional(at: Occurrence) -> bool:
    """`If it falls to fifty, | I buy it`, `I would buy it at fifty`"""
    would = WOULD.search(at.before + at.words)
    if would and IN_CLAUSE_CONDITION.search(at.before + at.after):
        return "up to" not in at.after
    if _is_condition(at.reading) or (not PAST_TENSE.search(at.reading.text) and any(map(_is_condition, at.earlier))):
        return True
    return would is not None and _would_under_a_condition(at, would[0])


def _would_under_a_condition(at: Occurrence, would: str) -> bool:
    """`I would buy it | if it fell to fifty`"""
    if any(MAYBE.search(clause.text) for clause in at.earlier[:1]):
        return True
    if not at.following or not runs_on(at.reading):
        return False
    return _is_condition(at.following) or (would == "would" and bool(CONDITION.search(at.following.text)))


def _is_condition(reading: Reading) -> bool:
    """`If it drops to eighty`: an event that has not happened yet."""
    return bool(CONDITION.search(reading.text)) and bool(EVENT.search(reading.text))
