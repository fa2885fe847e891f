"""Resolves the stocks a phrase is about: named in its clause, in the next one, or the current topic."""

from dataclasses import dataclass

from functions.reading.rules.context import Mention
from functions.reading.rules.lists import JOINING, LEAD_TO_NAME
from functions.reading.rules.reading import Reading
from functions.reading.rules.stance import Stance
from functions.reading.rules.topics import Topics, coordinated
from functions.reading.rules.vocabulary import phrases

FARTHEST_OBJECT, NEXT_WORDS = 10, 5
"""Maximum words from a phrase to its object: past words that may lead to it, and past a pronoun or an adverb."""

PRONOUN_OBJECT = phrases("pronoun object")
NO_OBJECT_LEAD = phrases("no object lead")
PLURAL = phrases("plural")


@dataclass(frozen=True, slots=True)
class Target:
    """A stock that a phrase is about, and how it was linked."""

    mention: Mention
    link: str


def about(
    stance: Stance, found: list[Stance], reading: Reading, following: Reading | None, topics: Topics
) -> list[Target]:
    """Returns the stocks that a phrase is about. `found` has all phrases of the clause."""
    plural = bool(PLURAL.search(reading.text))
    here = _named_here(stance, found, reading, plural=plural)
    if here is not None:
        return here
    named_next = _named_next(stance, reading, following) if following and not reading.mentions else []
    if named_next:
        return [Target(mention, "announced") for mention in named_next]
    if stance.object in {"thing", "belonging", "asset", "stocks"} and not (plural and stance.object == "stocks"):
        return []
    several = topics.several(reading) if plural else []
    if several:
        return [Target(mention, "topic list") for mention in several]
    if stance.object == "named":
        return []
    return [Target(mention, f"topic by {stance.object}") for mention in topics.one(reading)]


def _named_here(stance: Stance, found: list[Stance], reading: Reading, *, plural: bool) -> list[Target] | None:
    """The stocks that the clause itself names, if it names any that the phrase may be about."""
    before = [mention for mention in reading.mentions if mention.last <= stance.first]
    after = _objects(stance, found, reading)
    if stance.about_subject and before:
        return [Target(mention, "subject") for mention in coordinated(before)]
    if after and not PRONOUN_OBJECT.search(stance.after) and _reaches(stance, after[0]):
        if stance.object == "thing" and NO_OBJECT_LEAD.search(_text_between(stance, after[0], reading)):
            return []
        return [Target(mention, "object" if stance.object == "named" else "later") for mention in after]
    free = [mention for mention in before if not _is_object(mention, stance, found)]
    if free:
        return [Target(mention, "before") for mention in (free if plural else free[-1:])]
    if before and stance.object == "pronoun" and not plural:
        return [Target(before[-1], "topic by pronoun")]  # bought § and sold | it
    return None


def _named_next(stance: Stance, reading: Reading, following: Reading) -> list[Mention]:
    """The stocks that the next clause names: `one stock I'm adding: §`, `our next pick, §`."""
    if following.clause.ends_with == "?" or not following.mentions:
        return []  # if you had to pick one, | is it § or §?
    leads = following.mentions[0].first - following.clause.first <= LEAD_TO_NAME or "ticker §" in following.text
    led_up_to = reading.clause.ends_with == "," and stance.about_subject and leads
    return following.mentions if reading.clause.ends_with == ":" or led_up_to else []


def _reaches(stance: Stance, mention: Mention) -> bool:
    """True if a name after a phrase is near enough to be its object."""
    distance = mention.first - stance.last
    return stance.object == "named" or distance <= (FARTHEST_OBJECT if stance.object == "thing" else NEXT_WORDS)


def _objects(stance: Stance, found: list[Stance], reading: Reading) -> list[Mention]:
    """The stock after the phrase and those joined to it, up to the next phrase that has objects of its own."""
    later = [other.first for other in found if other.first >= stance.last and not other.about_subject]
    end = min(later, default=reading.clause.last)
    after = [mention for mention in reading.mentions if stance.first <= mention.first < end]
    joined = after[:1]
    for mention in after[1:]:
        if _leads_on(joined[-1], mention, reading):
            break
        joined.append(mention)
    return joined


def _leads_on(earlier: Mention, later: Mention, reading: Reading) -> bool:
    """True if the words between two names do more than join them."""
    between = [
        reading.text[start:].split(" ", 1)[0]
        for start, index in zip(reading.starts, reading.indexes, strict=True)
        if earlier.last <= index < later.first
    ]
    return any(word not in JOINING and not word.lstrip("$").isdigit() for word in between)


def _is_object(mention: Mention, stance: Stance, found: list[Stance]) -> bool:
    """True if an earlier phrase has already taken the stock: `sold § to buy more` buys something else."""
    return any(
        other.last <= mention.first and other.first < stance.first and not other.about_subject for other in found
    )


def _text_between(stance: Stance, mention: Mention, reading: Reading) -> str:
    position = reading.starts[reading.indexes.index(max(mention.first, reading.clause.first))]
    return reading.text[:position].rstrip().rpartition(stance.words)[2]
