"""The tone of the news about a stock around a call."""

from enum import StrEnum

MODEL_VERSION = "v1.0.0"
"""The version of the rules that read the tone of headlines; versions may read a headline differently."""


class NewsSentiment(StrEnum):
    POSITIVE = "positive"
    NEUTRAL = "neutral"
    NEGATIVE = "negative"


COPIED_SENTIMENT = "tone"
"""The attribute name of the sentiment in copies: under its usual name they would enter the index by sentiment."""
