"""A statement: what somebody in a video says about one stock, before anything is concluded from it."""

from dataclasses import dataclass
from enum import StrEnum

MAX_PHRASE_LENGTH = 120
"""Most characters of a condition, a horizon or a name."""
MAX_QUOTES = 2


class Act(StrEnum):
    """Something a speaker says or does. Listed in order of precedence: of two acts, the first is the statement's."""

    BOUGHT = "bought"
    SOLD = "sold"
    PLANS_TO_BUY = "plans_to_buy"
    PLANS_TO_SELL = "plans_to_sell"
    RECOMMENDS = "recommends"
    ADVISES_AGAINST = "advises_against"
    KEEPS = "keeps"
    OWNS = "owns"
    WOULD_BUY = "would_buy"
    WOULD_SELL = "would_sell"
    PRAISES = "praises"
    CRITICISES = "criticises"
    REPORTS = "reports"


class Speaker(StrEnum):
    """Whose statement it is, in order of precedence."""

    HOST = "host"
    GUEST = "guest"
    OTHER = "other"
    """Somebody quoted: an analyst, a fund, a clip, a viewer's comment."""


@dataclass(frozen=True, slots=True)
class Quote:
    """Words of the transcript, verbatim."""

    text: str
    position: int
    """Character offset in the transcript."""


@dataclass(frozen=True, slots=True)
class Statement:
    """The words of one speaker about one stock, and what they say."""

    ticker: str
    """The company's ticker today, or its last one if it was delisted."""
    act: Act
    quotes: tuple[Quote, ...]
    """One or two, the deciding one first."""
    confidence: float
    """From 0 to 1: how sure the analyst is of the act, or of `possible_act` if that is set."""
    possible_act: Act | None = None
    """The most probable act where the words aren't clear enough for one."""
    speaker: Speaker = Speaker.HOST
    company: str | None = None
    heard: str | None = None
    """The stock's name as the transcript spells it."""
    condition: str | None = None
    """An event or a price that has to come first: "if it falls to 110"."""
    horizon: str | None = None
    """The speaker's own: "three to five years"."""
    target: float | None = None
    """The speaker's own price target, in dollars."""
    conviction: int | None = None
    """How firmly it is said: 1 (tentatively) to 3 (firmly)."""
    sponsored: bool = False
    listed: bool = True
    """False if no list of US shares knows the ticker: it is shown, and never priced."""
