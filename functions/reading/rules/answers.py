"""Handles questions: `Should you buy it? Yes.` is advice, `I own it. Should I sell?` is a viewer's question."""

from dataclasses import dataclass
from itertools import takewhile

from functions.reading.rules.phrases import OWNING
from functions.reading.rules.reading import Reading
from functions.reading.rules.stance import Stance
from functions.reading.rules.vocabulary import pattern
from functions.reading.rules.weighing import Evidence
from functions.reading.terms import Sentiment

ASKED_WITHIN = 4
"""Number of following clauses in which a question may still refer to a statement."""
ANSWERED_WITHIN = 30
"""Maximum words between a question and its `yes`."""
ASKERS = frozenset({"speaker i", "speaker i loosely", "speaker own", "speaker dropped"})
ASKING = frozenset({"hedged", "conditional"})
"""Traits of a question that no longer apply once it is answered."""

ASKS_FOR_A_WORD = pattern(
    r"^(?:(?:so|and|but|okay|now|or|then|all right) )*(?:what|which|who|where|when|why|how)(?!\w)"
)
"""`What is the second pick?`, which `yes` doesn't answer."""
TEMPTED = pattern(r"(?<!\w)(?:tempted|thinking|think about|thought about|considered|considering)(?!\w)")
"""`Was I tempted to buy it? Of course.` isn't a purchase."""
ASKS_ADVICE = pattern(
    r"(?<!\w)(?:(?:should|do) i|what (?:should|do|can) i|what are your"
    r"|(?:your|any) (?:thoughts|opinion|advice|take)|is it (?:still )?(?:an? )?(?:\S+ )?(?:buy|time|hold|sell)"
    r"|(?:buy|hold)(?: it)? or (?:buy|hold|sell))(?!\w)"
)
"""`I own it. | Should I sell?`, a viewer's question."""
ASKS_OUTRIGHT = pattern(
    r"(?<!\w)(?:should|do) i (?:\S+ )?(?:buy|sell|hold|keep|add|get out|trim)(?!\w)(?! (?:it|this|that) (?:because|so))"
)
"""The same where captions have no question marks."""
YES = pattern(
    r"^(?:(?:and|so|well|my answer is|the answer is|for me|i say|i think) )*"
    r"(?:(?:yes|yeah|yep|absolutely|definitely|of course|you bet|one hundred percent|for sure)(?!\w)(?! not)"
    r"|(?:i|we) (?:do|did|am|are|would|will)$|(?<=i think )so$|(?:i|we) (?:believe|would say) so$)"
)
NO = pattern(
    r"^(?:(?:and|so|well|my answer is|the answer is|for me|i say|i think|i am|i would|i do) )*"
    r"(?:no|nope|not|absolutely not|definitely not|of course not|no way)(?!\w)(?! to (?:buy|sell|add|own)(?!\w))"
    r"(?! (?:doubt|question|brainer)(?!\w))"
)


@dataclass(frozen=True, slots=True)
class Question:
    """A phrase asked about a stock; it counts once answered."""

    ticker: str
    stance: Stance
    traits: tuple[str, ...]


class Questions:
    """The questions not answered yet."""

    def __init__(self) -> None:
        self._asked: list[Question] = []

    def note(self, question: Question, reading: Reading) -> None:
        if not ASKS_FOR_A_WORD.search(reading.text) and not TEMPTED.search(reading.text):
            self._asked.append(question)

    def drop(self) -> None:
        self._asked = []

    def answered_by(self, reading: Reading) -> list[tuple[str, Evidence]]:
        """`Should you buy it? Yes.` is advice; `Am I selling? No.` is a hold."""
        self._asked = [q for q in self._asked if reading.clause.first - q.stance.last <= ANSWERED_WITHIN]
        if not self._asked:
            return []
        yes = bool(YES.search(reading.text))
        if not yes and not NO.search(reading.text):
            return []
        asked, self._asked = self._asked, []
        return [(question.ticker, _answer(question, yes=yes)) for question in asked]


def _answer(question: Question, *, yes: bool) -> Evidence:
    stance = question.stance
    wanted = yes and {"owning", "tense would"}.issubset(question.traits)  # would you own it? yes
    sentiment = Sentiment.BUY if wanted else stance.sentiment if yes else stance.denied
    kept = (trait for trait in question.traits if trait not in ASKING)
    return Evidence(sentiment, ("answered yes" if yes else "answered no", *kept), stance.first)


def is_asked_about(stance: Stance, later: list[Reading]) -> bool:
    """`I own it. Should I sell?`: someone who asks for advice isn't giving it."""
    describes_position = not (OWNING | {"tense past"}).isdisjoint(stance.traits)
    if not describes_position or ASKERS.isdisjoint(stance.traits):
        return False
    unmarked = takewhile(lambda reading: not reading.clause.ends_with, later)
    if ASKS_OUTRIGHT.search(" ".join((stance.after, *(reading.text for reading in unmarked)))):
        return True
    asks = any(reading.clause.ends_with == "?" for reading in later)
    return asks and bool(ASKS_ADVICE.search(" ".join(reading.text for reading in later)))
