"""Walks through a transcript clause by clause and collects the evidence about each stock."""

from datetime import date
from itertools import takewhile

from functions.reading.rules.context import Mention
from functions.reading.rules.evidence import Findings, circumstances, in_sum
from functions.reading.rules.lists import Lists
from functions.reading.rules.names import mentions_of
from functions.reading.rules.reading import Reading, read, runs_on
from functions.reading.rules.stance import stances
from functions.reading.rules.targets import Target, about
from functions.reading.rules.text import Clause, Word, clauses_of
from functions.reading.rules.topics import Topics
from functions.reading.rules.weighing import Evidence
from functions.reading.rules.wording import Stretches
from functions.reading.terms import Sentiment

MAX_SENTENCE = 40
"""Maximum average words per sentence of a transcript with punctuation."""
SENTENCE_REACH = 3
"""Preceding clauses that may govern a clause in punctuated text; in raw captions only the last one does."""
ASIDES, MOST_ASIDES = frozenset({"then", "yes", "yeah", "yep", "okay", "ok", "oh", "well", "man", "hey", "gosh"}), 3
"""Clauses without content: `if it doubles | then | yes | I would sell`."""
SHORT_CLIP = 250
"""Maximum words of a short clip, where anything said about a stock is the point."""


def findings_of(
    transcript: str, words: list[Word], day: date | None = None
) -> tuple[list[Clause], dict[str, Findings]]:
    """Returns the transcript's clauses, and the findings about each stock, in order of appearance."""
    mentions = mentions_of(words, day)
    if not any(mention.ticker for mention in mentions):
        return [], {}
    names = {index: mention.first for mention in mentions for index in range(mention.first, mention.last)}
    clauses = clauses_of(transcript, words, names)
    return clauses, _Finder(_readings(clauses, words, mentions), mentions).find()


def _readings(clauses: list[Clause], words: list[Word], mentions: list[Mention]) -> list[Reading]:
    readings = []
    position = 0
    for clause in clauses:
        inside = []
        while position < len(mentions) and mentions[position].first < clause.last:
            inside.append(mentions[position])
            position += 1
        readings.append(read(clause, words, inside))
    return readings


class _Finder:
    """The findings so far, and the context that later clauses need."""

    def __init__(self, readings: list[Reading], mentions: list[Mention]) -> None:
        self._findings = _mentioned(mentions)
        self._readings = readings
        punctuated = _is_punctuated(readings)
        self._reach = SENTENCE_REACH if punctuated else 1
        short = readings[-1].clause.last <= SHORT_CLIP
        self._manner = (*(() if punctuated else ("bare captions",)), *(("short clip",) if short else ()))
        self._topics = Topics(len(self._findings))
        self._lists = Lists()
        self._stretches = Stretches()

    def find(self) -> dict[str, Findings]:
        for number, reading in enumerate(self._readings):
            self._read(number, reading)
        for ticker, entry in self._findings.items():
            entry.evidence = in_sum(entry.evidence)
            entry.stretches = self._stretches.found.get(ticker, [])
        return self._findings

    def _read(self, number: int, reading: Reading) -> None:
        for mention, sentiment in self._lists.picks(reading, self._reading_at(number - 1)):
            self._add(sentiment, ("list item",), mention.first, Target(mention, "list"), reading)
        following = self._reading_at(number + 1)
        found = stances(reading, _sentence_before(self._readings, number, self._reach), following)
        for stance in found:
            targets = about(stance, found, reading, following, self._topics)
            for target in {target.mention.ticker: target for target in targets}.values():
                if not stance.asked:
                    self._add(stance.sentiment, stance.traits, stance.first, target, reading)
        self._stretches.add(number, reading, self._topics.one(reading))
        self._topics.note(reading)

    def _add(self, sentiment: Sentiment, traits: tuple[str, ...], first: int, target: Target, reading: Reading) -> None:
        if target.mention.ticker:
            entry = self._findings[target.mention.ticker]
            around = circumstances(target, entry, reading, self._manner, self._topics.named_in_a_row)
            entry.evidence.append(Evidence(sentiment, (*traits, *around), first))

    def _reading_at(self, number: int) -> Reading | None:
        return self._readings[number] if 0 <= number < len(self._readings) else None


def _mentioned(mentions: list[Mention]) -> dict[str, Findings]:
    """Returns empty findings for each stock of a transcript, in order of appearance."""
    findings: dict[str, Findings] = {}
    for mention in mentions:
        if mention.ticker:
            findings.setdefault(mention.ticker, Findings(mention)).mentions += 1
    return findings


def _is_punctuated(readings: list[Reading]) -> bool:
    marks = sum(reading.clause.ends_with in {".", "?"} for reading in readings)
    return marks * MAX_SENTENCE >= readings[-1].clause.last


def _sentence_before(readings: list[Reading], number: int, reach: int) -> list[Reading]:
    """Returns the preceding clauses of the same sentence, nearest first."""
    before = takewhile(runs_on, reversed(readings[max(0, number - reach - MOST_ASIDES) : number]))
    return [reading for reading in before if reading.text not in ASIDES][:reach]
