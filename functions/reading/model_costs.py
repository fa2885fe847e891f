"""Estimates the tokens and the money that a model takes to read videos."""

import json
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from functions.reading.analyst import TokenUsage
from functions.reading.analysts import THIS_MACHINE, WITHOUT_MODEL, destination
from functions.runtime.provider_settings import model_prices

FILE = Path(__file__).parent / "data" / "model_prices.json"
WORDS_PER_HOUR = 10_000
"""Speech on finance channels, at 165 words a minute."""
WORDS_PER_VIDEO = 3_500
"""Twenty minutes."""
ANSWER_TOKENS_PER_WORD = 0.4
"""Measured on a large model's answers to 37 talks of 64,000 words."""
MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class Prices:
    """Dollars per million tokens."""

    input: float
    output: float
    as_of: str | None = None
    """The month of a list price; None for prices that were set."""


@dataclass(frozen=True, slots=True)
class Estimate:
    videos: int
    words: int
    tokens: TokenUsage
    dollars: float | None
    """None if the model's price isn't known."""


def estimate(provider: str, model: str, videos: int, words: int | None = None) -> Estimate:
    """Estimates what it takes to read that many videos, of that many words in all."""
    words = videos * WORDS_PER_VIDEO if words is None else words
    tokens = _tokens(provider, videos, words)
    prices = prices_of(provider, model)
    dollars = None if prices is None else (tokens.input * prices.input + tokens.output * prices.output) / MILLION
    return Estimate(videos, words, tokens, None if dollars is None else round(dollars, 4))


def prices_of(provider: str, model: str) -> Prices | None:
    """Returns the prices that are set, nothing for a model on this machine, or the list prices of a known model."""
    if provider in WITHOUT_MODEL:
        return Prices(0.0, 0.0)
    if given := model_prices():
        return Prices(*given)
    if destination(provider) == THIS_MACHINE:
        return Prices(0.0, 0.0)
    return next((prices for name, prices in _listed() if _is_model(model, name)), None)


def _tokens(provider: str, videos: int, words: int) -> TokenUsage:
    if provider in WITHOUT_MODEL:
        return TokenUsage()
    from functions.reading.models.windows import INSTRUCTION_TOKENS, estimated_tokens

    return TokenUsage(estimated_tokens(words) + videos * INSTRUCTION_TOKENS, round(words * ANSWER_TOKENS_PER_WORD))


def _is_model(model: str, name: str) -> bool:
    """True for `us.amazon.nova-lite-v1:0` and `nova-lite`: versions and dates may follow, other names may not.

    `claude-opus-5-5` is another name than `claude-opus-5`, not its version 5.
    """
    return bool(
        re.search(rf"(^|[./]){re.escape(name)}(-(v\d|\d{{3,}})[\w.-]*|-latest|-preview[\w.-]*)?(:\d+)?$", model)
    )


@cache
def _listed() -> tuple[tuple[str, Prices], ...]:
    listed = json.loads(FILE.read_text(encoding="utf-8"))
    return tuple((name, Prices(row["in"], row["out"], row["as_of"])) for name, row in listed["models"].items())
