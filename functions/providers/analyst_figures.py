"""How well an analyst reads real speech, as `python -m bench.analyst --record` has measured it."""

import json
from dataclasses import dataclass
from functools import cache

from functions.providers.listings import DATA

FILE = DATA / "analyst_figures.json"


@dataclass(frozen=True, slots=True)
class AnalystFigures:
    calls_right: float
    """Of the buys and sells it reports, the share that a person reads the same."""
    calls_found: float
    """Of the buys and sells that a person reads, the share it reports."""
    texts: int
    speakers: int
    words: int
    measured_on: str
    measured_at: str


def figures_of(analyst: str) -> AnalystFigures | None:
    """None for one that has not been measured."""
    return _all().get(analyst)


@cache
def _all() -> dict[str, AnalystFigures]:
    return {name: AnalystFigures(**row) for name, row in json.loads(FILE.read_text(encoding="utf-8")).items()}
