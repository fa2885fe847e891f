"""Precision and recall of each analyst on real speech, as recorded by `python -m bench.analyst --record`."""

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from functions.runtime.settings import settings

FILE = Path(__file__).parent / "data" / "analyst_figures.json"
MODEL_SETTINGS = {"bedrock": "BEDROCK_MODEL_ID", "openai": "OPENAI_MODEL"}


@dataclass(frozen=True, slots=True)
class AnalystFigures:
    calls_right: float
    """Precision: the share of its buys and sells that a human labelled the same."""
    calls_found: float
    """Recall: the share of human-labelled buys and sells that it reports."""
    texts: int
    speakers: int
    words: int
    measured_on: str
    measured_at: str
    model: str = ""
    """The model that was measured; empty for an analyst without one."""


def figures_of(analyst: str) -> AnalystFigures | None:
    """Returns None if the analyst has not been measured with the model in use."""
    figures = _all().get(analyst)
    return figures if figures and figures.model == model_of(analyst) else None


def model_of(analyst: str) -> str:
    return settings().keys.get(MODEL_SETTINGS.get(analyst, ""), "")


@cache
def _all() -> dict[str, AnalystFigures]:
    return {name: AnalystFigures(**row) for name, row in json.loads(FILE.read_text(encoding="utf-8")).items()}
