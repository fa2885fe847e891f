"""Learns the weight of each n-gram about a stock, with a logistic regression on the n-grams that occur."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize
from scipy.sparse import csr_matrix

from functions.reading.rules.wording import ALWAYS, CALLS, Stretch, Worth, runs
from functions.reading.terms import Sentiment

LEAST_STOCKS = 3
"""Minimum number of stocks an n-gram must occur with."""
PENALTY = 200.0
LEAST_WORTH = 0.03
"""N-grams with a smaller weight are dropped."""
ROUNDS = 150


@dataclass(frozen=True, slots=True)
class Spoken:
    """All that a transcript says of one stock, and what it calls it."""

    stretches: Sequence[Stretch]
    label: Sentiment
    weight: float = 1.0
    known: bool = False
    """True if the earlier weights were learned from it as well."""


def learn_worth(given: Sequence[Spoken], earlier: Mapping[str, Worth]) -> dict[str, Worth]:
    """`earlier` is what was learned before, also from transcripts that are no longer at hand."""
    found = [{run for stretch in spoken.stretches for said in stretch for run in runs(said)} for spoken in given]
    counts = Counter(run for each in found for run in each)
    kept = dict.fromkeys(run for run, count in counts.items() if count >= LEAST_STOCKS) | dict.fromkeys(earlier)
    kept.pop(ALWAYS, None)
    number = {run: index for index, run in enumerate(kept)}
    rows = [[number[run] for run in each if run in number] for each in found]
    has = csr_matrix(
        (
            np.ones(sum(map(len, rows))),
            np.concatenate([np.array(row, dtype=int) for row in rows]),
            np.cumsum([0, *map(len, rows)]),
        ),
        shape=(len(rows), len(number)),
    )
    said = np.array([[spoken.label is sentiment for sentiment in CALLS] for spoken in given], dtype=float)
    weights = np.array([spoken.weight for spoken in given])
    known = np.array([spoken.known for spoken in given])
    start = np.array([earlier.get(run, (0.0, 0.0, 0.0)) for run in (*number, ALWAYS)])
    pull = _pull_of_earlier(start, has[known], said[known], weights[known])
    worth = _fit(has, said, weights, start, pull)
    learned = {run: worth[index] for run, index in number.items() if abs(worth[index]).max() >= LEAST_WORTH}
    return {run: (float(w[0]), float(w[1]), float(w[2])) for run, w in ({ALWAYS: worth[-1]} | learned).items()}


def _pull_of_earlier(start: np.ndarray, has: csr_matrix, said: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """How the transcripts that are gone pull at each worth.

    What was learned earlier was the best for them and the known ones together. So they pulled as much as these and the
    penalty pushed.
    """
    _, push = _loss(start, has, said, weights)
    return np.where(abs(start).max(axis=1, keepdims=True) > 0, -push, 0.0)


def _loss(worth: np.ndarray, has: csr_matrix, said: np.ndarray, weights: np.ndarray) -> tuple[float, np.ndarray]:
    """With its slope; the last row of worths is what is always added."""
    scores = np.clip(has @ worth[:-1] + worth[-1], -30, 30)
    shares = np.exp(scores)
    total = np.log1p(shares.sum(axis=1))
    cost = (weights * (total - (said * scores).sum(axis=1))).sum() + 0.5 * PENALTY * (worth[:-1] ** 2).sum()
    error = weights[:, None] * (shares / np.exp(total)[:, None] - said)
    return cost, np.vstack([has.T @ error + PENALTY * worth[:-1], error.sum(axis=0)])


def _fit(has: csr_matrix, said: np.ndarray, weights: np.ndarray, start: np.ndarray, pull: np.ndarray) -> np.ndarray:
    """A row of three for each run, and a last one for what is always added."""

    def loss(values: np.ndarray) -> tuple[float, np.ndarray]:
        worth = values.reshape(start.shape)
        cost, slope = _loss(worth, has, said, weights)
        return cost + (pull * worth).sum(), (slope + pull).ravel()

    result = minimize(loss, start.ravel(), jac=True, method="L-BFGS-B", options={"maxiter": ROUNDS})
    return result.x.reshape(start.shape)
