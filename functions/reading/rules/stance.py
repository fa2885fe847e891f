"""Finds the phrases of buying, holding or selling in a clause, with the traits for and against each."""

from dataclasses import dataclass

from functions.reading.rules.conditions import is_conditional
from functions.reading.rules.doubts import (
    is_an_example,
    is_hedged,
    is_not_advising,
    is_of_something_else,
    is_qualified,
    is_reported,
    is_sponsored,
)
from functions.reading.rules.history import is_aside, is_history, is_narrated, is_recent
from functions.reading.rules.negation import is_negated
from functions.reading.rules.objects import from_own_pronoun, what_is_traded
from functions.reading.rules.phrases import NO_ADVICE, PHRASES, STATES
from functions.reading.rules.questions import is_asked
from functions.reading.rules.reading import Occurrence, Reading
from functions.reading.rules.speakers import is_confirmed, speaker
from functions.reading.rules.tenses import tense
from functions.reading.rules.vocabulary import pattern
from functions.reading.terms import Sentiment

MOST_PHRASES = 8
"""No genuine clause contains more."""
TRADES = pattern(r"(?:{buy,sell}|buys)$")
"""Plain buying and selling, of shares or of anything else."""
PRICED = pattern(r"^(?: \S+){0,3} (?:at|for|under|below|around) \$?\d")
DOUBTS = frozenset(
    {
        "hedged",
        "conditional",
        "example",
        "history",
        "long ago",
        "reported",
        "sponsor",
        "not advising",
        "object belonging",
        "object thing",
        "something else's",
        "speaker if you",
        "speaker other",
        "speaker participle",
    }
)
"""Traits that make it likely that the speaker neither acts nor advises."""
ASIDE = "aside"


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
    denied: Sentiment
    """Its sentiment if the answer is no."""
    words: str
    """The phrase itself."""
    after: str
    """The rest of the clause."""
    object: str
    """The object of the trade, as classified by `objects.what_is_traded`."""
    traits: tuple[str, ...]
    """Features for and against the phrase; `weights.csv` has their weights."""

    @property
    def trades(self) -> bool:
        """True if its verb is plain buying or selling, of shares or of anything else."""
        return bool(TRADES.match(self.words))


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
        at.phrase.denied,
        at.words,
        from_own_pronoun(at),
        target,
        _traits(at, target, negated=negated),
    )


def _traits(at: Occurrence, target: str, *, negated: bool) -> tuple[str, ...]:
    by, when, recent = speaker(at), tense(at), is_recent(at)
    checks = {
        "reported": is_reported(at),
        "confirmed": is_confirmed(at, by),
        "not advising": is_not_advising(at),
        "hedged": is_hedged(at),
        "qualified": is_qualified(at),
        "conditional": is_conditional(at, by),
        ASIDE: is_aside(at),
        "narrated": is_narrated(at),
        "history": is_history(at, when, recent=recent, negated=negated),
        "recent": recent,
        "liked here": recent and at.phrase.name == "liking",
        "priced": bool(PRICED.search(at.after)),
        "example": is_an_example(at, by),
        "something else's": is_of_something_else(at),
        "sponsor": is_sponsored(at),
    }
    return (
        f"{at.phrase.name} denied" if negated else at.phrase.name,
        f"speaker {by}",
        f"object {target}",
        "tense past recent" if recent and when == "past" else f"tense {when}",
        *(name for name, holds in checks.items() if holds),
    )
