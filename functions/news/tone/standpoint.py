"""Whether something in a headline is said of the company it is read for, of another, or of another at its cost."""

from collections.abc import Sequence

from functions.news.tone.clauses import Clauses
from functions.news.tone.lexicon import Found
from functions.news.tone.text import OTHER, SUBJECT

OWN, OPPOSITE, NONE = 1.0, -1.0, 0.0
"""What to multiply the polarity of what is said with."""


def standpoint(words: Sequence[str], clauses: Clauses, phrase: Found, contest: bool, end: int) -> float:
    """`end` is the word after the phrase and its object. A contest is won at somebody's cost: `¤ outsells §`."""
    if SUBJECT not in words:
        return OWN
    here = clauses.of(clauses.numbers[phrase.first])
    before = [word for word in words[: phrase.first] if word in (SUBJECT, OTHER)]
    if contest and before[-1:] == [OTHER] and any(words[index] == SUBJECT for index in here if index >= phrase.last):
        return OPPOSITE
    if contest and phrase.first and not before and words[end : end + 1] == [SUBJECT]:
        # Of a company nobody has heard of: `Zorblat outsells §`.
        return OPPOSITE
    if OTHER not in words or any(words[index] == SUBJECT for index in here):
        return OWN
    return NONE if any(words[index] == OTHER for index in here) else OWN
