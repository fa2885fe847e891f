"""Learns what the rules analyst weighs, and writes wording.csv and weights.csv in functions/reading/data.

python -m scripts.train_analyst FOLDER...

Each folder holds transcripts and `labels.jsonl`, one JSON object a line: `file`, `speaker`, `calls` (`ticker`,
`sentiment`, and `alt`, other labels that can be defended), `optional` (tickers that may be left out), `day` (when it
was said, if known) and `weight` (less than 1 for passages that were picked out, since people pick what is close
to a call more often than it is said). Name only folders that were not learned from before: transcripts belong to their
speakers and are not kept here, but what was learned from them is, and what is learned now is added to it. The speech
written for this in training/, the passages for development and the demo's labels are learned from as well. The texts
are dealt out by speaker: what is learned from the others reads each share of them, and the tables printed say how well.
"""

import argparse
import csv
import json
import zlib
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from statistics import mean
from typing import Any

import numpy as np
from scipy.optimize import minimize
from scipy.sparse import csr_matrix

from functions.reading.listings import current_ticker
from functions.reading.rules.evidence import WORDING, WORDING_ALONE, Findings, all_evidence
from functions.reading.rules.findings import findings_of
from functions.reading.rules.text import words_of
from functions.reading.rules.weighing import LIMIT, WEIGHTS, Evidence, learned_weights, likeliest, probabilities
from functions.reading.rules.wording import CALLS, Worth, learned_wording
from functions.reading.rules.wording import WORDING as WORTH
from functions.reading.terms import Sentiment
from scripts.learn_wording import Spoken, learn_worth

ROOT = Path(__file__).parents[1]
WRITTEN = ROOT / "training"
SENTENCES = "sentences"
"""The file of plain sentences, which no version may misread."""
WEIGHTS_HEADER = """\
# What each trait of a phrase is worth: the natural logarithm of the factor by which it multiplies the odds.
# Written by scripts/train_analyst.py from labelled transcripts.
"""
WORTH_HEADER = """\
# What each run of words about a stock adds to the logarithm of the odds of a buy, a hold and a sell. § is the stock, ¤
# anything else that is named, # a number; ^ and $ are where a clause starts and ends. The row without words counts
# always.
# Written by scripts/train_analyst.py from the speech in training/ and labelled transcripts.
"""
PARTS = 6
"""Shares into which the texts are dealt out by speaker."""
PENALTY = 20.0
"""Regularisation strength towards the earlier or expected weights."""
ROUNDS = 150
ALTERNATIVE = 0.35
"""Credit for a defensible alternative to the chosen label."""
REAL_WORDING = 3.0
"""How much real speech counts beside written speech for the wording."""
WRITTEN_WEIGHT, PASSAGES_WEIGHT, SENTENCES_WEIGHT = 0.1, 0.5, 2.0
"""How much written speech, the passages and the demo, and plain sentences count beside real speech for the weights."""

EXPECTED = {
    **dict.fromkeys(("buy predicate", "buy verb", "hold predicate", "hold verb", "sell predicate", "sell verb"), 0.5),
    **dict.fromkeys(("hold fixed", "sell fixed", "longs and calls", "shorts and puts", "sell verb denied"), 1.0),
    "own position": 1.0,
    "having": 0.5,
    "position bought": 1.0,
    "position sold": 1.0,
    "position sold denied": 1.0,
    "portfolio item": 1.0,
    "portfolio figure": 1.0,
    "confirmed": 2.0,
    "round pick": 1.0,
    "pick put later": -0.5,
    "pick beside another": -1.0,
    "buy verb denied": -1.0,
    "answered no": -1.5,
    "conditional": -4.5,
    "hedged": -8.0,
    "qualified": -1.5,
    "aside": -0.5,
    "undone": -2.0,
    "history": -4.0,
    "long ago": -2.5,
    "not advising": -4.5,
    "object asset": -3.0,
    "object belonging": -4.0,
    "object stocks": -2.0,
    "object thing": -1.5,
    "reported": -4.5,
    "speaker i far": -1.0,
    "speaker i loosely": -1.0,
    "speaker if you": -2.0,
    "speaker other": -4.5,
    "speaker participle": -2.0,
    "speaker you can": -2.0,
    "sponsor": -4.5,
    "list item": 1.5,
    "put forward": -0.5,
    "named in answer": 0.5,
    "link named next": -0.5,
    "link later": -1.0,
    "owned and acted on": -1.5,
    "something else's": -2.0,
    "example": -3.0,
    "asked about": -1.5,
    "liking": -1.0,
    "liked here": 1.0,
    "praised by an owner": -2.5,
    **dict.fromkeys(("bargain", "warning", "disliking"), -1.0),
    "far": -1.5,
    "very far": -2.0,
    "speaker i": 1.0,
    **dict.fromkeys(("worded as a buy", "worded as a hold", "worded as a sell"), -1.0),
    "another's phrase": -1.0,
    "phrases in doubt": -3.0,
    "phrases in doubt elsewhere": -1.0,
    WORDING: 0.5,
    WORDING_ALONE: 1.0,
}
"""What the words mean to anyone: weights that were never learned are drawn towards these, or towards nothing."""
THRESHOLDS = (0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.8)
SIDES = (Sentiment.BUY, Sentiment.SELL)
ALL = (*CALLS, Sentiment.MENTIONED)


@dataclass(frozen=True, slots=True)
class Example:
    """One stock of one transcript."""

    speaker: str
    ticker: str
    findings: Findings | None
    """None where the rules do not see the stock."""
    label: Sentiment
    target: dict[Sentiment, float]
    """How much of each sentiment is right."""
    labelled: bool
    """True if it is labelled."""
    real: bool
    weight: float

    @property
    def part(self) -> int:
        return zlib.crc32(self.speaker.encode()) % PARTS


Prediction = tuple[Example, dict[Sentiment, float]]


def folder_examples(folder: Path) -> Iterable[Example]:
    for line in (folder / "labels.jsonl").read_text(encoding="utf-8").splitlines():
        entry = json.loads(line)
        text = (folder / entry["file"]).read_text(encoding="utf-8")
        weight = entry.get("weight", 1.0)
        yield from examples(entry["speaker"].split(" +")[0], text, entry, real=True, weight=weight)


def written_examples() -> Iterable[Example]:
    for path in sorted(WRITTEN.glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            entry = json.loads(line)
            weight = SENTENCES_WEIGHT if path.stem == SENTENCES else WRITTEN_WEIGHT
            yield from examples(path.stem, entry["text"], entry, real=False, weight=weight)
    passages = json.loads((ROOT / "tests/passages/development.json").read_text(encoding="utf-8"))
    for passage in passages:
        yield from examples("passages", passage["text"], passage, real=False, weight=PASSAGES_WEIGHT)
    channels = json.loads((ROOT / "functions/record/sources/demo/channels.json").read_text(encoding="utf-8"))
    for video in (video for channel in channels for video in channel["videos"] if video["transcript"]):
        yield from examples("demo", video["transcript"], video, real=False, weight=PASSAGES_WEIGHT)


def examples(speaker: str, text: str, entry: dict[str, Any], *, real: bool, weight: float) -> Iterable[Example]:
    day = date.fromisoformat(entry["day"]) if entry.get("day") else None
    labels = {current_ticker(call["ticker"], day): call for call in entry["calls"]}
    findings = findings_of(text, words_of(text), day)[1]
    optional = {current_ticker(ticker, day) for ticker in entry.get("optional", ())}
    for ticker in sorted((labels | findings).keys() - (optional - labels.keys())):
        call = labels.get(ticker, {"sentiment": "mentioned"})
        label = Sentiment(call["sentiment"])
        others = [Sentiment(other) for other in call.get("alt") or ()]
        target = {other: ALTERNATIVE / len(others) for other in others}
        target[label] = 1.0 - sum(target.values())
        yield Example(speaker, ticker, findings.get(ticker), label, target, ticker in labels, real, weight)


def wording(given: Sequence[Example]) -> dict[str, Worth]:
    spoken = [
        Spoken(e.findings.stretches, e.label, REAL_WORDING * e.weight if e.real else 1.0, known=not e.real)
        for e in given
        if e.findings
    ]
    return learn_worth(spoken, learned_wording())


def weigh(given: Sequence[Example], evidence: Sequence[Sequence[Evidence]]) -> dict[str, float]:
    """Fits the weights by maximum likelihood, regularised towards the expected ones."""
    names = {
        name: index
        for index, name in enumerate(
            {
                trait: None
                for found in evidence
                for e in found
                for trait in (*e.traits, *(name for name, _ in e.measured))
            }
        )
    }
    rows, owners, sides = _rows(evidence, names)
    before = EXPECTED | learned_weights()
    expected = np.array([before.get(name, 0.0) for name in names])
    target = np.array([[e.target.get(sentiment, 0.0) for sentiment in ALL] for e in given])
    importance = np.array([e.weight for e in given])
    cells = owners * len(ALL) + sides

    def loss(weights: np.ndarray) -> tuple[float, np.ndarray]:
        worth = np.exp(np.clip(rows @ weights, -LIMIT, LIMIT))
        shares: np.ndarray = np.bincount(cells, worth, minlength=target.size).astype(float).reshape(target.shape)
        shares[:, -1] += 1.0
        total = shares.sum(axis=1)
        possible = np.where(shares > 0, target, 0.0)
        known = np.where(shares > 0, shares, 1.0)
        cost = -(importance[:, None] * possible * (np.log(known) - np.log(total)[:, None])).sum()
        cost += 0.5 * PENALTY * ((weights - expected) ** 2).sum()
        due = possible[owners, sides] / known[owners, sides]
        change = worth * importance[owners] * ((possible.sum(axis=1) / total)[owners] - due)
        return cost, rows.T @ change + PENALTY * (weights - expected)

    result = minimize(loss, expected.copy(), jac=True, method="L-BFGS-B", options={"maxiter": ROUNDS})
    return dict(zip(names, map(float, result.x), strict=True))


def _rows(evidence: Sequence[Sequence[Evidence]], names: dict[str, int]) -> tuple[csr_matrix, np.ndarray, np.ndarray]:
    """A row of traits for each piece of evidence, the example it is of, and the sentiment it speaks for."""
    columns, values, ends, owners, sides = [], [], [0], [], []
    for owner, found in enumerate(evidence):
        for each in found:
            amounts = {**dict.fromkeys(each.traits, 1.0), **dict(each.measured)}
            columns += [names[name] for name in amounts]
            values += list(amounts.values())
            ends.append(len(columns))
            owners.append(owner)
            sides.append(ALL.index(each.sentiment))
    return csr_matrix((values, columns, ends), shape=(len(owners), len(names))), np.array(owners), np.array(sides)


def cross_fitted(given: Sequence[Example]) -> list[list[Evidence]]:
    """The evidence of each example, its wording weighed by what was learned from the other parts."""
    worth = {part: wording([e for e in given if e.part != part]) for part in range(PARTS)}
    return [all_evidence(e.findings, worth[e.part]) if e.findings else [] for e in given]


def held_out(given: Sequence[Example], evidence: Sequence[Sequence[Evidence]]) -> list[Prediction]:
    """What is learned without a share of the speakers says of their stocks.

    Only the wording by which the others' evidence was weighed has seen that share, since learning it takes long.
    """
    predictions: list[Prediction] = []
    for left_out in range(PARTS):
        rest = [(e, found) for e, found in zip(given, evidence, strict=True) if e.part != left_out]
        weights = weigh([e for e, _ in rest], [found for _, found in rest])
        predictions += [
            (e, probabilities(found, weights))
            for e, found in zip(given, evidence, strict=True)
            if e.part == left_out and e.real
        ]
    return predictions


def report(predictions: Sequence[Prediction]) -> str:
    """Recall is of all that was labelled, also of stocks that the rules did not see."""
    lines = [
        f"{'':<9}  {'ticker and sentiment':<22}{'calls':<22}buys and sells",
        "threshold" + "  precision recall F1" * 3,
    ]
    for threshold in THRESHOLDS:
        read = [(example, reading(likely, threshold)) for example, likely in predictions]
        scores = [score(read, counted) for counted in (ALL, CALLS, SIDES)]
        lines.append(f"{threshold:9.2f}" + "".join(f"{p:11.3f}{r:7.3f} {f1:.3f}" for p, r, f1 in scores))
    return "\n".join(lines)


def reading(likely: dict[Sentiment, float], threshold: float) -> Sentiment:
    best = likeliest(likely)
    return best if likely[best] >= threshold else Sentiment.MENTIONED


def score(read: Sequence[tuple[Example, Sentiment]], counted: Sequence[Sentiment]) -> tuple[float, float, float]:
    """Precision, recall and F1."""
    said = [(example, sentiment) for example, sentiment in read if example.findings and sentiment in counted]
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
    best = likeliest(likely)
    return example, best, likely[best]


def write(weights: dict[str, float], worth: dict[str, Worth]) -> None:
    with WEIGHTS.open("w", encoding="utf-8") as file:
        file.write(WEIGHTS_HEADER + "trait,weight\n")
        file.writelines(f"{trait},{weights[trait]:.3f}\n" for trait in sorted(weights))
    with WORTH.open("w", encoding="utf-8", newline="") as file:
        file.write(WORTH_HEADER)
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(("words", *CALLS))
        rows.writerows((run, *(f"{value:.3f}" for value in worth[run])) for run in sorted(worth))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m scripts.train_analyst")
    parser.add_argument("folders", nargs="*", type=Path, help="labelled transcripts")
    options = parser.parse_args()
    given = [example for folder in options.folders for example in folder_examples(folder)]
    given += written_examples()
    evidence = cross_fitted(given)
    predictions = held_out(given, evidence)
    print(report(predictions), reliability(predictions), sep="\n\n")
    seen = [(e, found) for e, found in zip(given, evidence, strict=True) if e.findings]
    write(weigh([e for e, _ in seen], [found for _, found in seen]), wording(given))


if __name__ == "__main__":
    main()
