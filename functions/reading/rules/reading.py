"""Normalises clauses for matching: `I'm buying Nvidia` becomes `i am buying §`; ¤ stands for other assets."""

from bisect import bisect_right
from dataclasses import dataclass

from functions.reading.rules import vocabulary
from functions.reading.rules.context import Mention
from functions.reading.rules.known import is_possessive
from functions.reading.rules.phrases import Phrase, triggers_in
from functions.reading.rules.text import Clause, Word

DROPPED = "-"
REWRITTEN = {**vocabulary.rewritings("contractions"), **dict.fromkeys(vocabulary.words("fillers"), DROPPED)}
"""Normalised spelling of words."""
POSSESSIVE = "'s"
"""As in `Apple's margin`, which isn't a share."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A clause normalised for the phrase patterns."""

    clause: Clause
    text: str
    starts: list[int]
    """Offset of each normalised word in `text`."""
    indexes: list[int]
    """Index of the transcript's word that each normalised word came from."""
    mentions: list[Mention]
    triggers: frozenset[str]
    """The trigger words it contains; without any it has no phrases."""

    def word_at(self, position: int) -> int:
        return self.indexes[bisect_right(self.starts, position) - 1]


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A phrase in its clause, with its context."""

    phrase: Phrase
    before: str
    words: str
    """The phrase itself."""
    after: str
    reading: Reading
    earlier: list[Reading]
    """The clauses of the same sentence before this one, nearest first."""
    following: Reading | None


def read(clause: Clause, words: list[Word], mentions: list[Mention]) -> Reading:
    parts: list[str] = []
    starts: list[int] = []
    indexes: list[int] = []
    length = 0
    covered = {index: mention for mention in mentions for index in range(mention.first, mention.last)}
    for index in range(clause.first, clause.last):
        mention = covered.get(index)
        if mention is None:
            key = words[index].key
            written = REWRITTEN.get(key) or (f"{key[:-3]} not" if key.endswith("n't") else key)
            if written == DROPPED:
                continue
        elif index > max(mention.first, clause.first):
            continue
        else:
            written = "§" if mention.ticker else "¤"
            if is_possessive(words[mention.last - 1].key) and mention.last <= clause.last:
                written += f" {POSSESSIVE}"
        for part in written.split():
            if parts and part == parts[-1] and part not in {"§", "¤"}:
                continue
            parts.append(part)
            starts.append(length)
            indexes.append(index)
            length += len(part) + 1
    text = " ".join(parts)
    return Reading(clause, text, starts, indexes, mentions, triggers_in(parts, text))


def runs_on(reading: Reading) -> bool:
    """True if the sentence continues after this clause."""
    return reading.clause.ends_with not in {".", "?", ";"}


def with_lead_in(reading: Reading, previous: Reading | None) -> str:
    """Prepends the previous clause if the sentence continues: captions split `five stocks | I'm buying`."""
    return f"{previous.text} {reading.text}" if previous and runs_on(previous) else reading.text
