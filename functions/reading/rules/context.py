"""The context of a name: how the captions use capitals, and the topics nearby."""

from collections import Counter
from dataclasses import dataclass
from datetime import date
from itertools import pairwise
from typing import NamedTuple

from functions.reading.rules import vocabulary
from functions.reading.rules.text import Word

SHARE_NOUNS = vocabulary.words("share nouns")
MARKET_WORDS = SHARE_NOUNS | vocabulary.words("market words")
BUSINESS_WORDS = MARKET_WORDS | vocabulary.words("business words")
EVERYDAY_WORDS = vocabulary.words("everyday words")
"""Words that show a brand in use, not on the market."""

NEAR = 14
MARKET_REACH = 25
"""Words to either side that count as context: the narrow reach for bare captions, the wide one elsewhere."""
UNKNOWN = 0.5
"""Certainty of a name that belongs to no listed company."""
FEW_CAPITALS = 0.02
"""Share of capitalised words below which captions count as all lower case."""
FEW_INSIDE, LONG_ENOUGH = 0.005, 200
"""The same for capitals inside sentences, for transcribers that capitalise only the first word of each, and the
minimum number of words to decide."""

OFTEN_ENOUGH, MIN_MARKET = 60, 120
"""A text is about the market if at least one word in `OFTEN_ENOUGH` is a market word, counting at least `MIN_MARKET`
words."""


class Mention(NamedTuple):
    first: int
    last: int
    ticker: str | None
    """None for anything that isn't a listed share."""
    certainty: float


@dataclass(frozen=True, slots=True)
class Caption:
    words: list[Word]
    keys: list[str]
    capitals: bool
    """True if a capital letter is significant: False where everything is in capitals."""
    lower_case: bool
    """True if names are in lower case, as in raw captions."""
    about_business: bool
    about_market: bool
    """True if most of the text is about shares."""
    counts: Counter[str]
    """Number of occurrences of each word."""
    day: date | None
    """The day it was published; None means today."""

    def market_talk(self, first: int, last: int, reach: int) -> bool:
        return any(key in MARKET_WORDS for key in self.keys[max(0, first - reach) : first]) or any(
            key in MARKET_WORDS for key in self.keys[last : last + reach]
        )

    def everyday_talk(self, first: int, last: int) -> bool:
        return not EVERYDAY_WORDS.isdisjoint(self.keys[max(0, first - NEAR) : last + NEAR])

    def near(self, phrase: str, first: int, last: int) -> bool:
        """True if the word is within reach, or if the name is part of or adjacent to the phrase."""
        if " " not in phrase:
            return phrase in self.keys[max(0, first - MARKET_REACH) : last + MARKET_REACH]
        reach = phrase.count(" ")
        start, end = max(0, first - reach), min(last + reach, len(self.keys))
        if f" {phrase} " not in f" {' '.join(self.keys[start:end])} ":
            return False
        # `Google, that raised money` doesn't contain `google that`.
        parts = (f"| {self.keys[i]}" if self.starts_sentence(i) else self.keys[i] for i in range(start, end))
        return f" {phrase} " in f" {' '.join(parts)} "

    def surrounded_by(self, phrases: tuple[str, ...], first: int, last: int) -> bool:
        """True if one of the words or phrases is within reach, not counting the name itself."""
        before, after = self.keys[max(0, first - MARKET_REACH) : first], self.keys[last : last + MARKET_REACH]
        text = f" {' '.join(before)} | {' '.join(after)} ".replace("'s ", " ")
        return any(f" {phrase} " in text for phrase in phrases)

    def written_large(self, first: int, last: int) -> bool:
        return self.capitals and all(
            word.text[0].isupper() or word.text[0].isdigit()
            for word in self.words[first:last]
            if len(word.key) > 3 or word is self.words[first]
        )

    def starts_sentence(self, first: int) -> bool:
        return first == 0 or self.words[first].start - self.words[first - 1].end > 1


def caption_of(words: list[Word], day: date | None = None) -> Caption:
    keys = [word.key for word in words]
    letters = [word.text for word in words if word.text[0].isalpha() and len(word.text) > 1]
    shouted = sum(word.isupper() for word in letters)
    capitals = 2 * shouted < len(letters) or len(letters) < 4
    large = sum(word[0].isupper() and not word.startswith(("I'", "I\u2019")) for word in letters)
    few = large <= FEW_CAPITALS * len(letters)
    return Caption(
        words,
        keys,
        capitals,
        # In all capitals, names stand out as little as in all lower case.
        lower_case=few
        or not capitals
        or (len(letters) >= LONG_ENOUGH and _large_inside(words) <= FEW_INSIDE * len(letters)),
        about_business=not BUSINESS_WORDS.isdisjoint(keys),
        about_market=OFTEN_ENOUGH * sum(key in MARKET_WORDS for key in keys) >= max(len(keys), MIN_MARKET),
        counts=Counter(keys),
        day=day,
    )


def _large_inside(words: list[Word]) -> int:
    """Counts the capitalised words that don't start a sentence."""
    return sum(
        word.text[0].isupper() and len(word.text) > 1 and not word.text.startswith(("I'", "I\u2019"))
        for before, word in pairwise(words)
        if word.start - before.end == 1
    )
