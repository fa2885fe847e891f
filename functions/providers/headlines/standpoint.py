"""Whether something in a headline is said of the company it is read for, of another, or of another at its cost."""

from collections.abc import Sequence

from functions.providers.headlines.clauses import Clauses
from functions.providers.headlines.lexicon import Found
from functions.providers.headlines.text import OTHER, SUBJECT

OWN, OPPOSITE, NONE = 1.0, -1.0, 0.0


def standpoint(words: Sequence[str], clauses: Clauses, phrase: Found, contest: bool) -> float:
    """What to multiply the phrase's polarity with. A contest is won at somebody's cost: `¤ outsells §`."""
    if SUBJECT not in words or OTHER not in words:
        return OWN
    here = clauses.of(clauses.numbers[phrase.first])
    companies_before = [word for word in words[: phrase.first] if word in (SUBJECT, OTHER)]
    by_other = companies_before[-1:] == [OTHER]
    if by_other and contest and any(words[index] == SUBJECT for index in here if index >= phrase.last):
        return OPPOSITE
    if any(words[index] == SUBJECT for index in here):
        return OWN
    return NONE if any(words[index] == OTHER for index in here) else OWN
