"""Scores how much the wording about a stock resembles that of buyers, holders and sellers.

The phrases recognise a trade by its verb, but people keep finding new words for one. So the n-grams of one and two
words about a stock are compared with those of people who trade and who don't (`wording.csv`).
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
"""The key of the intercept, which is added to every stretch."""
CALLS = (Sentiment.BUY, Sentiment.HOLD, Sentiment.SELL)
LONGEST_RUN = 2
LONGEST_STRETCH, MOST_NAMING = 6, 3
"""Maximum clauses of a stretch, and of those that name the stock."""
LEAST_CERTAIN = 0.001
NUMBER = re.compile(r"\$?\d")


class Said(NamedTuple):
    """A clause about a stock."""

    words: str
    """The stock is §, all else that is named ¤, and numbers are #."""
    first: int


Stretch = list[Said]
Worth = tuple[float, float, float]
"""The log odds that an n-gram adds for a buy, a hold and a sell, against a plain mention."""


@dataclass(slots=True)
class Stretches:
    """Splits the talk about each stock into stretches: a clause that names it, and those that continue about it."""

    found: dict[str, list[Stretch]] = field(default_factory=dict)
    _last: dict[str, int] = field(default_factory=dict)
    """The last clause about each stock."""

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
    """Yields the n-grams of a clause, counting its start and end as words."""
    words = ["^", *said.words.split(), "$"]
    for first in range(len(words)):
        for last in range(first + 1, min(first + LONGEST_RUN, len(words)) + 1):
            yield " ".join(words[first:last])


class Likeness(NamedTuple):
    """The similarity of the words about a stock to those of a buyer, holder or seller."""

    log_odds: float
    first: int
    """The first word of the most indicative clause."""


def likeness(stretches: list[Stretch], worth: dict[str, Worth]) -> dict[Sentiment, Likeness]:
    """Returns the likeness of the most indicative stretch for each sentiment."""
    best: dict[Sentiment, Likeness] = {}
    for stretch in stretches:
        in_clauses = [{run for run in runs(said) if run in worth} for said in stretch]
        total = _sum({ALWAYS}.union(*in_clauses), worth)
        shares = [math.exp(value) for value in total]
        for side, sentiment in enumerate(CALLS):
            probability = shares[side] / (1 + sum(shares))
            probability = min(max(probability, LEAST_CERTAIN), 1 - LEAST_CERTAIN)
            log_odds = math.log(probability / (1 - probability))
            if sentiment not in best or log_odds > best[sentiment].log_odds:
                telling = max(zip(stretch, in_clauses, strict=True), key=lambda pair: _sum(pair[1], worth)[side])
                best[sentiment] = Likeness(log_odds, telling[0].first)
    return best


def _sum(found: set[str], worth: dict[str, Worth]) -> Worth:
    """Sums exactly, so that the result doesn't depend on the set's order, which varies between processes."""
    each = [worth[run] for run in found]
    return math.fsum(w[0] for w in each), math.fsum(w[1] for w in each), math.fsum(w[2] for w in each)


@cache
def learned_wording() -> dict[str, Worth]:
    with WORDING.open(encoding="utf-8", newline="") as file:
        rows = csv.reader(line for line in file if not line.startswith("# "))
        next(rows)
        return {words: (float(buy), float(hold), float(sell)) for words, buy, hold, sell in rows}
