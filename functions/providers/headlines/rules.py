"""The tone of headlines by rules: without a model, and the same for the same words."""

from functions.core.news import MODEL_VERSION
from functions.providers.headlines.tone import Tone, read_tone


class HeadlineRules:
    @property
    def version(self) -> str:
        return MODEL_VERSION

    def read(self, headline: str, tag: str) -> Tone:
        return read_tone(headline, tag)
