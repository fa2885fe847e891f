"""Determines the tense of a phrase by its verb form and auxiliaries."""

from functions.reading.rules.reading import Occurrence
from functions.reading.rules.vocabulary import pattern, phrases

PAST_TENSE = phrases("past tense")
PARTICIPLE = pattern(r"^(?:bought|sold|held|kept|taken|gotten|built|begun|\w+[^e]ed)(?!\w)")
WANT = pattern(
    r"(?<!\w)(?:want|wanted|trying|try|tried|like|love|looking|hope|hoping|wish|able|need|supposed) to (?:\S+ ){0,2}$"
)
WOULD = pattern(r"(?<!\w)(?:would|will)(?!\w)")
WOULD_DO = pattern(r"(?<!\w)(?:would|could) (?:\S+ ){0,2}$")
FUTURE = pattern(r"(?<!\w)(?:will|going to|about to|plan to|planning to|go ahead and) (?:\S+ ){0,2}$")
DID = pattern(r"(?<!\w)did (?:\S+ )?$")
STARTED_TO = pattern(
    r"(?<!\w)(?<!did )(?:was|were) (?:(?:continuing|starting|trying|beginning|looking) )?to (?:\S+ )?$"
)
"""`I was continuing to | buy more`, `the trade was to | short it`"""
PAST_PROGRESSIVE = pattern(
    r"(?<!\w)(?<!if i )(?<!if we )(?:was|were|(?<!have )(?<!has )kept) (?:(?!going |about |so |and |but )\S+ ){0,2}$"
)
"""`When we were | buying it`, `I kept | adding to it`"""


def tense(at: Occurrence) -> str:
    if WANT.search(at.before):
        return "wish"
    if WOULD_DO.search(at.before):
        return "would"
    if FUTURE.search(at.before):
        return "future"
    if PAST_TENSE.search(at.words) or DID.search(at.before) or is_past_progressive(at):
        return "past"
    return "progressive" if is_doing(at.words) else "present"


def is_doing(verb: str) -> bool:
    """`buying it`, of a phrase or a single word."""
    return verb.split()[0].endswith("ing")


def is_past_perfect(at: Occurrence) -> bool:
    """`I had sold`, which `I'd sold` is short for."""
    return at.before.endswith(" had ") or (at.before.endswith(" would ") and bool(PARTICIPLE.search(at.words)))


def is_past_progressive(at: Occurrence) -> bool:
    """`We were buying it`, which refers to the past."""
    doing = is_doing(at.words) and PAST_PROGRESSIVE.search(at.before)
    return bool(doing or STARTED_TO.search(at.before))
