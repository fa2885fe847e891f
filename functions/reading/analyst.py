"""The interface of an analyst: a transcript in, statements out."""

from dataclasses import dataclass
from datetime import date
from typing import Protocol

from functions.reading.statements import Statement


@dataclass(frozen=True, slots=True)
class Speech:
    """A transcript, and what is known of its video."""

    text: str
    day: date | None = None
    """The day of publication: tickers mean what they meant then, since some are reused."""
    title: str | None = None


@dataclass(frozen=True, slots=True)
class TokenUsage:
    """The tokens of a model's requests and responses."""

    input: int = 0
    output: int = 0

    def __add__(self, other: "TokenUsage") -> "TokenUsage":
        return TokenUsage(self.input + other.input, self.output + other.output)

    @property
    def total(self) -> int:
        return self.input + self.output


NO_TOKENS = TokenUsage()


@dataclass(frozen=True, slots=True)
class Analysis:
    """What an analyst made of a transcript."""

    statements: list[Statement]
    """One per stock."""
    usage: TokenUsage = NO_TOKENS
    rejected: tuple[str, ...] = ()
    """Stocks of the response that failed a check, each with the reason in words. Shown in the channel's log."""
    analyst: str | None = None
    """The name of the analyst that read it, if it isn't the one that was asked."""


class Analyst(Protocol):
    @property
    def name(self) -> str:
        """Identifies the rules or the model in use; a different name may mean different results."""

    def analyse(self, speech: Speech) -> Analysis:
        """Returns what is said about each stock."""
