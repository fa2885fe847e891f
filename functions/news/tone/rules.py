"""The tone of headlines by rules: without a model, and the same for the same words."""

from functions.news.tone.tone import Tone, read_tone
from functions.record.models.tones import MODEL_VERSION


class HeadlineRules:
    @property
    def version(self) -> str:
        return MODEL_VERSION

    def read(self, headline: str, tag: str) -> Tone:
        return read_tone(headline, tag)
