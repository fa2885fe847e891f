"""Compares an analyst with human labels, with confidence intervals."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import pairwise
from random import Random

from functions.reading.analyst import Analyst, Speech
from functions.reading.policy import Call, calls_of
from functions.reading.terms import Sentiment

ABSENT = "-"
SIDES = frozenset({Sentiment.BUY.value, Sentiment.SELL.value})
CONFIDENCE_BINS = (0.0, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
STATEMENT_FIELDS = ("act", "speaker")
RESAMPLES = 2_000
SEED = 20_261_116


@dataclass(frozen=True, slots=True)
class Label:
    sentiment: str
    alternatives: frozenset[str] = frozenset()
    """Other sentiments that could be defended."""
    evidence: str = ABSENT
    act: str | None = None
    """The speaker's act, if the labeller says so."""
    speaker: str | None = None


@dataclass(frozen=True, slots=True)
class LabelledText:
    id: str
    text: str
    labels: dict[str, Label]
    """By ticker."""
    optional: frozenset[str] = frozenset()
    """Tickers that an analyst may report or leave out."""
    speaker: str = ""
    day: date | None = None
    """When it was said, if the labels tell: what a ticker meant then."""
    title: str | None = None


@dataclass(frozen=True, slots=True)
class Pair:
    """A ticker that was labelled, read, or both."""

    text_id: str
    ticker: str
    label: Label | None
    call: Call | None

    @property
    def labelled(self) -> str:
        return self.label.sentiment if self.label else ABSENT

    @property
    def defended(self) -> str:
        """The label, or the sentiment that was read if the labeller listed it as an alternative."""
        return self.read if self.label and self.read in self.label.alternatives else self.labelled

    @property
    def read(self) -> str:
        return self.call.sentiment.value if self.call else ABSENT


@dataclass(frozen=True, slots=True)
class Score:
    """Micro-averaged over the pairs of text and ticker."""

    right: int
    found: int
    labelled: int

    @property
    def precision(self) -> float:
        return self.right / self.found if self.found else 0.0

    @property
    def recall(self) -> float:
        return self.right / self.labelled if self.labelled else 0.0

    @property
    def f1(self) -> float:
        both = self.found + self.labelled
        return 2 * self.right / both if both else 0.0


@dataclass(frozen=True, slots=True)
class Bin:
    """The calls whose confidence lies between two bounds."""

    low: float
    high: float
    calls: int
    mean_confidence: float
    share_right: float


@dataclass(frozen=True, slots=True)
class Calibration:
    bins: tuple[Bin, ...]
    brier: float | None
    """The mean squared distance between confidence and outcome; None without a call."""


def read(texts: Iterable[LabelledText], analyst: Analyst) -> list[list[Pair]]:
    """Each text read once; its pairs of label and call."""
    return [list(_pairs(text, _calls(text, analyst))) for text in texts]


def _calls(text: LabelledText, analyst: Analyst) -> list[Call]:
    return calls_of(analyst.analyse(Speech(text.text, text.day, text.title)).statements)


def score(readings: Iterable[Sequence[Pair]], measure: str, label: Callable[[Pair], str] | None = None) -> Score:
    counts = [_counts(pairs, measure, label or (lambda pair: pair.labelled)) for pairs in readings]
    return _total(counts)


def confusion(readings: Iterable[Sequence[Pair]]) -> Counter[tuple[str, str]]:
    """Counts the pairs of a labelled (first) and a read sentiment (second); `-` for a ticker only one side has."""
    return Counter((pair.labelled, pair.read) for pairs in readings for pair in pairs)


def agreement(readings: Iterable[Sequence[Pair]], field: str) -> tuple[int, int]:
    """Counts the statements with the label's act or speaker, and all statements whose label has one."""
    read = [
        (getattr(pair.label, field), getattr(pair.call.statement, field))
        for pairs in readings
        for pair in pairs
        if pair.label and pair.call and getattr(pair.label, field)
    ]
    return sum(labelled == said for labelled, said in read), len(read)


def calibration(readings: Iterable[Sequence[Pair]]) -> Calibration:
    """For calls only: a plain mention makes no claim that could be wrong."""
    outcomes = [
        (pair.call.confidence, pair.read == pair.labelled)
        for pairs in readings
        for pair in pairs
        if pair.call and _is_call(pair.read)
    ]
    brier = sum((confidence - right) ** 2 for confidence, right in outcomes) / len(outcomes) if outcomes else None
    return Calibration(tuple(_bins(outcomes)), brier)


def interval(readings: Sequence[Sequence[Pair]], measure: str, figure: str) -> tuple[float, float]:
    """Within which the figure lies in 95 of 100 draws of as many texts, with replacement: speakers differ by text."""
    counts = [_counts(pairs, measure, lambda pair: pair.labelled) for pairs in readings]
    random = Random(SEED)
    drawn = sorted(getattr(_total(random.choices(counts, k=len(counts))), figure) for _ in range(RESAMPLES))
    return drawn[round(0.025 * (RESAMPLES - 1))], drawn[round(0.975 * (RESAMPLES - 1))]


def differences(readings: Iterable[Sequence[Pair]]) -> Iterator[Pair]:
    return (pair for pairs in readings for pair in pairs if pair.labelled != pair.read)


def _pairs(text: LabelledText, calls: Iterable[Call]) -> Iterator[Pair]:
    found = {call.ticker: call for call in calls if call.ticker in text.labels or call.ticker not in text.optional}
    for ticker in sorted(text.labels.keys() | found.keys()):
        yield Pair(text.id, ticker, text.labels.get(ticker), found.get(ticker))


def _counts(pairs: Sequence[Pair], measure: str, label: Callable[[Pair], str]) -> Score:
    counted = _COUNTED[measure]
    found = [pair for pair in pairs if counted(pair.read)]
    right = sum(pair.label is not None if measure == "ticker" else label(pair) == pair.read for pair in found)
    return Score(right, len(found), sum(counted(label(pair)) for pair in pairs))


def _total(counts: Iterable[Score]) -> Score:
    rows = [(count.right, count.found, count.labelled) for count in counts]
    return Score(*map(sum, zip(*rows, strict=True))) if rows else Score(0, 0, 0)


def _bins(outcomes: Sequence[tuple[float, bool]]) -> Iterator[Bin]:
    for low, high in pairwise(CONFIDENCE_BINS):
        within = [
            outcome for outcome in outcomes if low <= outcome[0] < high or outcome[0] == high == CONFIDENCE_BINS[-1]
        ]
        if within:
            mean_confidence = sum(confidence for confidence, _ in within) / len(within)
            yield Bin(low, high, len(within), mean_confidence, sum(right for _, right in within) / len(within))


def _is_present(sentiment: str) -> bool:
    return sentiment != ABSENT


def _is_call(sentiment: str) -> bool:
    return sentiment not in (ABSENT, Sentiment.MENTIONED.value)


def _has_side(sentiment: str) -> bool:
    return sentiment in SIDES


_COUNTED: dict[str, Callable[[str], bool]] = {
    "ticker": _is_present,
    "ticker and sentiment": _is_present,
    "calls only": _is_call,
    "buys and sells only": _has_side,
}
MEASURES = tuple(_COUNTED)
