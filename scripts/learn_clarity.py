"""Learns how clear calls are from transcripts that no rule was made by, and writes clarity.csv.

python -m scripts.learn_clarity FOLDER... [--studied FOLDER...]

The folders are as for scripts/train_analyst.py, but nobody may have looked at how the rules read them: where rules were
changed until they read a text correctly, their phrases seem surer than they are. So texts that were studied count less.
The tables printed read each speaker of the others by what is learned without him.
"""

import argparse
import csv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.optimize import minimize

from functions.reading.rules.clarity import ALWAYS, CLARITY, HOLD, LEAST_LIKELY, TRADE, kind_of, terms
from functions.reading.rules.evidence import all_evidence
from functions.reading.rules.weighing import learned_weights, likeliest, probabilities
from functions.reading.rules.wording import learned_wording
from functions.reading.terms import Sentiment
from scripts.train_analyst import Example, folder_examples

STUDIED = 0.5
"""Weight of texts that the rules were developed on."""
PENALTY = 2.0
"""Regularisation strength towards the odds of the phrases alone."""
LEAST_SPEAKERS = 2
THRESHOLDS = (0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.7)
HEADER = """\
# What makes a call clear: how much each term adds to the logarithm of the odds that it is right.
# Written by scripts/learn_clarity.py from transcripts as they were first read, and from some that were studied.
"""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A stock that a transcript may call something, and whether it does."""

    speaker: str
    terms: dict[str, float]
    right: bool
    weight: float


def candidates(examples: Sequence[Example], kind: str, weight: float = 1.0) -> list[Candidate]:
    found = []
    for example in examples:
        if example.findings is None:
            continue
        evidence = all_evidence(example.findings, learned_wording())
        likely = probabilities(evidence, learned_weights())
        best = likeliest(likely)
        if kind_of(best) == kind and likely[best] >= LEAST_LIKELY:
            said = terms(best, likely[best], evidence, example.findings.mentions)
            found.append(
                Candidate(example.speaker, said, example.labelled and example.label is best, weight * example.weight)
            )
    return found


def learn(given: Sequence[Candidate]) -> dict[str, float]:
    """Fits the weights by maximum likelihood."""
    names = list(given[0].terms)
    rows = np.array([[candidate.terms[name] for name in names] for candidate in given])
    signs = np.array([1.0 if candidate.right else -1.0 for candidate in given])
    importance = np.array([candidate.weight for candidate in given])
    expected = np.array([float(name == "odds") for name in names])
    held = np.array([float(name != ALWAYS) for name in names])

    def loss(weights: np.ndarray) -> float:
        cost: float = (importance * np.logaddexp(0.0, -signs * (rows @ weights))).sum()
        return cost + 0.5 * PENALTY * (held * (weights - expected) ** 2).sum()

    return dict(zip(names, map(float, minimize(loss, expected).x), strict=True))


def by_the_others(given: Sequence[Candidate], studied: Sequence[Candidate]) -> list[tuple[float, bool]]:
    """How likely each candidate is right by what the other speakers teach, and whether it is."""
    learned = {left: learn([c for c in (*given, *studied) if c.speaker != left]) for left in {c.speaker for c in given}}
    return [(_likely(c, learned[c.speaker]), c.right) for c in given]


def _likely(candidate: Candidate, weights: dict[str, float]) -> float:
    total = sum(weights[name] * amount for name, amount in candidate.terms.items())
    return float(1.0 / (1.0 + np.exp(-total)))


def report(read: Sequence[tuple[float, bool]], due: int) -> str:
    lines = ["threshold  precision  recall     right  read"]
    for threshold in THRESHOLDS:
        said = [right for likely, right in read if likely >= threshold]
        precision, recall = sum(said) / max(1, len(said)), sum(said) / max(1, due)
        lines.append(f"{threshold:9.2f}  {precision:9.3f}  {recall:6.3f}  {sum(said):8}  {len(said):4}")
    lines.append("confidence  calls  right")
    for tenth in range(10):
        found = [right for likely, right in read if tenth <= likely * 10 < tenth + 1]
        if found:
            lines.append(f"{tenth / 10:.1f} to {tenth / 10 + 0.1:.1f}  {len(found):5}   {sum(found) / len(found):.2f}")
    return "\n".join(lines)


def write(learned: dict[str, dict[str, float]]) -> None:
    with CLARITY.open("w", encoding="utf-8", newline="") as file:
        file.write(HEADER)
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(("call", "term", "weight"))
        rows.writerows((kind, term, f"{weight:.3f}") for kind in learned for term, weight in learned[kind].items())


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m scripts.learn_clarity")
    parser.add_argument("folders", nargs="+", type=Path, help="labelled transcripts that nobody has studied")
    parser.add_argument("--studied", nargs="*", type=Path, default=[], help="labelled transcripts that somebody has")
    options = parser.parse_args(arguments)
    examples = [example for folder in options.folders for example in folder_examples(folder)]
    known = [example for folder in options.studied for example in folder_examples(folder)]
    if len({example.speaker for example in (*examples, *known)}) < LEAST_SPEAKERS:
        parser.error("Each speaker is read by what the others teach, so name transcripts of two or more.")
    learned = {}
    for kind, sides in {TRADE: (Sentiment.BUY, Sentiment.SELL), HOLD: (Sentiment.HOLD,)}.items():
        given, studied = candidates(examples, kind), candidates(known, kind, STUDIED)
        if not given:
            parser.error(f"There is no {kind} to learn from.")
        due = sum(example.labelled and example.label in sides for example in examples)
        print(f"{kind}s, {due} made", report(by_the_others(given, studied), due), "", sep="\n")
        learned[kind] = learn([*given, *studied])
    write(learned)


if __name__ == "__main__":
    main()
