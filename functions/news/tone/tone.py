"""Reads the tone of a headline for a company: good news, bad news, or neither."""

import math
from dataclasses import dataclass

from functions.news.tone.clauses import Part
from functions.news.tone.companies import mark_companies
from functions.news.tone.evidence import Evidence, Level, evidence_in
from functions.news.tone.lexicon import find_phrases, word_list
from functions.news.tone.text import pieces_of
from functions.record.models.tones import NewsSentiment

THRESHOLD = 0.55
"""Minimum absolute total of a side; anything below is neutral."""
QUESTION, NOTICE = 0.3, 0.4
"""Weights of the words of a question, and of a notice such as "to present at a conference"."""
SURE_OF_MIXED, SURE_OF_NOTHING = 0.9, 0.8
"""Confidence that a headline is neutral: with balanced evidence, and without any."""
DOUBT, TRUST = 1.6, 1.8
"""Calibrated on third-party headlines, where one word was right about 0.5 of the time, and a price move 0.9."""
BESIDE_A_PRICE = 0.5
"""Weight of news next to a price move, which matters more: "shares fall despite record profit"."""


@dataclass(frozen=True, slots=True)
class Tone:
    sentiment: NewsSentiment
    score: float
    """Confidence, from 0 to 1."""


def read_tone(text: str, about: str | None = None) -> Tone:
    """`about` is the name or the ticker of the company: one headline may be good news for one and bad for another."""
    words = [piece.key for piece in mark_companies(pieces_of(text), about)]
    found = evidence_in(words)
    total = _total(found) * _force(words)
    if abs(total) < THRESHOLD:
        return Tone(NewsSentiment.NEUTRAL, _sure_of_neutral(total, found))
    return Tone(NewsSentiment.POSITIVE if total > 0 else NewsSentiment.NEGATIVE, _sure_of_side(total))


def _total(found: list[Evidence]) -> float:
    one_level = len({each.level for each in found}) == 1
    priced = any(each.level is Level.PRICE and each.part is not Part.CONCESSION for each in found)
    return sum(each.polarity * _weight(each, one_level, priced) for each in found)


def _weight(each: Evidence, one_level: bool, priced: bool) -> float:
    # "Beats on profit but misses on revenue" is mixed: what follows "but" counts more only if it is of another kind.
    weight = each.level.value * (1.0 if one_level and each.part is Part.TURN else each.part.value)
    return weight * BESIDE_A_PRICE if priced and each.level is not Level.PRICE else weight


def _force(words: list[str]) -> float:
    force = 1.0
    if "?" in words or (words and words[0] in word_list("questions")):
        force *= QUESTION
    if any("notices" in phrase.tags for phrase in find_phrases(words)):
        force *= NOTICE
    return force


def _sure_of_side(total: float) -> float:
    return round(1 / (1 + math.exp(DOUBT - TRUST * abs(total))), 3)


def _sure_of_neutral(total: float, found: list[Evidence]) -> float:
    return round(SURE_OF_MIXED - (SURE_OF_MIXED - 0.5) * abs(total) / THRESHOLD, 3) if found else SURE_OF_NOTHING
