"""How many of each analyst's calls are right, and how many of the calls made it finds, measured on real speech."""

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from functions.runtime.settings import settings

FILE = Path(__file__).parent / "data" / "analyst_figures.json"
MODEL_SETTINGS = {"bedrock": "BEDROCK_MODEL_ID", "openai": "OPENAI_MODEL", "ollama": "OLLAMA_MODEL"}
LARGE_MODEL = "large language model"
"""What a capable model can do. No figure of a particular model that somebody has chosen."""


@dataclass(frozen=True, slots=True)
class AnalystFigures:
    """Counts of buys and sells. `python -m bench.analyst --record` writes them."""

    right: int
    """Reported calls that the label agrees with."""
    reported: int
    right_on: str
    """The speech that these two were measured on."""
    found: int
    """Labelled calls that are reported."""
    made: int
    found_on: str
    measured_at: str
    """The month or the day."""
    note: str = ""
    model: str = ""
    """The model that was measured; empty for an analyst without one."""

    @property
    def calls_right(self) -> float | None:
        """Precision, or None if it reported nothing."""
        return round(self.right / self.reported, 3) if self.reported else None

    @property
    def calls_found(self) -> float | None:
        """Recall, or None if there was nothing to find."""
        return round(self.found / self.made, 3) if self.made else None


def figures_of(analyst: str) -> AnalystFigures | None:
    """Returns None if the analyst has not been measured with the model in use."""
    figures = all_figures().get(analyst)
    return figures if figures and figures.model == model_of(analyst) else None


def model_of(analyst: str) -> str:
    return settings().keys.get(MODEL_SETTINGS.get(analyst, ""), "")


@cache
def all_figures() -> dict[str, AnalystFigures]:
    """By analyst; of a model that stands for capable ones, under LARGE_MODEL."""
    return {name: AnalystFigures(**row) for name, row in json.loads(FILE.read_text(encoding="utf-8")).items()}
