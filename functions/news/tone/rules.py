"""Reads the tone of headlines by rules: deterministic, without a model."""

from functions.news.tone.tone import Tone, read_tone
from functions.record.models.tones import MODEL_VERSION


class HeadlineRules:
    @property
    def version(self) -> str:
        return MODEL_VERSION

    def read(self, headline: str, tag: str) -> Tone:
        return read_tone(headline, tag)
