"""What surrounds a name: how the captions use capitals, and what is talked of near it."""

from collections import Counter
from dataclasses import dataclass
from datetime import date
from itertools import pairwise
from typing import NamedTuple

from functions.reading.rules import vocabulary
from functions.reading.rules.text import Word

SHARE_NOUNS = vocabulary.words("share nouns")
MARKET_WORDS = SHARE_NOUNS | vocabulary.words("market words")
TRADING_WORDS = MARKET_WORDS | vocabulary.words("words of a chart")
BUSINESS_WORDS = MARKET_WORDS | vocabulary.words("business words")
EVERYDAY_WORDS = vocabulary.words("everyday words")
"""Words that show a brand in use, not on the market."""

NEAR = 14
MARKET_REACH = 25
"""Words to either side that count as context: the narrow reach for bare captions, the wide one elsewhere."""
UNKNOWN = 0.5
"""How certain a name is that belongs to no company on the list."""
FEW_CAPITALS = 0.02
"""Share of words in capitals below which captions are written in lower case throughout."""
FEW_INSIDE, LONG_ENOUGH = 0.005, 200
"""The same of capitals inside sentences, for machines that write only the first word of each large, and how many words
it takes to tell."""

OFTEN_ENOUGH, MIN_MARKET = 60, 120
"""One word of the market in so many is talk of the market, in a text of some length."""


class Mention(NamedTuple):
    first: int
    last: int
    ticker: str | None
    """None for something that is not a listed share."""
    certainty: float


@dataclass(frozen=True, slots=True)
class Caption:
    words: list[Word]
    keys: list[str]
    capitals: bool
    """Whether a capital letter means something: not where everything is written large."""
    lower_case: bool
    """Whether names are written small, as in bare captions."""
    about_business: bool
    about_market: bool
    """Whether shares are talked of all the time."""
    about_trading: bool
    """The same, where charts count as talk of shares."""
    counts: Counter[str]
    """How often each word is said."""
    day: date | None
    """When it was said; None is today."""

    def market_talk(self, first: int, last: int, reach: int) -> bool:
        return any(key in MARKET_WORDS for key in self.keys[max(0, first - reach) : first]) or any(
            key in MARKET_WORDS for key in self.keys[last : last + reach]
        )

    def trading_talk(self, first: int, last: int, reach: int) -> bool:
        return not TRADING_WORDS.isdisjoint(self.keys[max(0, first - reach) : first] + self.keys[last : last + reach])

    def everyday_talk(self, first: int, last: int) -> bool:
        return not EVERYDAY_WORDS.isdisjoint(self.keys[max(0, first - NEAR) : last + NEAR])

    def near(self, phrase: str, first: int, last: int) -> bool:
        """A word within reach, or a phrase that the name is part of or next to."""
        if " " not in phrase:
            return phrase in self.keys[max(0, first - MARKET_REACH) : last + MARKET_REACH]
        reach = phrase.count(" ")
        start, end = max(0, first - reach), min(last + reach, len(self.keys))
        if f" {phrase} " not in f" {' '.join(self.keys[start:end])} ":
            return False
        # `Google, that raised money` has no `google that`.
        parts = (f"| {self.keys[i]}" if self.starts_sentence(i) else self.keys[i] for i in range(start, end))
        return f" {phrase} " in f" {' '.join(parts)} "

    def surrounded_by(self, phrases: tuple[str, ...], first: int, last: int) -> bool:
        """Whether one of the words or phrases is within reach, not counting the name itself."""
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
        # Where everything is written large, names stand out as little as where everything is small.
        lower_case=few
        or not capitals
        or (len(letters) >= LONG_ENOUGH and _large_inside(words) <= FEW_INSIDE * len(letters)),
        about_business=not BUSINESS_WORDS.isdisjoint(keys),
        about_market=OFTEN_ENOUGH * sum(key in MARKET_WORDS for key in keys) >= max(len(keys), MIN_MARKET),
        about_trading=OFTEN_ENOUGH * sum(key in TRADING_WORDS for key in keys) >= max(len(keys), MIN_MARKET),
        counts=Counter(keys),
        day=day,
    )


def _large_inside(words: list[Word]) -> int:
    """Words in capitals that do not begin a sentence."""
    return sum(
        word.text[0].isupper() and len(word.text) > 1 and not word.text.startswith(("I'", "I\u2019"))
        for before, word in pairwise(words)
        if word.start - before.end == 1
    )
