"""Classifies the object of a trade: a named stock, `it`, shares, or a thing such as coffee."""

from functions.reading.rules.reading import POSSESSIVE, Occurrence
from functions.reading.rules.text import COMPANIES, TIME_WORDS
from functions.reading.rules.vocabulary import pattern, words

OBJECT_LEAD = pattern(
    rf"^ ?(?:(?:{'|'.join(sorted(words('object lead words')))}|\$?\d+|(?:company|stock|name) called"
    r"|(?:companies|stocks|names|something) (?:like|such as)|(?:way )?too (?:much|many))(?: |$))*"
)
"""The words between a verb and its object: `bought [a few more shares of] §`."""
SHARES = pattern(rf"(?<!\w)(?:{'|'.join(sorted(words('share words')))})(?!\w)")
PRONOUNS = words("object pronouns")
DEMONSTRATIVES = words("demonstratives")
PRODUCTS = words("products")
"""`bought an § card` isn't a share."""
HAS_ITS_OBJECT = pattern(rf"{SHARES.pattern}|(?:profits?|gains?|loss|losses)$")
"""`trim my position`, `take profits`: the object is already in the phrase."""
AFTER_OBJECT = words("after an object")
"""`bought [it] today`, `sold [it] because`: a verb before one of these has no object."""
AFTER_DEMONSTRATIVE = AFTER_OBJECT | COMPANIES | words("after a demonstrative") | {"§"}
"""`sold this [company]`, `sold that [whole thing]`: refers to the topic."""


def what_is_traded(at: Occurrence) -> str:
    """`named`, `shares`, `pronoun`, `nothing`, `stocks`, `asset`, `belonging`, `thing`, or a verdict's `subject`."""
    if at.phrase.about_subject:
        return "subject"
    if at.after.startswith((" from ", " of ")) and object_of(at.after[at.after.index(" ", 1) :]) == "thing":
        return "thing"  # keep your distance from | the whole group
    if "§" in at.words and not at.words.startswith("take "):
        return "named"  # raised my § position
    if at.words.endswith((" it", " them", " this one", " that one")):
        return "pronoun"
    found = object_of(at.after)
    if found == "thing" and not at.phrase.needs_speaker:
        return "nothing"
    return "shares" if found in {"thing", "nothing"} and HAS_ITS_OBJECT.search(at.words) else found


def object_of(after: str) -> str:
    """Classifies the object in the words after a verb."""
    lead = OBJECT_LEAD.match(after)
    end = lead.end() if lead else 0
    led_by, rest = after[:end], after[end:].split(" ", 2)
    if rest[0] == "§":
        return _stock_or_belonging(rest)
    if rest[0] == "¤":
        return "asset"
    if SHARES.search(led_by):
        return "shares"
    if rest[0] in COMPANIES:
        return "stocks"
    return _object_without_name(after, rest)


def _object_without_name(after: str, rest: list[str]) -> str:
    """What is bought or sold where neither a name nor a share follows the verb; `rest` starts with the object."""
    if rest[0] in DEMONSTRATIVES:
        return _pointed_at(rest)
    if rest[0] in PRONOUNS:
        return "pronoun"
    if rest[0] == "is" and "§" in after:
        return "nothing"  # the one I'm buying | is called §
    if rest[0] == "" or rest[0] in AFTER_OBJECT or rest[0].lstrip("$")[:1].isdigit():
        return "nothing"
    return "thing"


def _stock_or_belonging(rest: list[str]) -> str:
    """`§`, but not `an § card` or `§ 's margin`."""
    if len(rest) > 1 and rest[1] in PRODUCTS:
        return "belonging"
    belongs = len(rest) > 1 and rest[1] == POSSESSIVE
    return "belonging" if belongs and not SHARES.match(rest[-1]) else "named"


def _pointed_at(rest: list[str]) -> str:
    """Classifies `this` by the word after it."""
    if len(rest) > 1 and rest[1] in TIME_WORDS:
        return "nothing"  # bought more | this morning
    alone = len(rest) == 1 or rest[1] in AFTER_DEMONSTRATIVE
    return "pronoun" if alone else "thing"
