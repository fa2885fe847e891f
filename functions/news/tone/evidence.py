"""Rates the phrases of a headline for its company: good or bad news, about the past, the outlook or the price."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from functions.news.tone.clauses import Part, divide
from functions.news.tone.lexicon import Found, find_phrases
from functions.news.tone.standpoint import standpoint
from functions.news.tone.text import NUMBER, SUBJECT


class Level(Enum):
    """The subject of a piece of evidence, with its weight."""

    NEWS = 1.0
    OUTLOOK = 1.5
    PRICE = 2.0


@dataclass(frozen=True, slots=True)
class Evidence:
    polarity: float
    """Positive for good news."""
    level: Level
    part: Part


DIRECT = {"very good": 2.0, "good": 1.0, "slightly good": 0.5, "very bad": -2.0, "bad": -1.0, "slightly bad": -0.5}
THINGS = {
    "price things": (1.0, Level.PRICE),
    "outlook things": (1.0, Level.OUTLOOK),
    "good things": (1.0, Level.NEWS),
    "bad things": (-1.0, Level.NEWS),
}
VERBS = frozenset({"raise", "rise", "lower", "fall", "brings", "begins coverage"})
RATINGS = {"rating good": 1.5, "rating bad": -1.5, "rating neutral": 0.0}
COMPARISONS = frozenset({"higher", "lower", "up", "down", "more", "fewer", "rising", "falling", "growing", "shrinking"})
"""Words that refer to their object, or to a price with a number: `down 6%`."""
PREPOSITIONS = frozenset({"above", "at", "below", "for", "in", "into", "of", "past", "to"})
BROKER_VERBS = frozenset({"cut", "cuts", "lifts", "lowers", "lowered", "raised", "raises", "trims", "ups"})
PASSIVES = frozenset({"cut", "upped"})
"""Participles that do not end in -ed."""

OBJECT_REACH = 4
"""Maximum words between a verb and its object, and likewise for the others."""
ADJACENT_REACH = 2
SUBJECT_REACH = 5
PASSIVE_REACH = 3
NEGATION_REACH = 4
RATING_REACH = 3
NEGATED = -0.8
"""The factor of a negation: not losing is a little less than winning."""


def evidence_in(words: Sequence[str]) -> list[Evidence]:
    return _Reading(words).evidence()


class _Reading:
    def __init__(self, words: Sequence[str]) -> None:
        self.words = words
        self.found = find_phrases(words)
        self.clauses = divide(words, self.found)
        self.used: set[int] = set()
        """Phrases that another one has taken as its object."""

    def evidence(self) -> list[Evidence]:
        order = sorted(range(len(self.found)), key=self._rank)
        return [each for number in order if number not in self.used and (each := self._read(number))]

    def _rank(self, number: int) -> tuple[bool, float]:
        """Verbs first, then by weight: the objects of verbs aren't separate evidence."""
        phrase = self.found[number]
        return (False, 0.0) if phrase.tags & VERBS else (True, -abs(_worth(phrase)))

    def _read(self, number: int) -> Evidence | None:
        phrase = self.found[number]
        read = self._rating(number) or self._directed(number) or self._direct(number)
        if read is None:
            return None
        polarity, level, last = read
        contest = any("contests" in other.tags for other in self.found[number:] if other.first < last)
        polarity *= self._negation(phrase) * standpoint(self.words, self.clauses, phrase, contest, last)
        return Evidence(polarity, level, self.clauses.parts[phrase.first]) if polarity else None

    def _rating(self, number: int) -> tuple[float, Level, int] | None:
        """`cut to sell`, `started with overweight`"""
        phrase = self.found[number]
        direction = _direction(phrase) or (1 if "very good" in phrase.tags else -1 if "very bad" in phrase.tags else 0)
        starts = "begins coverage" in phrase.tags
        if not direction and not starts:
            return None
        following = self.found[number + 1 : number + 3]
        rating = next((other for other in following if other.tags & RATINGS.keys()), None)
        if rating is None or rating.first - phrase.last > RATING_REACH:
            return None
        between = self.words[phrase.last : rating.first]
        if not starts and "to" not in between:
            return None
        self.used.update(range(number + 1, number + 1 + following.index(rating) + 1))
        worth = 2.0 * direction if not starts else sum(RATINGS[tag] for tag in rating.tags & RATINGS.keys())
        return worth, Level.NEWS, rating.last

    def _directed(self, number: int) -> tuple[float, Level, int] | None:
        """`cuts costs`, `guidance raised`, `sales fall`, `shares jump`"""
        phrase = self.found[number]
        direction = _direction(phrase)
        brings = "brings" in phrase.tags
        if not direction and not brings:
            return None
        moves = bool(phrase.tags & {"rise", "fall"})
        transitive = brings or bool(phrase.tags & {"raise", "lower"})
        run = self._object(number, OBJECT_REACH if transitive else ADJACENT_REACH)
        if moves and run and not self._takes(phrase, self.found[run[0]], transitive):
            run = []
        if run:
            return self._of_object(phrase, run, direction, brings)
        if brings:
            return None
        if self.words[phrase.first] in BROKER_VERBS and self.words[phrase.last : phrase.last + 1] == [SUBJECT]:
            # `Citi raises §`: what a broker or a fund does with the share.
            return float(direction), Level.NEWS, phrase.last + 1
        word = self.words[phrase.first]
        passive = word.endswith("ed") or word in PASSIVES
        subject = self._subject(number, SUBJECT_REACH if moves else PASSIVE_REACH) if moves or passive else None
        if subject is not None:
            polarity, level = _thing(self.found[subject])
            self.used.add(subject)
            return direction * polarity, level, phrase.last
        return (float(direction), Level.PRICE, phrase.last) if moves and self._moves_the_price(phrase) else None

    def _takes(self, phrase: Found, thing: Found, transitive: bool) -> bool:
        """`drops lawsuit` has an object, `drops to a low` has none."""
        between = self.words[phrase.last : thing.first]
        return PREPOSITIONS.isdisjoint(between) and (transitive or bool(thing.tags & THINGS.keys()))

    def _moves_the_price(self, phrase: Found) -> bool:
        """A move without a subject refers to the share, but not in `as yields jump`."""
        if self.words[phrase.first] in COMPARISONS and phrase.last - phrase.first == 1:
            around = (*self.words[max(phrase.first - 1, 0) : phrase.first], *self.words[phrase.last : phrase.last + 1])
            return SUBJECT in around or NUMBER in self.words[phrase.last : phrase.last + 1]
        here = self.clauses.of(self.clauses.numbers[phrase.first])
        return self.clauses.parts[phrase.first] is not Part.CAUSE or any(self.words[index] == SUBJECT for index in here)

    def _of_object(
        self, phrase: Found, run: Sequence[int], direction: int, brings: bool
    ) -> tuple[float, Level, int] | None:
        objects = [self.found[number] for number in run]
        things = [_thing(each) for each in objects if each.tags & THINGS.keys()]
        plain = [each for each in objects if not each.tags & THINGS.keys()]
        if direction >= 0 and plain:
            # `sees weak demand`, `raises strong outlook`: the words themselves say it.
            return None
        bad = any(polarity < 0 for polarity, _ in things) or any(_worth(each) < 0 for each in plain)
        if brings and not bad:
            return None
        level = max((level for _, level in things), key=lambda level: level.value, default=Level.NEWS)
        self.used.update(run)
        last = objects[-1].last
        if direction > 0 and any("restrictions" in each.tags for each in objects):
            frees = self.words[phrase.first].startswith("lift")
            return (1.0 if frees else -1.0), Level.NEWS, last
        return (direction or 1) * (-1.0 if bad else 1.0), level, last

    def _direct(self, number: int) -> tuple[float, Level, int] | None:
        phrase = self.found[number]
        worth = _worth(phrase)
        if not worth or (worth == DIRECT["good"] and self._enlarges(number)):
            return None
        level = Level.NEWS
        before = self._subject(number, ADJACENT_REACH)
        for neighbour in (*self._object(number, ADJACENT_REACH), *([] if before is None else [before])):
            thing = self.found[neighbour]
            if thing.tags & THINGS.keys() and abs(_worth(thing)) < abs(worth):
                level = max(level, _thing(thing)[1], key=lambda each: each.value)
                self.used.add(neighbour)
        return worth, level, phrase.last

    def _enlarges(self, number: int) -> bool:
        """`a record fine`, `fined a record $2 billion`"""
        phrase = self.found[number]
        after = self.found[number + 1 : number + 2]
        before = self.found[number - 1 : number] if self.words[phrase.first] == "record" else []
        return any(_worth(other) < 0 and self._near(phrase.last, other, 2) for other in after) or any(
            _worth(other) < 0 and phrase.first - other.last <= 1 for other in before
        )

    def _object(self, number: int, reach: int) -> list[int]:
        """Returns the phrases right after it that name or qualify a thing."""
        run: list[int] = []
        end = self.found[number].last
        for other in range(number + 1, len(self.found)):
            phrase = self.found[other]
            if not self._near(end, phrase, 1 if run else reach):
                break
            is_thing = bool(phrase.tags & THINGS.keys())
            if not is_thing and (not _worth(phrase) or _direction(phrase)):
                break
            run.append(other)
            end = phrase.last
        return run

    def _subject(self, number: int, reach: int) -> int | None:
        phrase = self.found[number]
        for other in range(number - 1, -1, -1):
            before = self.found[other]
            if phrase.first - before.last > reach or not self.clauses.barriers.isdisjoint(
                range(before.last, phrase.first)
            ):
                return None
            if before.tags & THINGS.keys() and other not in self.used:
                return other
        return None

    def _near(self, end: int, phrase: Found, reach: int) -> bool:
        return phrase.first - end <= reach and self.clauses.barriers.isdisjoint(range(end, phrase.first + 1))

    def _negation(self, phrase: Found) -> float:
        clause = self.clauses.numbers[phrase.first]
        negated = self.words[phrase.last : phrase.last + 1] == ["no"]
        for other in self.found:
            if other.last > phrase.first:
                break
            if phrase.first - other.last > NEGATION_REACH or self.clauses.numbers[other.first] != clause:
                continue
            if "denies" in other.tags:
                return 0.0
            if "negators" in other.tags:
                negated = True
        return NEGATED if negated else 1.0


def _direction(phrase: Found) -> int:
    return 1 if phrase.tags & {"raise", "rise"} else -1 if phrase.tags & {"lower", "fall"} else 0


def _worth(phrase: Found) -> float:
    return next((worth for tag, worth in DIRECT.items() if tag in phrase.tags), 0.0)


def _thing(phrase: Found) -> tuple[float, Level]:
    return next(THINGS[tag] for tag in THINGS if tag in phrase.tags)
