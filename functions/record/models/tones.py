"""The news around a call: what the press said of a stock, and in which tone."""

from enum import StrEnum

MODEL_VERSION = "v1.0.0"
"""Of the rules that read the tone of headlines; another version reads some headlines differently."""


class NewsSentiment(StrEnum):
    POSITIVE = "positive"
    NEUTRAL = "neutral"
    NEGATIVE = "negative"


COPIED_SENTIMENT = "tone"
"""The sentiment under another name, in copies: under its own it would put them into the index by sentiment."""
