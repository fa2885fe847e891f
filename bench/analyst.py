"""Measures the rules analyst on the labelled passages: `python -m bench.analyst`."""

import json
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypedDict

from functions.core.models import Sentiment
from functions.providers.listings import current_ticker
from functions.providers.protocols import Analyst
from functions.providers.rules import RulesAnalyst

PASSAGES = Path(__file__).parents[1] / "tests" / "passages"
HALVES = ("development", "held_out")
ABSENT = "-"
SPEED_SAMPLE_WORDS = 10_000


class LabelledCall(TypedDict):
    ticker: str
    sentiment: str


class Passage(TypedDict):
    id: str
    style: str
    speaker: str
    tests: str
    text: str
    calls: list[LabelledCall]


@dataclass(frozen=True, slots=True)
class Score:
    """Micro-averaged over the pairs of passage and ticker."""

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
class Scores:
    ticker: Score
    ticker_and_sentiment: Score
    confusion: Counter[tuple[str, str]]
    """How often a labelled sentiment (first) was read as another (second); `-` for a ticker only one side has."""


def scores(passages: Iterable[Passage], analyst: Analyst) -> Scores:
    confusion: Counter[tuple[str, str]] = Counter()
    for passage in passages:
        labelled = {current_ticker(call["ticker"]): call["sentiment"] for call in passage["calls"]}
        found = {call.ticker: call.sentiment.value for call in analyst.calls(passage["text"])}
        for ticker in labelled.keys() | found.keys():
            confusion[labelled.get(ticker, ABSENT), found.get(ticker, ABSENT)] += 1
    labels = sum(count for (label, _), count in confusion.items() if label != ABSENT)
    answers = sum(count for (_, answer), count in confusion.items() if answer != ABSENT)
    shared = sum(count for pair, count in confusion.items() if ABSENT not in pair)
    agreed = sum(count for (label, answer), count in confusion.items() if label == answer)
    return Scores(Score(shared, answers, labels), Score(agreed, answers, labels), confusion)


def load(half: str) -> list[Passage]:
    """A half's passages; none when it is not there."""
    path = PASSAGES / f"{half}.json"
    if not path.exists():
        return []
    passages: list[Passage] = json.loads(path.read_text(encoding="utf-8"))
    return passages


def words_per_second(passages: Sequence[Passage], analyst: Analyst) -> float:
    words = " ".join(passage["text"] for passage in passages).split()
    transcript = " ".join((words * (SPEED_SAMPLE_WORDS // len(words) + 1))[:SPEED_SAMPLE_WORDS])
    analyst.calls(transcript)
    started = time.perf_counter()
    analyst.calls(transcript)
    return SPEED_SAMPLE_WORDS / (time.perf_counter() - started)


def report(half: str, passages: Sequence[Passage], analyst: Analyst) -> str:
    result = scores(passages, analyst)
    lines = [
        f"{half}: {len(passages)} passages, {result.ticker.labelled} labelled calls",
        f"{'':<22}precision  recall     F1",
        _row("ticker", result.ticker),
        _row("ticker and sentiment", result.ticker_and_sentiment),
        f"{words_per_second(passages, analyst):,.0f} words per second",
        "",
        *_confusion_table(result.confusion),
    ]
    return "\n".join(lines)


def _row(name: str, score: Score) -> str:
    return f"{name:<22}{score.precision:9.3f}{score.recall:8.3f}{score.f1:7.3f}"


def _confusion_table(confusion: Counter[tuple[str, str]]) -> list[str]:
    names = [*(sentiment.value for sentiment in Sentiment), ABSENT]
    header = f"{'labelled, read as':<19}" + "".join(f"{name:>10}" for name in names)
    return [header, *(f"{label:<19}" + "".join(f"{confusion[label, name]:>10}" for name in names) for label in names)]


def run() -> tuple[str, dict[str, Any]]:
    analyst = RulesAnalyst()
    halves = {half: load(half) for half in HALVES}
    figures = {half: scores(passages, analyst) for half, passages in halves.items()}
    kept = {
        half: {"ticker": of.ticker.f1, "ticker and sentiment": of.ticker_and_sentiment.f1}
        for half, of in figures.items()
    }
    return "\n\n".join(report(half, passages, analyst) for half, passages in halves.items()), kept


if __name__ == "__main__":
    print(run()[0])
