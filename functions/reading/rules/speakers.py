"""Who acts or advises: the speaker, the listener, or somebody else."""

from functions.reading.rules.reading import Occurrence
from functions.reading.rules.text import AUXILIARIES, TIME_WORDS
from functions.reading.rules.vocabulary import pattern, phrases, words

NEAREST_SUBJECT = 9
"""Maximum words before a verb in which `i` is certainly its subject."""

PAST_TENSE = phrases("past tense")
FIRST_PERSON = words("first person")
SECOND_PERSON = words("second person")
THIRD_PERSON = words("third person")
OTHER_PEOPLE = words("other people")
OWN = words("own")
MINE = pattern(r"(?<!\w)(?:my|our)(?!\w)")
STATE_VERBS = words("state verbs")
MODALS = words("modals")
OF_OTHERS = frozenset({"are", "is", "were", "was"})
"""A clause that starts with one of these has a subject before it that is not `i` or `you`."""
LINKS = words("links")
"""A verb after one of these has its subject further back, or none."""
BEFORE_A_VERB = words("between a subject and its verb")
"""`i [am still slowly] buying`; in `i [think] betting against it` nobody bets."""
BEFORE_A_PARTICIPLE = words("before a participle")
BEFORE_A_GERUND = words("before a gerund")
"""`for me the cost of | buying it`"""
OTHER_CLAUSE = words("starts another clause")
SOMEBODYS_OWN = frozenset({"his", "her", "their"})
"""`which was his | bet against §`"""
YOU_CAN = phrases("you can")
IF_YOU = phrases("if you")
IF_YOU_OWN = phrases("if you own")
SHOULD = phrases("you should")


def speaker(at: Occurrence) -> str:
    """Returns who acts or advises, judged by the phrase's clause."""
    said = at.before.split()
    names_the_speaker = at.phrase.about_subject and at.words.split()[0] in FIRST_PERSON  # i am a buyer
    explicit = at.phrase.needs_speaker and not FIRST_PERSON.isdisjoint(said)  # i sold my shares
    if names_the_speaker or (MINE.search(at.words) and not explicit):
        return "own"
    if not at.phrase.about_subject and at.phrase.needs_speaker:
        return _subject(at, said)
    if not OWN.isdisjoint(said):
        return "own"
    return "other" if not THIRD_PERSON.isdisjoint(said) else "unnamed"


def is_doing(verb: str) -> bool:
    """`buying it`, of a phrase or a single word."""
    return verb.split()[0].endswith("ing")


def _subject(at: Occurrence, said: list[str]) -> str:
    """The person nearest before a verb."""
    for position in range(len(said) - 1, -1, -1):
        word, following = said[position], said[position + 1] if position + 1 < len(said) else ""
        if word in FIRST_PERSON:
            return _first_person(at, said, position)
        if word in SECOND_PERSON:
            return _second_person(at, said, position)
        if word in OTHER_PEOPLE and (word != "it" or _has_verb(following or at.words.split()[0])):
            return "other"
    return _unnamed(at, said)


def _first_person(at: Occurrence, said: list[str], position: int) -> str:
    """Classifies `i` and `we` by how certainly they are the subject of the verb."""
    if is_doing(at.words) and said[-1] in BEFORE_A_PARTICIPLE:
        return "participle"  # i think betting against it was wrong, what i got for buying it
    if len(said) - position > NEAREST_SUBJECT or not OTHER_CLAUSE.isdisjoint(said[position:]):
        return f"{said[position]} far"
    return said[position] if BEFORE_A_VERB.issuperset(said[position + 1 :]) else f"{said[position]} loosely"


def _second_person(at: Occurrence, said: list[str], position: int) -> str:
    """`you`, and those who are addressed as `investors`."""
    past = PAST_TENSE.match(at.words)
    if past and said[position] != "you" and position + 1 == len(said):
        return "other"  # investors bought
    if past and IF_YOU.search(at.before):
        return "if you"  # if you followed me and bought it
    if is_doing(at.words) and said[-1] in BEFORE_A_PARTICIPLE:
        return "participle"  # what you ask before buying it
    addressed = at.before + at.words
    if YOU_CAN.search(addressed):
        return "you can"
    if IF_YOU.search(addressed) and not IF_YOU_OWN.search(addressed):
        return "if you"
    return "you should" if SHOULD.search(addressed) else "you"


def _has_verb(following: str) -> bool:
    """True if `it` is a subject (`it expects`, `it will`) rather than an object."""
    past = PAST_TENSE.match(following)
    return bool(past) or following in AUXILIARIES or following.endswith(("s", "ed", "ing"))


def _unnamed(at: Occurrence, said: list[str]) -> str:
    """`Sold mine.` and `sell it` have the speaker for a subject; `bezos sold` does not."""
    if not said or all(word in LINKS or word in TIME_WORDS for word in said):
        return "dropped"  # yesterday | sold half
    if said[-1] in SOMEBODYS_OWN or (said[0] in OF_OTHERS and AUXILIARIES.issuperset(said)):
        return "other"  # which was his | bet against it; microsoft, meta et cetera | are buying more
    if is_doing(at.words) and said[-1] in BEFORE_A_GERUND:
        return "participle"  # for me the cost of buying it
    if not OWN.isdisjoint(said):
        return "own"
    if PAST_TENSE.search(at.words):
        return "linked" if said[-1] in LINKS else "other"
    if (said[-1] in STATE_VERBS and is_doing(at.words)) or (said[-1] in MODALS and len(said) > 1):
        return "other"  # § is | buying, § will | add
    return "participle" if is_doing(at.words) and said[-1] not in LINKS else "unnamed"
