"""Reads one clause: which phrases of buying, holding or selling it holds, and whether the speaker means them."""

import re
from bisect import bisect_right
from dataclasses import dataclass

from functions.core.models import Sentiment
from functions.providers.rules import lexicon
from functions.providers.rules.lexicon import PHRASES, Phrase
from functions.providers.rules.names import Mention
from functions.providers.rules.text import AUXILIARIES, Clause, Word

REACH_OF_NEGATION = 42
"""Characters before a phrase in which a negation still governs it."""
LONGEST_ADVERBIAL = 4
"""Words of a clause such as `last January` that only dates the next one."""
MOST_PHRASES = 8
"""No clause that someone spoke holds more."""


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
    denied: Sentiment
    """What it is if the answer is no."""
    after: str
    """How the clause goes on."""


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
            written = lexicon.REWRITTEN.get(key) or (f"{key[:-3]} not" if key.endswith("n't") else key)
            if written == lexicon.DROPPED:
                continue
        elif index > max(mention.first, clause.first):
            continue
        else:
            written = "§" if mention.ticker else "¤"
        for part in written.split():
            parts.append(part)
            starts.append(length)
            indexes.append(index)
            length += len(part) + 1
    triggered = parts[-2:] == ["am", "in"] or not lexicon.TRIGGERS.isdisjoint(parts)
    return Reading(clause, " ".join(parts), starts, indexes, mentions, triggered)


def stances(reading: Reading, earlier: list[Reading], following: Reading | None) -> list[Stance]:
    """`earlier` are the clauses of the same sentence before this one, nearest first."""
    if not reading.triggered:
        return []
    taken = [match.span() for match in lexicon.NO_ADVICE.finditer(reading.text)]
    found = []
    for phrase in PHRASES:
        for match in phrase.pattern.finditer(reading.text):
            start, end = match.span()
            if any(start < other_end and other_start < end for other_start, other_end in taken):
                continue
            if len(taken) >= MOST_PHRASES:
                break
            taken.append((start, end))
            meant = _meaning(phrase, match, reading, earlier, following)
            if meant:
                first, last = reading.word_at(start), reading.word_at(end - 1) + 1
                asked = _is_question(reading.text[:start], match[0], reading, earlier)
                after = reading.text[_own_pronoun(match) :]
                found.append(Stance(*meant, first, last, phrase.about_subject, asked, phrase.denied, after))
    return sorted(found, key=lambda stance: stance.first)


def _own_pronoun(match: re.Match[str]) -> int:
    """Where what follows a phrase starts: with its own pronoun, if it ends in one (`not touching it`)."""
    pronoun = lexicon.FINAL_PRONOUN.search(match[0])
    return match.start() + pronoun.start() if pronoun else match.end()


def _meaning(
    phrase: Phrase, match: re.Match[str], reading: Reading, earlier: list[Reading], following: Reading | None
) -> tuple[Sentiment, float] | None:
    before, words, after = reading.text[: match.start()], match[0], reading.text[match.end() :]
    if _is_question(before, words, reading, earlier):
        return phrase.sentiment, 0.9
    if lexicon.NOT_ADVISING.search(before) or any(lexicon.NOT_ADVISING.search(clause.text) for clause in earlier):
        return None
    if lexicon.HEDGE.search(before) or _is_conditional(before, after, reading, earlier, following):
        return None
    if before.endswith(" had ") or _is_recap(before, words, after, earlier):
        return None
    speaker = _speaker_weight(phrase, before, words, earlier)
    if not speaker and not _speaker_agrees(after, following):
        return None
    if phrase.negatable and _is_negated(before, earlier):
        if phrase.denied is Sentiment.MENTIONED:
            return phrase.denied, 0.3
        return phrase.denied, 0.4 if "did not" in before else 0.9
    return phrase.sentiment, phrase.weight * (speaker or 1.0)


def _is_negated(before: str, earlier: list[Reading]) -> bool:
    governing = before[-REACH_OF_NEGATION:]
    after_stock = governing.rpartition("§ ")[2]
    if lexicon.NEGATION.search(governing if after_stock.startswith(("or ", "nor ")) else after_stock):
        return True
    unmarked = earlier[:1] if earlier and not earlier[0].clause.ends_with else []
    return any(lexicon.CARRIED_NEGATION.search(clause.text) for clause in unmarked)


def _is_question(before: str, words: str, reading: Reading, earlier: list[Reading]) -> bool:
    if reading.clause.ends_with == "?" or lexicon.ASKED.search(before):
        return True
    if before.startswith("if ") and any(lexicon.ASKED.search(clause.text) for clause in earlier[:1]):
        return True
    if lexicon.PAST_TENSE.search(words):
        return False
    return bool(lexicon.INVERTED.search(before) or lexicon.QUESTION_START.search(before))


def _is_recap(before: str, words: str, after: str, earlier: list[Reading]) -> bool:
    if not lexicon.PAST_TENSE.search(words) and not lexicon.STORY_VERB.search(before):
        return False
    if lexicon.RECAP.search(before) or lexicon.RECAP.search(words) or lexicon.RECAP.search(after):
        return True
    own_subject = not lexicon.FIRST_PERSON.isdisjoint(before.split())
    for clause in earlier[:1]:
        adverbial = len(clause.starts) <= LONGEST_ADVERBIAL
        if lexicon.RECAP.search(clause.text) and (adverbial or not own_subject):
            return True
    return False


def _is_conditional(
    before: str, after: str, reading: Reading, earlier: list[Reading], following: Reading | None
) -> bool:
    if _is_condition(reading):
        return True
    if lexicon.IN_CLAUSE_CONDITION.search(before + after) and lexicon.WOULD.search(before):
        return "up to" not in after
    would = lexicon.WOULD.search(before)
    if not lexicon.PAST_TENSE.search(reading.text) and any(map(_is_condition, earlier)):
        return True
    if would and any(lexicon.MAYBE.search(clause.text) for clause in earlier[:1]):
        return True
    return bool(would and following and runs_on(reading) and _is_condition(following))


def _is_condition(reading: Reading) -> bool:
    """`If it drops to eighty`: something that has not happened yet."""
    return bool(lexicon.CONDITION.search(reading.text)) and bool(lexicon.EVENT.search(reading.text))


def runs_on(reading: Reading) -> bool:
    """Whether the sentence goes on after this clause."""
    return reading.clause.ends_with not in {".", "?", ";"}


def _speaker_weight(phrase: Phrase, before: str, words: str, earlier: list[Reading]) -> float:
    """How surely it is the speaker who acts or advises; 0 when it is someone else."""
    reported = lexicon.SPEECH.search(before)
    if reported and not lexicon.OWN_RATING.search(before):
        return 0.0
    said = before.split()
    if phrase.about_subject:
        led_in = any(lexicon.SPEECH.search(clause.text) for clause in earlier[:1])
        return 0.0 if led_in and not lexicon.OWN.intersection(said) else 1.0
    if not phrase.needs_speaker:
        return 0.0 if lexicon.THIRD_PERSON.intersection(said) and not lexicon.FIRST_PERSON.intersection(said) else 1.0
    for word, following in zip(reversed(said), ["", *reversed(said)], strict=False):
        if word in lexicon.FIRST_PERSON:
            return 1.0
        if word in lexicon.SECOND_PERSON:
            return _advice_weight(before)
        if word in lexicon.OTHER_PEOPLE and (word != "it" or not following or following in AUXILIARIES):
            return 0.0
    return _unnamed_speaker_weight(said, words)


def _speaker_agrees(after: str, following: Reading | None) -> bool:
    """`Insiders are buying, and so am I.`"""
    return bool(lexicon.AGREES.search(after)) or (following is not None and bool(lexicon.AGREES.search(following.text)))


def _advice_weight(before: str) -> float:
    if before.endswith(("you can ", "you could ")):
        return 0.0
    if not lexicon.IF_YOU.search(before):
        return 1.0
    return 1.0 if lexicon.IF_YOU_OWN.search(before) else 0.0


def _unnamed_speaker_weight(said: list[str], words: str) -> float:
    """`Sold mine.` and `sell it` have the speaker for a subject; `bezos sold` does not."""
    past = lexicon.PAST_TENSE.search(words)
    if not said:
        return 0.9
    if lexicon.OWN.intersection(said):
        return 0.9
    if past:
        company_acts = lexicon.COMPANY_ACTS.search(" ".join(said))
        return 0.9 if said[-1] in lexicon.LINKS and not company_acts else 0.0
    return 0.0 if _has_other_subject(said, words) else 0.8


def _has_other_subject(said: list[str], words: str) -> bool:
    """`the stock is holding`, `§ will add`, `let us get in`: someone or something else does it."""
    doing = words.split()[0].endswith("ing")
    if said[-1] in lexicon.STATE_VERBS and doing:
        return True
    return said[-2:] == ["let", "us"] or (said[-1] in lexicon.MODALS and len(said) > 1)
