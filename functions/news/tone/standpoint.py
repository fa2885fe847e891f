"""Determines if a phrase in a headline is about the given company, another one, or another one at its expense."""

from collections.abc import Sequence

from functions.news.tone.clauses import Clauses
from functions.news.tone.lexicon import Found
from functions.news.tone.text import OTHER, SUBJECT

OWN, OPPOSITE, NONE = 1.0, -1.0, 0.0
"""Factors for the polarity of a phrase."""


def standpoint(words: Sequence[str], clauses: Clauses, phrase: Found, contest: bool, end: int) -> float:
    """`end` is the word after the phrase and its object. A contest is won at somebody's expense: `¤ outsells §`."""
    if SUBJECT not in words:
        return OWN
    here = clauses.of(clauses.numbers[phrase.first])
    before = [word for word in words[: phrase.first] if word in (SUBJECT, OTHER)]
    if contest and before[-1:] == [OTHER] and any(words[index] == SUBJECT for index in here if index >= phrase.last):
        return OPPOSITE
    if contest and phrase.first and not before and words[end : end + 1] == [SUBJECT]:
        # An unknown company wins: `Zorblat outsells §`.
        return OPPOSITE
    if OTHER not in words or any(words[index] == SUBJECT for index in here):
        return OWN
    return NONE if any(words[index] == OTHER for index in here) else OWN
