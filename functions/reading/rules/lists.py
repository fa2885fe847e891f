"""Reads announced lists of stocks: `five stocks I'm buying`."""

from functions.reading.rules.context import Mention
from functions.reading.rules.reading import Reading, with_lead_in
from functions.reading.rules.text import Clause
from functions.reading.rules.vocabulary import phrases, words
from functions.reading.terms import Sentiment

JOINING = words("joining")
"""Words between the names of a list."""
LISTING = JOINING | {"§", "¤"}
LEAD_TO_NAME = 3
"""Maximum words before a name at the start of a clause."""
NAME_FOLLOWS = 25
"""Maximum words from the opening of a list item to its name."""
LIST_LASTS = 600
"""Words after the announcement or the last item at which a list ends: about four minutes on one stock."""

ANNOUNCES = (
    (Sentiment.MENTIONED, phrases("announces neither")),
    (Sentiment.BUY, phrases("announces buys")),
    (Sentiment.HOLD, phrases("announces holds")),
)
"""`Here are five stocks I'm buying`: the sentiment of each name on the list; `the worst performers` isn't advice."""
LISTED = words("listed")
LISTS_NAMES = phrases("lists names")
LIST_ITEM = phrases("list item")


class Lists:
    """Tracks announced lists and the names on them."""

    def __init__(self) -> None:
        self._announced: Sentiment | None = None
        self._announced_by: Clause | None = None
        self._list_ends = -1
        self._name_by = -1
        """Index of the last word at which the name of the opened list item may come."""

    def picks(self, reading: Reading, previous: Reading | None) -> list[tuple[Mention, Sentiment]]:
        if reading.clause.first > self._list_ends:
            self._announced = self._announced_by = None
        self._announce(reading, previous)
        if self._announced is None:
            return []
        named = self._named(reading)
        if named:
            self._list_ends = named[-1].last + LIST_LASTS
        return [(mention, self._announced) for mention in named]

    def _announce(self, reading: Reading, previous: Reading | None) -> None:
        """`Five stocks | I'm buying now`: the names that follow are buys."""
        if LISTED.isdisjoint(reading.text.split()) and not reading.triggers:
            return
        if reading.mentions and not LISTS_NAMES.search(reading.text):
            return  # I made ten buys in §: no others are to come
        text = with_lead_in(reading, previous)
        for sentiment, announces in ANNOUNCES:
            if sentiment is Sentiment.MENTIONED and self._announced:
                continue  # five stocks I'm buying, | among them the worst performers
            if self._announced_by is reading.clause and self._announced is Sentiment.MENTIONED:
                continue  # the ten best performing stocks
            if announces.search(text):
                self._announced, self._announced_by = sentiment, reading.clause
                self._list_ends = reading.clause.last + LIST_LASTS

    def _named(self, reading: Reading) -> list[Mention]:
        if self._goes_on_naming(reading):
            return reading.mentions
        if self._announced_by is reading.clause:
            return _named_at_once(reading)
        opens = LIST_ITEM.search(reading.text)
        if opens:
            self._name_by = reading.clause.last + NAME_FOLLOWS
        if not reading.mentions or reading.clause.first > self._name_by:
            return []
        self._name_by = -1
        if opens:
            return [m for m in reading.mentions if m.first >= reading.word_at(opens.start())][:1]
        starts = reading.mentions[0].first - reading.clause.first <= LEAD_TO_NAME
        return reading.mentions[:1] if starts else []

    def _goes_on_naming(self, reading: Reading) -> bool:
        """`The stocks I'm buying are §, and as a surprise § and §`: the list continues to the end of its sentence.

        So does a list whose names are a sentence by themselves: `I bought two stocks. § and §.`
        """
        by = self._announced_by
        if by is None or by.first >= reading.clause.first:
            return False
        if by.sentence != reading.clause.sentence:
            return reading.clause.first == by.last and LISTING.issuperset(reading.text.split())
        return bool(reading.mentions) and LISTING.issuperset(reading.text.partition("§")[2].split())


def _named_at_once(reading: Reading) -> list[Mention]:
    """`My top stocks are § and §`: the names at the end of the clause that announces the list."""
    lists = LISTS_NAMES.search(reading.text)
    if not lists or not LISTING.issuperset(reading.text[lists.end() :].split()):
        return []
    return [mention for mention in reading.mentions if mention.first >= reading.word_at(lists.start())]
