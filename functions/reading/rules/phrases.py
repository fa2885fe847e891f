"""The phrases that express buying, holding or selling; they match clauses as normalised by `reading.read`."""

import re
from dataclasses import dataclass

from functions.reading.rules.vocabulary import names, phrases, words
from functions.reading.terms import Sentiment

TRIGGERS = words("triggers")
TRIGGER_PHRASES = tuple(names("trigger phrases"))
"""Clauses without any of these are not searched, so each phrase must contain one of them."""
WORD = re.compile(r"[a-z]+")
STEM = 3
"""Leading letters to match a trigger with a pattern, whose endings may vary: `favou?rites?`."""


@dataclass(frozen=True, slots=True)
class Phrase:
    name: str
    """Its section of phrases.txt."""
    sentiment: Sentiment
    pattern: re.Pattern[str]
    about_subject: bool
    """True if it refers to its subject: `§ is a buy` does, `buy §` refers to its object."""
    negatable: bool
    """`do not touch` carries its own negation."""
    denied: Sentiment
    """Its sentiment when negated: not selling is a hold, not buying is only a mention."""
    needs_speaker: bool
    """`bought` needs a person who did it, `stay away` does not."""
    triggers: frozenset[str]
    """Clauses without one of these cannot contain it and are skipped."""


def _phrase(
    name: str,
    sentiment: Sentiment,
    *,
    about_subject: bool = False,
    negatable: bool = True,
    denied: Sentiment = Sentiment.MENTIONED,
    needs_speaker: bool = True,
) -> Phrase:
    found = phrases(name)
    spelled = frozenset(word[:STEM] for word in WORD.findall(found.pattern))
    triggers = frozenset(
        trigger
        for trigger in (*TRIGGERS, *TRIGGER_PHRASES)
        if spelled.issuperset(word[:STEM] for word in WORD.findall(trigger))
    )
    return Phrase(name, sentiment, found, about_subject, negatable, denied, needs_speaker, triggers)


PHRASES = (
    _phrase("shorts and puts", Sentiment.SELL),
    _phrase("longs and calls", Sentiment.BUY),
    _phrase("covered calls", Sentiment.HOLD),
    _phrase("hold fixed", Sentiment.HOLD, negatable=False, needs_speaker=False),
    _phrase("sell fixed", Sentiment.SELL, negatable=False, needs_speaker=False),
    _phrase("buy predicate", Sentiment.BUY, about_subject=True, needs_speaker=False),
    _phrase("bargain", Sentiment.BUY, about_subject=True, needs_speaker=False),
    _phrase("hold predicate", Sentiment.HOLD, about_subject=True, needs_speaker=False),
    _phrase("sell predicate", Sentiment.SELL, about_subject=True, needs_speaker=False, denied=Sentiment.HOLD),
    _phrase("warning", Sentiment.SELL, about_subject=True, needs_speaker=False),
    _phrase("own position", Sentiment.HOLD, about_subject=True, needs_speaker=False),
    _phrase("having", Sentiment.HOLD),
    _phrase("disliking", Sentiment.SELL, negatable=False, needs_speaker=False),
    _phrase("position bought", Sentiment.BUY),
    _phrase("position sold", Sentiment.SELL, denied=Sentiment.HOLD),
    _phrase("traders get out", Sentiment.SELL, denied=Sentiment.HOLD),
    _phrase("traders get in", Sentiment.BUY),
    _phrase("being in", Sentiment.BUY),
    _phrase("buy verb", Sentiment.BUY),
    _phrase("sell verb", Sentiment.SELL, denied=Sentiment.HOLD),
    _phrase("hold verb", Sentiment.HOLD),
    _phrase("hold past", Sentiment.HOLD),
    _phrase("owning", Sentiment.HOLD),
    _phrase("liking", Sentiment.BUY),
)
"""In order of precedence: earlier phrases claim their words first."""

STATES = frozenset({"own position", "having", "owning", "liking", "disliking", "being in"})
"""Owning, liking and disliking count only in a clause without an action."""
OWNING = frozenset({"own position", "having", "owning", "hold past"})
NO_ADVICE = phrases("no advice")
"""Everyday phrases with a buying or selling word in them."""


def triggers_in(said: list[str], text: str) -> frozenset[str]:
    return TRIGGERS.intersection(said).union(phrase for phrase in TRIGGER_PHRASES if phrase in text)
