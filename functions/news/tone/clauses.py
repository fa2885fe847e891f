"""The parts of a headline: the statement, its cause, a concession, and the turn after a "but"."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from functions.news.tone.lexicon import Found
from functions.news.tone.text import BREAKS


class Part(Enum):
    """A part of a headline, with its weight."""

    MAIN = 1.0
    CAUSE = 0.7
    """`… as costs climb`: why something happened."""
    CONCESSION = 0.3
    """`… despite record profit`"""
    TURN = 1.4
    """`… but warns`: the part that the writer emphasises."""


@dataclass(frozen=True, slots=True)
class Clauses:
    parts: Sequence[Part]
    """The part of each word."""
    numbers: Sequence[int]
    """The clause number of each word."""
    barriers: frozenset[int]
    """Words across which a phrase cannot have its object."""

    def of(self, number: int) -> list[int]:
        return [index for index, clause in enumerate(self.numbers) if clause == number]


def divide(words: Sequence[str], found: Sequence[Found]) -> Clauses:
    openers = {phrase.first: phrase.tags for phrase in found}
    parts: list[Part] = []
    numbers: list[int] = []
    barriers: set[int] = set()
    part, number = Part.MAIN, 0
    for index, word in enumerate(words):
        tags = openers.get(index, frozenset())
        part = _part(part, word, tags)
        number += word in BREAKS or "conjunctions" in tags
        if word in BREAKS or tags & {"causes", "concedes", "turns"}:
            barriers.add(index)
        parts.append(part)
        numbers.append(number)
    return Clauses(parts, numbers, frozenset(barriers))


def _part(before: Part, word: str, tags: frozenset[str]) -> Part:
    if word in BREAKS:
        return before if before is Part.TURN else Part.MAIN
    if "concedes" in tags:
        return Part.CONCESSION
    if "turns" in tags:
        return Part.TURN
    return Part.CAUSE if "causes" in tags and before is Part.MAIN else before
