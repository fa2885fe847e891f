"""Measures the tone analyst on labelled headlines: `python -m bench.headlines [--labels FILE ...] [--errors]`.

A file holds a JSON list of headlines with `text`, `about` and `sentiment`, as in tests/headlines, which is measured
when no file is given. `--errors` lists every difference; do not ask it of the half that is held out.
"""

import argparse
import json
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from functions.news.tone import read_tone
from functions.record.models.tones import NewsSentiment

HEADLINES = Path(__file__).parents[1] / "tests" / "headlines"
HALVES = ("development", "held_out")
RESAMPLES = 2_000
SEED = 20221228
VADER_NEUTRAL = 0.05
"""VADER's authors call a text neutral if its absolute compound score is below this."""
SPEED_SAMPLE = 2_000

Pair = tuple[NewsSentiment, NewsSentiment]
"""As labelled, and as read."""
Reader = Callable[["LabelledHeadline"], NewsSentiment]


@dataclass(frozen=True, slots=True)
class LabelledHeadline:
    text: str
    about: str | None
    sentiment: NewsSentiment


@dataclass(frozen=True, slots=True)
class ClassScore:
    precision: float
    recall: float
    f1: float


def load(path: Path) -> list[LabelledHeadline]:
    rows = json.loads(path.read_text(encoding="utf-8"))
    return [LabelledHeadline(row["text"], row["about"], NewsSentiment(row["sentiment"])) for row in rows]


def load_half(half: str) -> list[LabelledHeadline]:
    return load(HEADLINES / f"{half}.json")


def by_rules(headline: LabelledHeadline) -> NewsSentiment:
    return read_tone(headline.text, headline.about).sentiment


def by_majority(headlines: Iterable[LabelledHeadline]) -> Reader:
    (most_common, _), *_ = Counter(headline.sentiment for headline in headlines).most_common()
    return lambda _: most_common


def by_vader() -> Reader:
    from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer

    analyzer = SentimentIntensityAnalyzer()

    def read(headline: LabelledHeadline) -> NewsSentiment:
        compound = analyzer.polarity_scores(headline.text)["compound"]
        if abs(compound) < VADER_NEUTRAL:
            return NewsSentiment.NEUTRAL
        return NewsSentiment.POSITIVE if compound > 0 else NewsSentiment.NEGATIVE

    return read


def pairs(headlines: Iterable[LabelledHeadline], read: Reader) -> list[Pair]:
    return [(headline.sentiment, read(headline)) for headline in headlines]


def class_scores(counts: Counter[Pair]) -> dict[NewsSentiment, ClassScore]:
    scores = {}
    for sentiment in NewsSentiment:
        right = counts[sentiment, sentiment]
        read = sum(counts[other, sentiment] for other in NewsSentiment)
        labelled = sum(counts[sentiment, other] for other in NewsSentiment)
        precision, recall = (right / whole if whole else 0.0 for whole in (read, labelled))
        scores[sentiment] = ClassScore(precision, recall, 2 * right / (read + labelled) if read + labelled else 0.0)
    return scores


def macro_f1(found: Iterable[Pair]) -> float:
    scores = class_scores(Counter(found)).values()
    return sum(score.f1 for score in scores) / len(scores)


def interval(found: Sequence[Pair]) -> tuple[float, float]:
    """The 95 % bootstrap confidence interval of macro-F1."""
    random = Random(SEED)
    drawn = sorted(macro_f1(random.choices(found, k=len(found))) for _ in range(RESAMPLES))
    return drawn[round(0.025 * (RESAMPLES - 1))], drawn[round(0.975 * (RESAMPLES - 1))]


def headlines_per_second(headlines: Sequence[LabelledHeadline]) -> float:
    sample = [headlines[index % len(headlines)] for index in range(SPEED_SAMPLE)]
    by_rules(sample[0])
    started = time.process_time()
    for headline in sample:
        by_rules(headline)
    return SPEED_SAMPLE / (time.process_time() - started)


def report(name: str, headlines: Sequence[LabelledHeadline]) -> tuple[str, dict[str, float]]:
    readers = {"rules": by_rules, "VADER": by_vader(), "majority class": by_majority(headlines)}
    read = {reader: pairs(headlines, function) for reader, function in readers.items()}
    figures = {reader: macro_f1(found) for reader, found in read.items()}
    counts = Counter(read["rules"])
    lines = [
        f"{name}: {len(headlines)} headlines",
        f"{'':<16}macro-F1   95 %",
        *(_row(reader, figures[reader], interval(found)) for reader, found in read.items()),
        "",
        f"{'rules':<16}precision  recall     F1",
        *(
            f"{sentiment.value:<16}{score.precision:9.3f}{score.recall:8.3f}{score.f1:7.3f}"
            for sentiment, score in class_scores(counts).items()
        ),
        "",
        f"{'labelled, read as':<19}" + "".join(f"{sentiment.value:>10}" for sentiment in NewsSentiment),
        *(
            f"{label.value:<19}" + "".join(f"{counts[label, sentiment]:>10}" for sentiment in NewsSentiment)
            for label in NewsSentiment
        ),
    ]
    return "\n".join(lines), figures


def error_lines(headlines: Iterable[LabelledHeadline]) -> Iterable[str]:
    for headline in headlines:
        tone = read_tone(headline.text, headline.about)
        if tone.sentiment != headline.sentiment:
            about = f" for {headline.about}" if headline.about else ""
            yield f"{headline.sentiment}, read as {tone.sentiment} at {tone.score:.2f}{about}: {headline.text}"


def run() -> tuple[str, dict[str, Any]]:
    """For `make bench`: the rules on our own labelled headlines."""
    parts: list[str] = []
    kept: dict[str, Any] = {}
    for half in HALVES:
        text, kept[half] = report(f"Headlines, {half.replace('_', ' ')}", load_half(half))
        parts.append(text)
    kept["headlines per second"] = headlines_per_second(load_half(HALVES[0]))
    parts.append(f"{kept['headlines per second']:,.0f} headlines per second of one core")
    return "\n\n".join(parts), kept


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m bench.headlines", description="Measures how the tone of headlines is read."
    )
    parser.add_argument("--labels", type=Path, nargs="+", default=[], metavar="FILE")
    parser.add_argument("--errors", action="store_true", help="list every difference in the files")
    options = parser.parse_args(arguments)
    if not options.labels:
        print(run()[0])
        return 0
    for path in options.labels:
        headlines = load(path)
        if not headlines:
            parser.error(f"{path} holds no headlines.")
        if options.errors:
            print(*error_lines(headlines), "", sep="\n")
        print(report(path.stem, headlines)[0], f"{headlines_per_second(headlines):,.0f} per second", "", sep="\n")
    return 0


def _row(reader: str, figure: float, between: tuple[float, float]) -> str:
    return f"{reader:<16}{figure:8.3f}   {between[0]:.3f} to {between[1]:.3f}"


if __name__ == "__main__":
    raise SystemExit(main())
