"""Reads one clause: which phrases of buying, holding or selling it holds, and whether the speaker means them."""

import re
from bisect import bisect_right
from dataclasses import dataclass
from typing import TypeGuard

from functions.core.models import Sentiment
from functions.providers.rules import lexicon
from functions.providers.rules.lexicon import PHRASES, Phrase
from functions.providers.rules.names import Mention
from functions.providers.rules.text import AUXILIARIES, Clause, Word

REACH_OF_NEGATION = 42
"""Characters before a phrase in which a negation still governs it."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A clause written out for the phrase patterns."""

    clause: Clause
    text: str
    starts: list[int]
    """Where each written word starts in `text`."""
    indexes: list[int]
    """Which word of the transcript each written word came from."""
    mentions: list[Mention]
    triggered: bool

    def word_at(self, position: int) -> int:
        return self.indexes[bisect_right(self.starts, position) - 1]


@dataclass(frozen=True, slots=True)
class Stance:
    sentiment: Sentiment
    """`mentioned` for a phrase that was denied: the speaker does not buy."""
    weight: float
    first: int
    last: int
    """The words it rests on."""
    about_subject: bool
    asked: bool
    """Only asked, not said."""
    after: str
    """How the clause goes on."""


def read(clause: Clause, words: list[Word], mentions: list[Mention]) -> Reading:
    parts: list[str] = []
    starts: list[int] = []
    indexes: list[int] = []
    length = 0
    triggered = False
    covered = {index: mention for mention in mentions for index in range(mention.first, mention.last)}
    for index in range(clause.first, clause.last):
        mention = covered.get(index)
        if mention and index > max(mention.first, clause.first):
            continue
        written = _written(words[index].key, mention)
        for part in written.split():
            triggered = triggered or part in lexicon.TRIGGERS
            parts.append(part)
            starts.append(length)
            indexes.append(index)
            length += len(part) + 1
    return Reading(clause, " ".join(parts), starts, indexes, mentions, triggered)


def _written(key: str, mention: Mention | None) -> str:
    if mention:
        return "§" if mention.ticker else "¤"
    if key in lexicon.DROPPED:
        return ""
    if key in lexicon.OPENED:
        return lexicon.OPENED[key]
    return f"{key[:-3]} not" if key.endswith("n't") else key


def stances(reading: Reading, previous: Reading | None, following: Reading | None) -> list[Stance]:
    if not reading.triggered:
        return []
    taken = [match.span() for match in lexicon.NO_ADVICE.finditer(reading.text)]
    found = []
    for phrase in PHRASES:
        for match in phrase.pattern.finditer(reading.text):
            start, end = match.span()
            if any(start < other_end and other_start < end for other_start, other_end in taken):
                continue
            taken.append((start, end))
            meant = _meaning(phrase, match, reading, previous, following)
            if meant:
                first, last = reading.word_at(start), reading.word_at(end - 1) + 1
                asked = _is_question(reading.text[:start], reading)
                found.append(Stance(*meant, first, last, phrase.about_subject, asked, reading.text[end:]))
    return sorted(found, key=lambda stance: stance.first)


def _meaning(
    phrase: Phrase, match: re.Match[str], reading: Reading, previous: Reading | None, following: Reading | None
) -> tuple[Sentiment, float] | None:
    before, words, after = reading.text[: match.start()], match[0], reading.text[match.end() :]
    if _is_question(before, reading):
        return phrase.sentiment, 0.9
    if lexicon.NOT_ADVISING.search(before) or (_runs_on(previous) and lexicon.NOT_ADVISING.search(previous.text)):
        return None
    if lexicon.HEDGE.search(before) or _is_conditional(before, after, reading, previous, following):
        return None
    if before.endswith(" had ") or _is_recap(before, words, after, previous):
        return None
    speaker = _speaker_weight(phrase, before, words, previous)
    if not speaker:
        return None
    if phrase.negatable and _is_negated(before, previous):
        opposite = denied(phrase.sentiment)
        return opposite, 0.3 if opposite is Sentiment.MENTIONED else 0.4 if "did not" in before else 0.9
    return phrase.sentiment, phrase.weight * speaker


def denied(sentiment: Sentiment) -> Sentiment:
    """Who does not sell holds; who does not buy has only spoken of it."""
    return Sentiment.HOLD if sentiment is Sentiment.SELL else Sentiment.MENTIONED


def _is_negated(before: str, previous: Reading | None) -> bool:
    if lexicon.NEGATION.search(before[-REACH_OF_NEGATION:]):
        return True
    return _runs_on(previous) and not previous.clause.ends_with and bool(lexicon.CARRIED_NEGATION.search(previous.text))


def _is_question(before: str, reading: Reading) -> bool:
    return (
        reading.clause.ends_with == "?" or bool(lexicon.INVERTED.search(before)) or bool(lexicon.ASKED.search(before))
    )


def _is_recap(before: str, words: str, after: str, previous: Reading | None) -> bool:
    if not lexicon.PAST_TENSE.search(words) and not re.search(r"(?<!\w)(?:told|called|was|were|had)(?!\w)", before):
        return False
    if lexicon.RECAP.search(before) or lexicon.RECAP.search(words) or lexicon.RECAP.search(after):
        return True
    led_in = _runs_on(previous) and lexicon.RECAP.search(previous.text)
    return bool(led_in) and not re.search(r"(?<!\w)(?:i|we)(?!\w)", before)


def _is_conditional(
    before: str, after: str, reading: Reading, previous: Reading | None, following: Reading | None
) -> bool:
    if lexicon.CONDITION.search(reading.text) and not before.startswith("if you"):
        return True
    if lexicon.IN_CLAUSE_CONDITION.search(before + after) and lexicon.WOULD.search(before):
        return "up to" not in after
    would = lexicon.WOULD.search(before)
    if _runs_on(previous):
        if lexicon.CONDITION.search(previous.text) and not lexicon.PAST_TENSE.search(reading.text):
            return True
        if would and lexicon.MAYBE.search(previous.text):
            return True
    return bool(would and following and _runs_on(reading) and lexicon.CONDITION.search(following.text))


def _runs_on(reading: Reading | None) -> TypeGuard[Reading]:
    """Whether the sentence goes on after this clause."""
    return reading is not None and reading.clause.ends_with not in {".", "?", ";"}


def _speaker_weight(phrase: Phrase, before: str, words: str, previous: Reading | None) -> float:
    """How surely it is the speaker who acts or advises; 0 when it is someone else."""
    reported = lexicon.SPEECH.search(before)
    if reported and not lexicon.OWN_RATING.search(before):
        return 0.0
    if (
        phrase.about_subject
        and _runs_on(previous)
        and lexicon.SPEECH.search(previous.text)
        and not OWN.intersection(before.split())
    ):
        return 0.0
    if not phrase.needs_speaker:
        return 1.0
    said = before.split()
    for word, following in zip(reversed(said), ["", *reversed(said)], strict=False):
        if word in lexicon.FIRST_PERSON:
            return 1.0
        if word in lexicon.SECOND_PERSON:
            return _advice_weight(before)
        if word in lexicon.OTHER_PEOPLE and (word != "it" or not following or following in AUXILIARIES):
            return 0.0
    return _unnamed_speaker_weight(said, words, previous)


def _advice_weight(before: str) -> float:
    if not lexicon.IF_YOU.search(before):
        return 1.0
    return 1.0 if lexicon.IF_YOU_OWN.search(before) else 0.0


LINKS = frozenset(
    [
        "and",
        "or",
        "then",
        "so",
        "but",
        "to",
        "please",
        "go",
        "would",
        "will",
        "is",
        "be",
        "am",
        "are",
        "not",
        "have",
        "still",
        "now",
        "instead",
        "either",
        "is:",
        "for",
        "yes",
        "no",
    ]
)
OWN = frozenset(["i", "we", "my", "our", "advice", "plan", "me", "mine", "us", "today"])


def _unnamed_speaker_weight(said: list[str], words: str, previous: Reading | None) -> float:
    """`Sold mine.` and `sell it` have the speaker for a subject; `bezos sold` does not."""
    past = lexicon.PAST_TENSE.search(words)
    if not said:
        return 0.9
    if OWN.intersection(said):
        return 0.9
    if past:
        return 0.9 if said[-1] in LINKS else 0.0
    return 0.8
