"""Holds statements about a stock that is named only later."""

from functions.reading.rules.reading import Reading
from functions.reading.rules.stance import DOUBTS, Stance
from functions.reading.rules.targets import Target
from functions.reading.rules.text import Clause
from functions.reading.rules.topics import PRESENTS, TURNS_TO, UNKNOWN_NAME_IS, UNKNOWN_POSITION
from functions.reading.rules.vocabulary import pattern

NAME_COMES, NAME_COMES_NEXT = 80, 20
"""Maximum words from a statement to the stock's name: in a clause that presents it, and in any other."""
STANDS_FOR_ONE = frozenset({"pronoun", "nothing", "shares", "subject"})
"""Objects that may refer to a stock not named yet."""
UNCLEAR_WITHOUT_A_NAME = DOUBTS | {"speaker you", "speaker you can", "narrated"}
NAMED_NEXT = pattern(r"^(?:\S+ ){0,3}§(?! (?:i|we|you)(?!\w))")
"""`I'm still buying it. | To me § is the best of them`, but not `I'm buying that | § I do not know`"""


class Unnamed:
    """Statements about a stock not named yet: `Everyone hates it, and I'm buying. … The company is §.`"""

    def __init__(self) -> None:
        self._said: list[tuple[Stance, Clause]] = []

    def note(self, stance: Stance, reading: Reading) -> None:
        doubted = stance.asked or not UNCLEAR_WITHOUT_A_NAME.isdisjoint(stance.traits)
        named = UNKNOWN_NAME_IS.search(reading.text) or UNKNOWN_POSITION.search(reading.text)
        if stance.object in STANDS_FOR_ONE and not doubted and not named:
            self._said.append((stance, reading.clause))

    def named_by(self, reading: Reading) -> list[tuple[Stance, Target]]:
        """Returns the statements about the stock that this clause names."""
        if not self._said or not reading.mentions:
            return []
        said, self._said = self._said, []
        named = reading.mentions[0]
        presented = bool(PRESENTS.search(reading.text))
        turned = TURNS_TO.search(reading.text)  # as for §, back to §
        if not presented and (turned or len(reading.mentions) > 1 or not NAMED_NEXT.search(reading.text)):
            return []
        lasts = NAME_COMES if presented else NAME_COMES_NEXT
        target = Target(named, "announced" if presented else "named next")
        return [(stance, target) for stance, clause in said if named.first - clause.last <= lasts]
