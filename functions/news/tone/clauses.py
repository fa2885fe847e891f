"""The parts of a headline: what is told, why it came about, what it happened in spite of, and what follows a "but"."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from functions.news.tone.lexicon import Found
from functions.news.tone.text import BREAKS


class Part(Enum):
    """Where something stands in a headline; by how much it counts there."""

    MAIN = 1.0
    CAUSE = 0.7
    """`… as costs climb`: why something happened."""
    CONCESSION = 0.3
    """`… despite record profit`"""
    TURN = 1.4
    """`… but warns`: what the writer holds to matter more."""


@dataclass(frozen=True, slots=True)
class Clauses:
    parts: Sequence[Part]
    """Of each word."""
    numbers: Sequence[int]
    """The clause of each word, counted from the first."""
    barriers: frozenset[int]
    """Words that no phrase reaches across for what it is about."""

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
