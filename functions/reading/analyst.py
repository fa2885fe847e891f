"""The interface of an analyst: a transcript in, calls out."""

from dataclasses import dataclass
from datetime import date
from typing import Protocol

from functions.reading.terms import Sentiment


@dataclass(frozen=True, slots=True)
class Call:
    """One stock in one transcript. Each ticker appears once, with the speaker's main stance."""

    ticker: str
    """The company's ticker today, or its last one if it was delisted."""
    sentiment: Sentiment
    confidence: float
    """From 0 to 1. Refers to `possible_sentiment` if that is set, otherwise to `sentiment`."""
    context: str
    """The supporting quote, verbatim from the transcript, at most 200 characters."""
    possible_sentiment: Sentiment | None = None
    """The most probable side of a mention without a clear one. Shown to users, never scored."""
    position: int | None = None
    """Character offset of the context in the transcript."""


class Analyst(Protocol):
    @property
    def name(self) -> str:
        """Identifies the rules or the model in use; a different name may mean different results."""

    def calls(self, transcript: str, day: date | None = None) -> list[Call]:
        """Returns each stock a transcript mentions once. Tickers mean what they meant on `day`: some are reused."""
