"""Finds the phrases of buying, holding or selling in a clause, with the traits for and against each."""

from dataclasses import dataclass

from functions.reading.rules.objects import what_is_traded
from functions.reading.rules.phrases import NO_ADVICE, PHRASES, STATES
from functions.reading.rules.reading import Occurrence, Reading
from functions.reading.rules.speakers import speaker
from functions.reading.rules.traits import (
    HEDGE,
    is_asked,
    is_conditional,
    is_history,
    is_negated,
    is_recent,
    is_reported,
    tense,
)
from functions.reading.terms import Sentiment

MOST_PHRASES = 8
"""No genuine clause contains more."""
DOUBTS = frozenset(
    {"hedged", "conditional", "history", "reported", "object belonging", "object thing"}
    | {"speaker if you", "speaker other", "speaker participle"}
)
"""Traits that make it likely that the speaker neither acts nor advises."""


@dataclass(frozen=True, slots=True)
class Stance:
    sentiment: Sentiment
    """`mentioned` for a phrase that was denied: the speaker does not buy."""
    first: int
    last: int
    """Exclusive: `first` and `last` delimit the phrase."""
    about_subject: bool
    asked: bool
    """Only asked, not said."""
    words: str
    """The phrase itself."""
    after: str
    """The rest of the clause."""
    object: str
    """The object of the trade, as classified by `objects.what_is_traded`."""
    traits: tuple[str, ...]
    """Features for and against the phrase; `weights.csv` has their weights."""


def stances(reading: Reading, earlier: list[Reading], following: Reading | None) -> list[Stance]:
    """`earlier` are the clauses of the same sentence before this one, nearest first."""
    found = [(at.phrase, _stance(at)) for at in _occurrences(reading, earlier, following)]
    acts = [stance for phrase, stance in found if phrase.name not in STATES]
    return sorted(acts or [stance for _, stance in found], key=lambda stance: stance.first)


def _occurrences(reading: Reading, earlier: list[Reading], following: Reading | None) -> list[Occurrence]:
    """The phrases of a clause that do not share words."""
    if not reading.triggers:
        return []
    text = reading.text
    taken: list[tuple[int, int]] | None = None
    found = []
    for phrase in PHRASES:
        if phrase.triggers.isdisjoint(reading.triggers):
            continue
        for match in phrase.pattern.finditer(text):
            if taken is None:  # most clauses have no phrase at all
                taken = [everyday.span() for everyday in NO_ADVICE.finditer(text)]
            start, end = match.span()
            if any(start < other_end and other_start < end for other_start, other_end in taken):
                continue
            if len(taken) >= MOST_PHRASES:
                break
            taken.append((start, end))
            found.append(Occurrence(phrase, text[:start], match[0], text[end:], reading, earlier, following))
    return found


def _stance(at: Occurrence) -> Stance:
    asked = is_asked(at)
    negated = not asked and is_negated(at)
    target = what_is_traded(at)
    start, end = len(at.before), len(at.before) + len(at.words)
    return Stance(
        at.phrase.denied if negated else at.phrase.sentiment,
        at.reading.word_at(start),
        at.reading.word_at(end - 1) + 1,
        at.phrase.about_subject,
        asked,
        at.words,
        at.after,
        target,
        _traits(at, target, negated=negated),
    )


def _traits(at: Occurrence, target: str, *, negated: bool) -> tuple[str, ...]:
    when, recent = tense(at), is_recent(at)
    checks = {
        "reported": is_reported(at),
        "hedged": bool(HEDGE.search(at.before)),
        "conditional": is_conditional(at),
        "history": is_history(at),
        "recent": recent,
        "liked here": recent and at.phrase.name == "liking",
    }
    return (
        f"{at.phrase.name} denied" if negated else at.phrase.name,
        f"speaker {speaker(at)}",
        f"object {target}",
        "tense past recent" if recent and when == "past" else f"tense {when}",
        *(name for name, holds in checks.items() if holds),
    )
