"""Learns how much the rules analyst's evidence weighs, and writes functions/providers/data/weights.csv.

python -m scripts.train_analyst FOLDER...

Each folder holds transcripts and `labels.jsonl`, one JSON object a line: `file`, `speaker`, `calls` (`ticker`,
`sentiment`, and `alt`, other labels that can be defended), `optional` (tickers that may be left out) and `day` (when it
was said, if known). The passages for development and the demo's labels are learned from as well. It shows how well
weights learned without a speaker read that speaker, and keeps that figure for the page
(functions/providers/data/analyst_figures.json).
"""

import argparse
import json
import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from statistics import mean

from bench.analyst import keep, load_folder
from functions.core.models import Sentiment
from functions.providers.listings import current_ticker
from functions.providers.rules.analyst import CALL_THRESHOLD, findings_of
from functions.providers.rules.text import words_of
from functions.providers.rules.weighing import WEIGHTS, Evidence, odds, probabilities

ROOT = Path(__file__).parents[1]
HEADER = """\
# What each trait of a phrase is worth: the natural logarithm of the factor by which it multiplies the odds.
# Written by scripts/train_analyst.py from labelled transcripts.
"""
ROUNDS = 150
STEP = 0.1
PENALTY = 2.0
ALTERNATIVE = 0.35
"""Credit for a label that could be defended, where the labeller chose another."""
MEASURED_ON = "real transcripts, or parts of them, each speaker read with weights learned from the others"
WRITERS = ("passages", "demo")
"""Speakers that were written, not recorded."""

EXPECTED = {
    **dict.fromkeys(("buy predicate", "buy verb", "hold predicate", "hold verb", "sell predicate", "sell verb"), 0.5),
    **dict.fromkeys(("hold fixed", "sell fixed", "longs and calls", "shorts and puts", "sell verb denied"), 1.0),
    "confirmed": 2.0,
    "round pick": 1.0,
    "pick put later": -0.5,
    "pick beside another": -1.0,
    "buy verb denied": -1.0,
    "answered no": -1.5,
    "conditional": -4.5,
    "hedged": -8.0,
    "history": -4.0,
    "not advising": -4.5,
    "object asset": -3.0,
    "object belonging": -4.0,
    "object stocks": -2.0,
    "object thing": -1.5,
    "reported": -4.5,
    "speaker i far": -1.0,
    "speaker if you": -2.0,
    "speaker other": -4.5,
    "speaker participle": -2.0,
    "speaker you can": -2.0,
    "sponsor": -4.5,
    "list item": 1.5,
    "link later": -1.0,
    "owned and acted on": -1.5,
    "far": -1.5,
    "speaker i": 1.0,
}
"""What the words mean to anyone: weights are drawn towards these, and the others towards nothing."""


@dataclass(frozen=True, slots=True)
class Example:
    """One stock of one transcript."""

    speaker: str
    ticker: str
    evidence: tuple[Evidence, ...]
    label: Sentiment
    target: dict[Sentiment, float]
    """How much of each sentiment is right."""
    found: bool = True
    """Whether the rules see the stock at all."""
    labelled: bool = True
    """Whether the labels have it."""


Prediction = tuple[Example, dict[Sentiment, float]]
THRESHOLDS = (0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.8)
CALLS = (Sentiment.BUY, Sentiment.HOLD, Sentiment.SELL)
SIDES = (Sentiment.BUY, Sentiment.SELL)


def folder_examples(folder: Path) -> Iterable[Example]:
    for line in (folder / "labels.jsonl").read_text(encoding="utf-8").splitlines():
        entry = json.loads(line)
        text = (folder / entry["file"]).read_text(encoding="utf-8")
        day = date.fromisoformat(entry["day"]) if "day" in entry else None
        yield from examples(entry["speaker"].split(" +")[0], text, entry["calls"], entry.get("optional", ()), day)


def written_examples() -> Iterable[Example]:
    passages = json.loads((ROOT / "tests/passages/development.json").read_text(encoding="utf-8"))
    for passage in passages:
        yield from examples("passages", passage["text"], passage["calls"], ())
    channels = json.loads((ROOT / "functions/providers/demo/channels.json").read_text(encoding="utf-8"))
    for video in (video for channel in channels for video in channel["videos"] if video["transcript"]):
        yield from examples("demo", video["transcript"], video["calls"], ())


def examples(
    speaker: str, text: str, calls: Sequence[dict[str, str]], optional: Sequence[str], day: date | None = None
) -> Iterable[Example]:
    labels = {current_ticker(call["ticker"], day): call for call in calls}
    findings = findings_of(text, words_of(text), day)[1]
    for ticker in sorted((labels | findings).keys() - (set(optional) - labels.keys())):
        call = labels.get(ticker, {"sentiment": "mentioned"})
        label = Sentiment(call["sentiment"])
        others = [Sentiment(other) for other in call.get("alt", ())]
        target = {other: ALTERNATIVE / len(others) for other in others}
        target[label] = 1.0 - sum(target.values())
        evidence = tuple(findings[ticker].evidence) if ticker in findings else ()
        yield Example(speaker, ticker, evidence, label, target, ticker in findings, ticker in labels)


def learn(given: Sequence[Example]) -> dict[str, float]:
    """Gradient descent (Adam) on the likelihood of the labels, with weights held small."""
    weights: dict[str, float] = {
        trait: EXPECTED.get(trait, 0.0) for e in given for evidence in e.evidence for trait in evidence.traits
    }
    momentum: dict[str, float] = dict.fromkeys(weights, 0.0)
    scale: dict[str, float] = dict.fromkeys(weights, 0.0)
    told = [example for example in given if example.evidence]
    for turn in range(1, ROUNDS + 1):
        slope = gradient(told, weights)
        for trait, value in slope.items():
            momentum[trait] = 0.9 * momentum[trait] + 0.1 * value
            scale[trait] = 0.99 * scale[trait] + 0.01 * value * value
            ahead = momentum[trait] / (1 - 0.9**turn)
            spread = math.sqrt(scale[trait] / (1 - 0.99**turn)) + 1e-8
            weights[trait] -= STEP * ahead / spread
    return weights


def gradient(given: Sequence[Example], weights: dict[str, float]) -> dict[str, float]:
    slope = {trait: PENALTY * (weight - EXPECTED.get(trait, 0.0)) for trait, weight in weights.items()}
    for example in given:
        worth = [odds(evidence, weights) for evidence in example.evidence]
        total = 1.0 + sum(worth)
        shares: dict[Sentiment, float] = defaultdict(float, {Sentiment.MENTIONED: 1.0})
        for evidence, value in zip(example.evidence, worth, strict=True):
            shares[evidence.sentiment] += value
        for evidence, value in zip(example.evidence, worth, strict=True):
            due = example.target.get(evidence.sentiment, 0.0) / shares[evidence.sentiment]
            change = value * (1.0 / total - due)
            for trait in evidence.traits:
                slope[trait] += change
    return slope


def held_out(given: Sequence[Example]) -> list[Prediction]:
    """What weights learned without a speaker say of that speaker's stocks."""
    predictions = []
    for speaker in sorted({example.speaker for example in given if example.speaker not in WRITERS}):
        weights = learn([example for example in given if example.speaker != speaker])
        predictions += [(e, probabilities(e.evidence, weights)) for e in given if e.speaker == speaker]
    return predictions


def report(predictions: Sequence[Prediction]) -> str:
    """Recall is of all that was labelled, also of stocks that the rules did not see."""
    lines = [
        f"{'':<9}  {'ticker and sentiment':<22}{'calls':<22}buys and sells",
        "threshold" + "  precision recall F1" * 3,
    ]
    for threshold in THRESHOLDS:
        read = [(example, reading(likely, threshold)) for example, likely in predictions]
        scores = [score(read, counted) for counted in (tuple(Sentiment), CALLS, SIDES)]
        lines.append(f"{threshold:9.2f}" + "".join(f"{p:11.3f}{r:7.3f} {f1:.3f}" for p, r, f1 in scores))
    return "\n".join(lines)


def reading(likely: dict[Sentiment, float], threshold: float) -> Sentiment:
    best = max(CALLS, key=lambda sentiment: likely[sentiment])
    return best if likely[best] >= threshold else Sentiment.MENTIONED


def score(read: Sequence[tuple[Example, Sentiment]], counted: Sequence[Sentiment]) -> tuple[float, float, float]:
    """Precision, recall and F1."""
    said = [(example, sentiment) for example, sentiment in read if example.found and sentiment in counted]
    right = sum(example.labelled and example.label is sentiment for example, sentiment in said)
    due = sum(example.labelled and example.label in counted for example, _ in read)
    return right / max(1, len(said)), right / max(1, due), 2 * right / max(1, len(said) + due)


def reliability(predictions: Sequence[Prediction]) -> str:
    bins: dict[int, list[bool]] = defaultdict(list)
    for example, best, likely in map(best_call, predictions):
        bins[min(9, int(likely * 10))].append(best is example.label)
    return "\n".join(
        f"{tenth / 10:.1f} to {tenth / 10 + 0.1:.1f}: {len(bins[tenth]):4} calls, {mean(bins[tenth]):.2f} right"
        for tenth in sorted(bins)
        if tenth
    )


def best_call(prediction: Prediction) -> tuple[Example, Sentiment, float]:
    example, likely = prediction
    best = max(CALLS, key=lambda sentiment: likely[sentiment])
    return example, best, likely[best]


def write(weights: dict[str, float]) -> None:
    with WEIGHTS.open("w", encoding="utf-8") as file:
        file.write(HEADER + "trait,weight\n")
        file.writelines(f"{trait},{weights[trait]:.3f}\n" for trait in sorted(weights))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m scripts.train_analyst")
    parser.add_argument("folders", nargs="*", type=Path, help="labelled transcripts")
    options = parser.parse_args()
    given = [example for folder in options.folders for example in folder_examples(folder)]
    given += written_examples()
    predictions = held_out(given)
    print(report(predictions), reliability(predictions), sep="\n\n")
    write(learn(given))
    if options.folders:
        texts = [text for folder in options.folders for texts in load_folder(folder).values() for text in texts]
        right, found, _ = score([(e, reading(likely, CALL_THRESHOLD)) for e, likely in predictions], SIDES)
        keep("rules", right, found, MEASURED_ON, texts)


if __name__ == "__main__":
    main()
