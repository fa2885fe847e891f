"""The interface of an analyst: a transcript in, calls out."""

from dataclasses import dataclass
from datetime import date
from typing import Protocol

from functions.reading.terms import Sentiment


@dataclass(frozen=True, slots=True)
class Call:
    """What one transcript says of one stock. Each ticker comes once, with the speaker's main stance."""

    ticker: str
    """The company's ticker today, or its last one if it was delisted."""
    sentiment: Sentiment
    confidence: float
    """From 0 to 1; that of the possible sentiment where there is one."""
    context: str
    """The words it rests on, verbatim from the transcript, at most 200 characters."""
    possible_sentiment: Sentiment | None = None
    """For a mention without a clear side: the side it probably takes. Shown to people, never scored."""
    position: int | None = None
    """Where in the transcript its context begins."""


class Analyst(Protocol):
    @property
    def name(self) -> str:
        """Which rules or which model it reads with: another name may mean other results."""

    def calls(self, transcript: str, day: date | None = None) -> list[Call]:
        """The stocks a transcript mentions, each once. Tickers are read as on `day`, since some changed owner later."""
