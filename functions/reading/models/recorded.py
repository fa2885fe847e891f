"""Replays a large model's recorded responses to the demo's transcripts. docs/demo.md says how they were made."""

import json
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from functions.reading.analyst import Analysis, Analyst, Speech
from functions.reading.models.responses import Completion, analyse

FILE = Path(__file__).parents[1] / "data" / "demo_answers.json"
SERVICE = "The recorded model"
NAME = "recorded large model"


class RecordedAnalyst:
    def __init__(self, fallback: Callable[[], Analyst]) -> None:
        """The fallback reads texts without a recorded response. It is created on first use."""
        self._fallback = fallback

    @property
    def name(self) -> str:
        return NAME

    def analyse(self, speech: Speech) -> Analysis:
        """Returns the recorded reading, checked as any model's. The analysis of another text names the fallback."""
        recorded = _responses().get(text_key(speech.text))
        if recorded is not None:
            return analyse(speech, lambda _: Completion(recorded), SERVICE)
        fallback = self._fallback()
        return replace(fallback.analyse(speech), analyst=fallback.name)


def text_key(text: str) -> str:
    """Identifies a transcript by its words, so that no response is replayed for a text that has changed since."""
    return sha256(" ".join(text.split()).encode()).hexdigest()[:16]


@cache
def _responses() -> dict[str, Any]:
    """The recorded responses by the key of their text."""
    recorded = json.loads(FILE.read_bytes())
    return {entry["text"]: entry["response"] for entry in recorded.values()}
