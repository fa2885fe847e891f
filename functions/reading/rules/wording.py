"""How likely people who buy, hold or sell a stock speak of it in such words.

The phrases know a trade by its verb, but people find ever new words for one. So what is said of a stock is compared, by
runs of one to three words, with how people speak who trade and who do not; `scripts/train_analyst.py` learns what each
run is worth.
"""

import csv
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple

from functions.reading.listings import DATA
from functions.reading.rules.context import Mention
from functions.reading.rules.reading import Reading
from functions.reading.terms import Sentiment

WORDING = DATA / "wording.csv"
ALWAYS = ""
"""What is added to every stretch, whatever its words."""
CALLS = (Sentiment.BUY, Sentiment.HOLD, Sentiment.SELL)
LONGEST_RUN = 3
LONGEST_STRETCH, MOST_NAMING = 6, 3
"""Clauses of a stretch, and those of them that may name the stock."""
LEAST_CERTAIN = 0.001
NUMBER = re.compile(r"\$?\d")


class Said(NamedTuple):
    """A clause about a stock."""

    words: str
    """The stock is §, all else that is named ¤, and numbers are #."""
    first: int


Stretch = list[Said]
Worth = tuple[float, float, float]
"""What a run of words adds to the logarithm of the odds of a buy, a hold and a sell, against a mere mention."""


@dataclass(slots=True)
class Stretches:
    """Cuts what is said of each stock into stretches: a clause that names it, and those that go on about it."""

    found: dict[str, list[Stretch]] = field(default_factory=dict)
    _last: dict[str, int] = field(default_factory=dict)
    """The clause in which each stock was spoken of last."""

    def add(self, number: int, reading: Reading, topic: list[Mention]) -> None:
        named = {mention.ticker for mention in reading.mentions if mention.ticker}
        for ticker in named:
            stretches = self.found.setdefault(ticker, [])
            goes_on = number - self._last.get(ticker, -LONGEST_STRETCH) <= 1 and len(stretches[-1]) < MOST_NAMING
            if not goes_on:
                stretches.append([])
            stretches[-1].append(Said(_written(reading, ticker), reading.clause.first))
            self._last[ticker] = number
        for mention in () if reading.mentions else topic:
            if mention.ticker:
                stretches = self.found[mention.ticker]
                if len(stretches[-1]) >= LONGEST_STRETCH:
                    stretches.append([])
                stretches[-1].append(Said(_written(reading, None), reading.clause.first))
                self._last[mention.ticker] = number


def _written(reading: Reading, ticker: str | None) -> str:
    mentions = iter(reading.mentions)
    words = []
    for word in reading.text.split():
        if word in {"§", "¤"}:
            mention = next(mentions, None)
            words.append("§" if mention and mention.ticker == ticker else "¤")
        else:
            words.append("#" if NUMBER.match(word) else word)
    return " ".join(words)


def runs(said: Said) -> Iterator[str]:
    """The runs of words in a clause, its start and its end counted as words."""
    words = ["^", *said.words.split(), "$"]
    for first in range(len(words)):
        for last in range(first + 1, min(first + LONGEST_RUN, len(words)) + 1):
            yield " ".join(words[first:last])


class Likeness(NamedTuple):
    """How much the words about a stock are like those of someone who buys, holds or sells it."""

    odds: float
    """The logarithm."""
    first: int
    """The word at which the clause starts that says so most."""


def likeness(stretches: list[Stretch], worth: dict[str, Worth]) -> dict[Sentiment, Likeness]:
    """The most telling stretch counts."""
    best: dict[Sentiment, Likeness] = {}
    for stretch in stretches:
        in_clauses = [{run for run in runs(said) if run in worth} for said in stretch]
        total = _sum({ALWAYS}.union(*in_clauses), worth)
        shares = [math.exp(value) for value in total]
        for side, sentiment in enumerate(CALLS):
            probability = shares[side] / (1 + sum(shares))
            probability = min(max(probability, LEAST_CERTAIN), 1 - LEAST_CERTAIN)
            odds = math.log(probability / (1 - probability))
            if sentiment not in best or odds > best[sentiment].odds:
                telling = max(zip(stretch, in_clauses, strict=True), key=lambda pair: _sum(pair[1], worth)[side])
                best[sentiment] = Likeness(odds, telling[0].first)
    return best


def _sum(found: set[str], worth: dict[str, Worth]) -> Worth:
    """The same whatever the order, which a set does not keep from one start to the next."""
    each = [worth[run] for run in found]
    return math.fsum(w[0] for w in each), math.fsum(w[1] for w in each), math.fsum(w[2] for w in each)


@cache
def learned_worth() -> dict[str, Worth]:
    with WORDING.open(encoding="utf-8", newline="") as file:
        rows = csv.reader(line for line in file if not line.startswith("# "))
        next(rows)
        return {words: (float(buy), float(hold), float(sell)) for words, buy, hold, sell in rows}
